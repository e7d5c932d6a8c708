"""Rates: how often something may happen, as token buckets. Time is passed in."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

_MOST_ADDRESSES = 2048
"""Whoever invents addresses fills no memory with them: the one not heard of for longest is forgotten."""
_ALL_TOGETHER = 5
"""All addresses together may call so many times as often as one."""


@dataclass(slots=True)
class TokenBucket:
    """Lets `burst` through at once, and `rate` a second in the long run."""

    rate: float
    burst: float
    level: float
    at: float
    """When `level` was right, in seconds of any clock."""

    def take(self, now: float) -> bool:
        """Whether one more may pass now."""
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class InviteRate:
    """How many new calls a second are looked at: from one address, and from all."""

    def __init__(self, per_second: float, now: float) -> None:
        self._rate = per_second
        self._all = self._bucket(_ALL_TOGETHER, now)
        self._by_address: OrderedDict[str, TokenBucket] = OrderedDict()

    def allows(self, address: str, now: float) -> bool:
        """Whether a new call from an address is looked at; one that is not costs nothing but this question."""
        bucket = self._by_address.get(address)
        if bucket is None:
            bucket = self._by_address[address] = self._bucket(1, now)
            if len(self._by_address) > _MOST_ADDRESSES:
                self._by_address.popitem(last=False)
        self._by_address.move_to_end(address)
        return bucket.take(now) and self._all.take(now)

    def _bucket(self, times: int, now: float) -> TokenBucket:
        burst = max(1.0, self._rate * times)
        return TokenBucket(self._rate * times, burst, burst, now)
