"""Check result: what `viva doctor` found of one part."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Status = Literal["ok", "warning", "problem"]


class CheckResult(BaseModel):
    """What one look found."""

    model_config = ConfigDict(frozen=True)

    check: str
    status: Status
    """`problem` keeps Viva from running, `warning` limits it."""
    found: str
    advice: str = ""
    """What to do; empty when all is well."""
