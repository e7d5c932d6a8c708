"""A small store of things that may be forgotten: after a while, and when there is no room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Pool(Generic[Key, Value]):
    """Up to `size` values, each for a time of its own; what was used longest ago makes room for what is new.

    Times are seconds on whichever clock the caller reads, as long as it is always the same one.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Key, tuple[Value, float]] = OrderedDict()

    def get(self, key: Key, now_s: float) -> Value | None:
        """The value, which counts as used now; None when there is none, or its time is over."""
        if key not in self._kept:
            return None
        value, until_s = self._kept[key]
        if now_s >= until_s:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return value

    def good_for_s(self, key: Key, now_s: float) -> float:
        """For how long the value is good from now on; 0 when there is none. To ask this is not to use it."""
        return max(0.0, self._kept[key][1] - now_s) if key in self._kept else 0.0

    def put(self, key: Key, value: Value, *, now_s: float, ttl_s: float) -> None:
        """Keep a value for `ttl_s`, in place of the one before."""
        self._kept[key] = value, now_s + ttl_s
        self._kept.move_to_end(key)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)

    def __len__(self) -> int:
        return len(self._kept)
