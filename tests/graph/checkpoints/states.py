"""States of interviews in a form in which two of them can be compared."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from graph import Interview


async def state_of(held: Interview) -> dict[str, Any]:
    """The whole state, with the names of the types in it, and without the ids that differ from run to run."""
    snapshot = await held._graph.aget_state(held._config)
    return {"values": plain(snapshot.values), "next": list(snapshot.next)}


def plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if isinstance(value, BaseMessage):
        return [type(value).__name__, value.content]
    if isinstance(value, BaseModel):
        return [type(value).__name__, {name: plain(each) for name, each in value}]
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, [plain(each) for each in value]]
    return value
