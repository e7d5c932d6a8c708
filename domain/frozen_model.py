"""Frozen model: what every value that crosses a border is made of: events, verdicts, transcripts, reports."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """A value that nothing changes, and that has no fields but its own."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        # It is served with all of its fields: also those that it was recorded without.
        json_schema_serialization_defaults_required=True,
    )
