"""Status socket: tells other processes of this machine how the running line is; only its owner can open it.

Whoever connects gets the status as a line of JSON. The socket is not in the data folder itself, whose path may be
longer than the 107 bytes that a socket's may have; a file there says where it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import ValidationError

from agent.files import write_atomically
from agent.phone.line.status import LineStatus
from agent.settings import Settings

_LONGEST_LINE = 1 << 16
_PATIENCE_S = 5.0


class LineNotRunningError(RuntimeError):
    """There is no line that could be asked."""


@asynccontextmanager
async def telling_status(status: Callable[[], LineStatus], settings: Settings) -> AsyncIterator[None]:
    """Tell other processes of this machine how the line is. Raises `OSError` if the run folder cannot be written."""

    async def tell(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError), contextlib.closing(writer):  # whoever asked may be gone
            writer.write(status().model_dump_json().encode() + b"\n")
            await writer.drain()

    folder = Path(tempfile.mkdtemp(prefix="viva-phone-"))  # only its owner can enter it
    try:
        path = folder / "status"
        async with await asyncio.start_unix_server(tell, path):
            where = settings.phone_ready_path
            where.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(where, str(path).encode())  # whoever sees it reads it at once
            try:
                yield
            finally:
                where.unlink(missing_ok=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def ask_status(settings: Settings) -> LineStatus:
    """What the running line is doing. Raises `LineNotRunningError`."""
    try:
        path = settings.phone_ready_path.read_text(encoding="utf-8")
        async with asyncio.timeout(_PATIENCE_S):
            reader, writer = await asyncio.open_unix_connection(path, limit=_LONGEST_LINE)
            with contextlib.closing(writer):
                answer = await reader.readline()
    except TimeoutError:
        raise LineNotRunningError(f"The phone line has not answered for {_PATIENCE_S:.0f} s: ask again") from None
    except OSError:
        todo = "start Viva" if settings.phone else "set phone = true and start Viva"
        raise LineNotRunningError(f"The phone line is not running: {todo}") from None
    if not answer:
        raise LineNotRunningError("The phone line was stopped just now")
    try:
        return LineStatus.model_validate_json(answer)
    except ValidationError:
        raise LineNotRunningError("The phone line is of another version: start Viva again") from None
