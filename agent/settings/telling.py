"""Telling: how much the processes say of themselves, and to whom."""

from __future__ import annotations

from typing import Literal

from agent.settings.part import SettingsPart


class Telling(SettingsPart):
    """Logs and metrics."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """How much the processes tell."""
    log_format: Literal["text", "json"] = "text"
    """How they tell it: lines for people, or one JSON object a line."""
    log_words: bool = False
    """Whether logs and spans may hold what candidates say; at debug level also what libraries log of it."""
    metrics: bool = True
    """Whether Prometheus can read metrics, at /metrics of the web process and of the interviewer."""
