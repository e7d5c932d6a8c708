"""Redaction: what a candidate says stays out of the logs, unless the setting `log_words` lets it in.

Three rules, applied to every record on its way to the handler (`Redaction`), whoever wrote it:

- Our own code passes words only through `words`, which shows how many there were.
- Libraries write requests, statements and transcripts at debug level, with all their values: such records are held
  back. LiveKit marks what people said with `pii` in the name of the field; such fields are dropped at any level.
- An exception's message often quotes the value that caused it. Only messages that cannot are written; of all others
  the log has the type and the place.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import traceback
from collections.abc import Iterator
from json import JSONDecodeError

from pydantic import ValidationError

ROOMS = ("agent", "domain", "graph", "rag", "review", "speech")
"""Loggers of our own code; each module's is named after it."""

_CANNOT_QUOTE = (
    OSError,
    ImportError,
    AttributeError,
    NameError,
    TypeError,
    ArithmeticError,
    MemoryError,
    JSONDecodeError,
    sqlite3.Error,
)
"""Exceptions whose messages are made of names, places and numbers, never of the values that code works on."""
_TRUSTED = frozenset({"agent", "rag", "review", "speech", "httpx", "httpcore", "asyncio"})
"""Packages whose own exceptions are likewise. `graph` is not among them: its errors may quote a model's reply."""

_WARNINGS = "py.warnings"
"""Logger of Python's warnings, as `logging.captureWarnings` has it."""
_WARNING_HEAD = re.compile(r"\A(.+?:\d+: \w+): ")


class Words:
    """Somebody's words in a log call. As text it is only their number, so that no handler can show them by accident."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return f"<{len(self.text.split())} words>"

    __repr__ = __str__


def words(text: str) -> Words:
    """What somebody said, to be passed to a log call as an argument; the log shows it only with `log_words`."""
    return Words(text)


class Redaction(logging.Filter):
    """Keeps a candidate's words out of what passes a handler; put on the handler, so that no logger can go around it.

    Args:
        log_words: let everything pass.
    """

    def __init__(self, *, log_words: bool) -> None:
        super().__init__()
        self._log_words = log_words

    def filter(self, record: logging.LogRecord) -> bool:
        """Hold a record back, or let it pass without words."""
        if not self._log_words and record.levelno < logging.INFO and not _is_ours(record.name):
            return False
        if record.name == _WARNINGS and not self._log_words:
            _shorten_warning(record)
        self._render_arguments(record)
        self._render_extras(record)
        if record.exc_info and record.exc_info[1]:
            error = record.exc_info[1]
            record.error = {"type": _name(type(error)), "message": message_of(error, log_words=self._log_words)}
            record.exc_text = "".join(_described(error, log_words=self._log_words)).rstrip("\n")
        return True

    def _render_arguments(self, record: logging.LogRecord) -> None:
        if isinstance(record.args, tuple):
            record.args = tuple(self._rendered(value) for value in record.args)
        elif record.args:
            record.args = {name: self._rendered(value) for name, value in record.args.items()}
        if isinstance(record.msg, BaseException):
            record.msg = self._rendered(record.msg)

    def _render_extras(self, record: logging.LogRecord) -> None:
        for name, value in list(vars(record).items()):
            if "pii" in name.split(".") and not self._log_words:
                delattr(record, name)
            elif isinstance(value, Words):
                setattr(record, name, self._rendered(value))

    def _rendered(self, value: object) -> object:
        if isinstance(value, Words):
            return value.text if self._log_words else str(value)
        if isinstance(value, BaseException):
            return message_of(value, log_words=self._log_words)
        return value


def message_of(error: BaseException, *, log_words: bool) -> str:
    """An exception's message, or in its place that it may quote what somebody said."""
    if log_words:
        return str(error)
    if isinstance(error, ValidationError):
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        return f"{error.title}: {', '.join(sorted({fault['type'] for fault in faults}))}"
    package = type(error).__module__.partition(".")[0]
    if isinstance(error, _CANNOT_QUOTE) or package in _TRUSTED or not error.args:
        return str(error)
    return f"<{_name(type(error))}: its message is shown with log_words>"


def _described(error: BaseException, *, log_words: bool) -> Iterator[str]:
    """What Python prints of an exception, its causes first, with the messages that may be shown."""
    if error.__cause__ is not None:
        yield from _described(error.__cause__, log_words=log_words)
        yield "\nThe above exception was the direct cause of the following exception:\n\n"
    elif error.__context__ is not None and not error.__suppress_context__:
        yield from _described(error.__context__, log_words=log_words)
        yield "\nDuring handling of the above exception, another exception occurred:\n\n"
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(error.__traceback__)
    yield f"{_name(type(error))}: {message_of(error, log_words=log_words)}\n"
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _described(part, log_words=log_words)


def _shorten_warning(record: logging.LogRecord) -> None:
    """Leave a Python warning's place and category: Pydantic's, for one, quote the value they are about."""
    if head := _WARNING_HEAD.match(record.getMessage()):
        record.msg, record.args = head[1], ()


def _is_ours(logger: str) -> bool:
    return logger.partition(".")[0] in ROOMS


def _name(kind: type[BaseException]) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
