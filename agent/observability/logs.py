"""Logs of the processes: as text for a terminal or as JSON for machines, with the interview that a line belongs to."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType, TracebackType
from typing import Any

from pythonjsonlogger.core import RESERVED_ATTRS, merge_record_extra
from pythonjsonlogger.json import JsonFormatter

from agent.observability.redaction import ROOMS, Redaction
from agent.settings import Settings

_LEVELS = logging.getLevelNamesMapping()
_NOISY = (
    "aiosqlite",
    "asyncio",
    "backoff",
    "chromadb",
    "httpcore",
    "httpx",
    "numba",
    "sentence_transformers",
    "urllib3",
)
"""Libraries that tell of every request or statement; only their warnings are of interest."""
_CONTEXT = ("interview_id", "turn", "request_id")
_NOT_FIELDS = frozenset({*RESERVED_ATTRS, "bound", "process_name", "error", "color_message"})

_bound: ContextVar[Mapping[str, str | int]] = ContextVar("log_fields", default=MappingProxyType({}))


@contextmanager
def bind(*, interview_id: str | None = None, turn: int | None = None, request_id: str | None = None) -> Iterator[None]:
    """Have every log line of this task, and of tasks and threads started from it, say what it belongs to.

    Args:
        interview_id: The interview.
        turn: Number of the candidate's turn; 0 before the first.
        request_id: The HTTP request.
    """
    before = _bound.get()
    given = {"interview_id": interview_id, "turn": turn, "request_id": request_id}
    _bound.set({**before, **{name: value for name, value in given.items() if value is not None}})
    try:
        yield
    finally:
        # Not reset by token: an async generator may be closed in another context than it was begun in.
        _bound.set(before)


def bound_fields() -> Mapping[str, str | int]:
    """What `bind` set for the code that runs now."""
    return _bound.get()


def configure_logging(settings: Settings, process: str) -> None:
    """Set up the logs of a process: where they go, as what, and what does not go into them.

    Args:
        settings: `log_level`, `log_format` and `log_words` are used.
        process: What this process is called in JSON lines, such as `worker`.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines() if settings.log_format == "json" else _TextLines())
    for each in _filters(settings, process):
        handler.addFilter(each)
    level = _LEVELS[settings.log_level.upper()]
    foreign = level if settings.log_words else max(level, logging.INFO)
    logging.basicConfig(level=foreign, handlers=[handler], force=True)
    for room in ROOMS:
        logging.getLogger(room).setLevel(level)
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(max(level, logging.WARNING))
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread


def configure_job_logging(settings: Settings) -> None:
    """Set up the logs of a job's own process, whose records LiveKit hands to the worker's process to be written.

    Call it first in every executor; with threads, which share the worker's logs, it changes nothing.
    """
    for handler in logging.getLogger().handlers:
        if not any(isinstance(each, Redaction) for each in handler.filters):
            for each in _filters(settings, "worker"):
                handler.addFilter(each)


def json_line(process: str, message: str) -> str:
    """A line that a program wrote as text, as the JSON that `log_format = "json"` promises."""
    if message.startswith("{") and message.endswith("}"):
        return message
    line = {"ts": _timestamp(datetime.now(UTC)), "level": "info", "logger": process, "message": message}
    return json.dumps({**line, "process": process}, ensure_ascii=False)


class _Context(logging.Filter):
    """Notes on a record what it belongs to, while it is still in the task and process that wrote it."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "bound"):
            record.bound = dict(_bound.get())
            record.process_name = self._process
        return True


class _TextLines(logging.Formatter):
    """`logger: message (interview 9f2c4e8a1b3d, turn 3)`."""

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s%(where)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        fields: Mapping[str, str | int] = getattr(record, "bound", {})
        where = ", ".join(f"{name.removesuffix('_id')} {fields[name]}" for name in _CONTEXT if name in fields)
        record.where = f" ({where})" if where else ""
        # What somebody sent, such as a path, cannot begin a line of its own.
        return super().formatMessage(record).replace("\r", "\\r").replace("\n", "\\n")


class _JsonLines(JsonFormatter):
    """One JSON object a line."""

    def __init__(self) -> None:
        super().__init__(json_ensure_ascii=False)

    def add_fields(
        self,
        log_data: dict[str, Any],
        record: logging.LogRecord,
        message_dict: dict[str, Any],  # noqa: ARG002 - nobody logs a dict in place of a message
    ) -> None:
        """Name the fields: what is always there, what was bound, what the call added, and the exception."""
        log_data |= {
            "ts": _timestamp(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.message,
            "process": getattr(record, "process_name", ""),
            **getattr(record, "bound", {}),
        }
        extras = merge_record_extra(record, {}, reserved=_NOT_FIELDS)
        log_data |= {name: value for name, value in extras.items() if name not in log_data and value != ""}
        if error := getattr(record, "error", None):
            log_data |= {"error_type": error["type"], "error": error["message"]}
        if record.exc_text:
            log_data["stack"] = record.exc_text


def _filters(settings: Settings, process: str) -> tuple[logging.Filter, ...]:
    return _Context(process), Redaction(log_words=settings.log_words)


def _timestamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logging.getLogger("agent").critical("the process ends: an error was not handled", exc_info=error)


def _log_uncaught_in_thread(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
        name = failed.thread.name if failed.thread else "?"
        logging.getLogger("agent").error("the thread %s ended by an error", name, exc_info=failed.exc_value)
