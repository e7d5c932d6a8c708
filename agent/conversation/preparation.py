"""Preparation of speech that may be wanted soon: it is synthesised before it is asked for."""

from __future__ import annotations

import asyncio
import logging

from livekit.agents import APIError

from agent.conversation.phrases import PHRASES
from domain.say import Say
from speech import PiperTTS

_log = logging.getLogger(__name__)


async def prepare(voice: PiperTTS, say: Say) -> None:
    """Have the beginning of what may be said next at hand."""
    try:
        await voice.prepare(say.text, pace=say.pace)
    except APIError as error:
        _log.warning("what may be said next could not be prepared: %s", error)


async def keep_phrases_ready(voice: PiperTTS, after_s: float) -> None:
    """Have what is said to break a silence at hand: it is said when there is no time to make it."""
    await asyncio.sleep(after_s)
    try:
        await voice.keep_ready(PHRASES.ways("acknowledgement"))
    except APIError as error:
        _log.warning("acknowledgements could not be prepared: %s", error)
