"""A node of a graph writes only what it owns, because a wrong key would otherwise merge in silence."""

from __future__ import annotations

from collections.abc import Collection
from functools import wraps
from typing import Any, Protocol, TypeVar

State_contra = TypeVar("State_contra", contravariant=True)
Run_contra = TypeVar("Run_contra", contravariant=True)


class Node(Protocol[State_contra, Run_contra]):
    """A step of a graph: a function of its state and its runtime that returns what it changes."""

    async def __call__(self, state: State_contra, runtime: Run_contra) -> dict[str, Any]:
        """Part of the state: only the keys the node owns."""
        ...


class OwnershipError(AssertionError):
    """A node returned a key that another node owns."""


def owned(name: str, node: Node[State_contra, Run_contra], allowed: Collection[str]) -> Node[State_contra, Run_contra]:
    """The node, watched: it fails with an `OwnershipError` when it returns a key that it is not allowed."""

    @wraps(node)
    async def watched(state: State_contra, runtime: Run_contra) -> dict[str, Any]:
        update = await node(state, runtime)
        if foreign := sorted(set(update) - set(allowed)):
            raise OwnershipError(f"{name} returned {foreign}, but owns only {sorted(allowed)}")
        return update

    return watched
