"""Issuing: what is made sure of a wish before a PIN or a booked call stands for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.interviews.admission import with_profile
from agent.interviews.creation import Wish, created_as_wished
from agent.settings import Settings

if TYPE_CHECKING:
    from rag import Pack


def settled(wish: Wish, packs: Mapping[str, Pack], settings: Settings, *, is_host: bool, now: float) -> Wish:
    """The wish as it can be kept: with the pack and the topics that it comes to today.

    Whoever calls shows a PIN and nothing else, so nothing is looked up under their name then. What is kept of them goes
    with the wish now, when whoever hosts Viva asks for it and they bring nothing newer.

    Args:
        wish: what is wished.
        packs: the question packs by id.
        settings: the settings in force.
        is_host: whoever hosts Viva asks for it.
        now: seconds since the epoch.

    Raises:
        WishError: it wants what is not there, or a document is too long.
    """
    created = created_as_wished(wish, packs, medium="voice", room="", at=now, feedback=settings.feedback)
    if is_host and wish.profile is None and not wish.resume.strip():
        created = with_profile(settings, created, is_host=True)
    return replace(wish, pack=created.pack, focus_topics=tuple(created.focus_topics), profile=created.profile)


def number_to_dial(settings: Settings) -> str:
    """What callers dial, as they are told it; empty where there is neither a number nor a line of our own."""
    return settings.phone_number or (f"sip:viva@{settings.phone_address}" if settings.phone else "")
