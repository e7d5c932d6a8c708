"""Event base: what every event is made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """A value that nothing changes, and that has no fields but its own."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        # An event is served with all of its fields: also those that it was recorded without.
        json_schema_serialization_defaults_required=True,
    )


class BaseEvent(FrozenModel):
    """Something that happened at a time, in seconds since the epoch."""

    at: float
