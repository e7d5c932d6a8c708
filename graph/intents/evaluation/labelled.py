"""Labelled utterances: what people said, and what they wanted. One JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from domain.vocabulary import Intent


class LabelledError(ValueError):
    """A file of utterances cannot be used; the message says where and why."""


class LabelledUtterance(BaseModel):
    """Something a candidate said."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    question: str = ""
    """What had been asked."""
    intent: Intent | None = None
    """What the candidate wanted, when somebody has said so."""
    answer: str = ""
    """The words of `text` that are an answer, when only a part of them is."""


def read_file(path: Path) -> list[LabelledUtterance]:
    """All utterances of a file.

    Raises:
        LabelledError: it cannot be read, or a line is no utterance.
    """
    try:
        return list(read_lines(path.read_bytes().splitlines(), path.name))
    except OSError as error:
        raise LabelledError(f"{path} cannot be read ({error.strerror})") from error


def read_lines(lines: Iterable[bytes], origin: str) -> Iterator[LabelledUtterance]:
    """Utterances, one a line; empty lines are passed over.

    Args:
        lines: the lines, in UTF-8.
        origin: what to call them in messages.

    Raises:
        LabelledError: a line is no utterance; the message names it.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield LabelledUtterance.model_validate(json.loads(line.decode("utf-8")))
        except UnicodeDecodeError:
            raise LabelledError(f"{origin}, line {number}: this is not UTF-8 text") from None
        except json.JSONDecodeError as error:
            raise LabelledError(f"{origin}, line {number}: this is not JSON ({error.msg})") from None
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, fault["loc"])) or "the line"
            raise LabelledError(f"{origin}, line {number}: {where}: {fault['msg']}") from None
