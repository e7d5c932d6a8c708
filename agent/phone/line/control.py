"""Control of a running line from other processes: a socket of this machine that only its owner can open.

One question and one answer a connection, each a line of JSON. The socket is not in the data folder itself, whose path
may be longer than the 107 bytes that a socket's may have; a file there says where it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from agent.phone.line.line import Line
from agent.phone.line.outcomes import PlacedCall
from agent.phone.line.status import LineStatus
from agent.phone.line.whereabouts import where_file
from agent.settings import Settings
from domain.frozen_model import FrozenModel

_log = logging.getLogger(__name__)

_LONGEST_LINE = 1 << 16
_ASKED_S = 5.0
_CALLED_S = 90.0
"""How long a call that is placed may take to be answered or to fail."""


class LineNotRunningError(RuntimeError):
    """There is no line that could be asked."""


class Question(FrozenModel):
    """What is asked of the line."""

    ask: Literal["status", "call"]
    number: str = ""
    account: str | None = None
    booking: str | None = None


@asynccontextmanager
async def answering_questions(line: Line, settings: Settings) -> AsyncIterator[None]:
    """Answer other processes of this machine. Raises `OSError` if the run folder cannot be written."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError, TimeoutError):
            asked = Question.model_validate_json(await asyncio.wait_for(reader.readline(), _ASKED_S))
            if asked.ask == "status":
                found: FrozenModel = line.status()
            else:
                found = await line.place_call(asked.number, asked.account, booking=asked.booking)
            writer.write(found.model_dump_json().encode() + b"\n")
            await writer.drain()
        writer.close()

    folder = Path(tempfile.mkdtemp(prefix="viva-phone-"))  # only its owner can enter it
    try:
        path = folder / "control"
        server = await asyncio.start_unix_server(answer, path, limit=_LONGEST_LINE)
        async with server:
            where = where_file(settings)
            where.parent.mkdir(parents=True, exist_ok=True)
            where.write_text(str(path), encoding="utf-8")
            try:
                yield
            finally:
                where.unlink(missing_ok=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def ask_status(settings: Settings) -> LineStatus:
    """What the running line is doing. Raises `LineNotRunningError`."""
    return LineStatus.model_validate_json(await _ask(settings, Question(ask="status"), _ASKED_S))


async def ask_to_call(
    settings: Settings, number: str, *, account: str | None = None, booking: str | None = None
) -> PlacedCall:
    """Let the running line call somebody; returns once it is answered or has failed. Raises `LineNotRunningError`."""
    question = Question(ask="call", number=number, account=account, booking=booking)
    return PlacedCall.model_validate_json(await _ask(settings, question, _CALLED_S))


async def _ask(settings: Settings, question: Question, patience_s: float) -> bytes:
    try:
        path = where_file(settings).read_text(encoding="utf-8")
        reader, writer = await asyncio.open_unix_connection(path, limit=_LONGEST_LINE)
        with contextlib.closing(writer):
            writer.write(question.model_dump_json().encode() + b"\n")
            answer = await asyncio.wait_for(reader.readline(), patience_s)
    except (OSError, TimeoutError):
        raise LineNotRunningError("The phone line is not running: set phone = true and start Viva") from None
    except ValidationError:
        raise LineNotRunningError("The phone line is of another version: start Viva again") from None
    if not answer:
        raise LineNotRunningError("The phone line was stopped, or did not understand the question")
    return answer
