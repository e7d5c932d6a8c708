"""Process of the line: what `viva phone line` runs, beside the worker and the web."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import signal
import time
from functools import partial

from agent.model_files.prepare import ensure_model
from agent.observability import configure_logging
from agent.phone.bookings import BookingStore
from agent.phone.calling import BookedCalls
from agent.phone.line.caller import Caller
from agent.phone.line.line import Line
from agent.phone.line.options import LineOptions
from agent.phone.line.room import CallRoom
from agent.phone.line.sentences import SpokenSentences, speak_all
from agent.phone.line.status_socket import telling_status
from agent.settings import Settings

# Not in the thread that loads it: LiveKit's plugins can be imported in the main one only.
from speech.tts.voice import Voice

_log = logging.getLogger(__name__)

_PRIORITY = -10
"""Of the process, where it may be raised: a frame that comes late is heard at once (at a load of five on two cores, a
sound that goes round takes 219 ms then instead of 382)."""
_LIBRARIES = ("aiortp", "aiosipua")
"""They log every packet that they do not like, and the addresses of callers."""


def run(settings: Settings) -> None:
    """Be the telephone line until told to stop. Blocks. Raises `LineError` if it cannot listen."""
    configure_logging(settings, "phone")
    for library in _LIBRARIES:
        logging.getLogger(library).setLevel(logging.ERROR)
    asyncio.run(_serve(settings))


class LineError(RuntimeError):
    """The line cannot be run; the message says why and what to do."""


async def _serve(settings: Settings) -> None:
    _hurry()
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)

    def make_room(caller: Caller, rate_hz: int) -> CallRoom:
        return CallRoom(settings, caller, rate_hz)

    line = Line(LineOptions.of(settings), make_room, rng=random.SystemRandom())
    # Calls can come while the voice is being loaded: a thread does that, and until then the line is silent itself.
    speaking = asyncio.get_running_loop().run_in_executor(None, partial(say_sentences, settings))
    try:
        try:
            await line.start()
        except OSError as error:
            host, port = line.transport.local_addr
            raise LineError(
                f"The phone line cannot listen at {host}:{port} ({error.strerror}): choose another phone_port, or an "
                "address of this machine as phone_host"
            ) from None
        calls = BookedCalls(BookingStore(settings.phone_path), line, time.time)
        async with telling_status(line.status, settings), asyncio.TaskGroup() as tasks:
            booked = tasks.create_task(calls.run())
            speaking.add_done_callback(partial(_give_voice, line))
            await stopped.wait()
            booked.cancel()
    finally:
        await line.stop()
        speaking.cancel()


def _give_voice(line: Line, speaking: asyncio.Future[SpokenSentences]) -> None:
    if speaking.cancelled():
        return
    if error := speaking.exception():
        _log.error("the line's own sentences cannot be said: %s", error)
    else:
        line.exchange.sentences = speaking.result()
        _log.info("the line's own sentences are ready")


def say_sentences(settings: Settings) -> SpokenSentences:
    """Load the voice, let it say the sentences, and let go of it."""
    voice = Voice.load(ensure_model(settings.voice, settings.cache_dir, kind="voice"), cpu_threads=1)
    return speak_all(voice.synthesize, voice.sample_rate)


def _hurry() -> None:
    with contextlib.suppress(OSError):  # not everybody may
        os.setpriority(os.PRIO_PROCESS, 0, _PRIORITY)
