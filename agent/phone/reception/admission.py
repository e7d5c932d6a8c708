"""Admission of a caller: the interview that they may have, a new one or the one that their last call broke off."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from agent.interviews.admission import with_profile
from agent.interviews.creation import Wish, WishError, created_as_wished, new_interview_id
from agent.interviews.earlier_interviews import with_asked_before
from agent.interviews.places import places, taken_places
from agent.settings import Settings
from domain.events import CallBegan, CallEnded, Event, InterviewCreated, InterviewEnded
from review import RecordStore

if TYPE_CHECKING:
    from rag import Pack

_log = logging.getLogger(__name__)

GUEST = "Guest"
"""Name of whoever practises without a PIN."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """An interview that can begin, or go on."""

    interview_id: str
    pack_title: str
    minutes: int
    exam: bool
    """Feedback comes only in the report."""
    again: bool = False
    """It was begun in another call."""
    call_room: str = ""
    """The room of the call before, when nobody recorded its end; empty otherwise."""


@dataclass(frozen=True, slots=True)
class NoInterview:
    """There is none for this caller."""

    why: Literal["full", "gone"]
    """A heading of the reception's wording."""


def admit(
    settings: Settings,
    store: RecordStore,
    packs: Mapping[str, Pack],
    wish: Wish,
    *,
    room: str,
    now: float,
    before: str | None = None,
) -> Admitted | NoInterview:
    """The interview that a caller may have. Reads and writes the record, so not within an event loop.

    Args:
        settings: the settings in force.
        store: the record.
        packs: the question packs by id.
        wish: what it is to be like.
        room: the room of the call.
        now: seconds since the epoch.
        before: the interview that was begun with the same PIN.

    Raises:
        RecordError: the record cannot be read or written.
    """
    if before and (goes_on := _broken_off(settings, [stored.event for stored in store.events(before)], before, now)):
        return goes_on
    if taken_places(store, now) >= places(settings):
        return NoInterview("full")
    interview_id = new_interview_id()
    try:
        created = created_as_wished(wish, packs, medium="phone", room=room, at=now, feedback=settings.feedback)
    except WishError as error:
        _log.warning("what a PIN stands for cannot be granted: %s", error)
        return NoInterview("gone")
    # Whoever calls has shown a PIN and nothing else, so nothing is looked up under the name that was given with it.
    created = with_asked_before(store, with_profile(settings, created, is_host=False), is_host=False)
    store.append(interview_id, created)
    return _admitted(interview_id, created)


def practice_wish(settings: Settings) -> Wish:
    """What whoever calls without a PIN may have. Each of them is somebody else, of whom no profile is kept."""
    return Wish(
        candidate_name=GUEST,
        pack="",
        minutes=settings.phone_practice_minutes,
        feedback=None,
        difficulty="medium",
        user_id=f"guest-{new_interview_id()}",
        guest=True,
    )


def goes_on_in(store: RecordStore, room: str) -> str | None:
    """The interview that was being held in the call of this room when its worker died; None when there is none.

    Raises:
        RecordError: the record cannot be read.
    """
    for left in store.unended():
        if left.medium != "phone":
            continue
        began = _last_call([stored.event for stored in store.events(left.id)])
        if began is not None and began.room == room:
            return left.id
    return None


def call_is_open(events: Sequence[Event]) -> bool:
    """Whether the end of an interview's last call was not recorded: it goes on, or its worker died."""
    return isinstance(next((e for e in reversed(events) if isinstance(e, CallBegan | CallEnded)), None), CallBegan)


def _broken_off(settings: Settings, events: Sequence[Event], interview_id: str, now: float) -> Admitted | None:
    """The interview, when it was broken off a short while ago, or is still held in a call that nobody is in."""
    created = next((event for event in events if isinstance(event, InterviewCreated)), None)
    if created is None or created.medium != "phone" or any(isinstance(event, InterviewEnded) for event in events):
        return None
    if now - max(event.at for event in events) > settings.phone_call_again_s:
        return None
    call = _last_call(events)
    # One that was created and never begun is begun now.
    again = replace(_admitted(interview_id, created), again=call is not None)
    return replace(again, call_room=call.room) if call and call_is_open(events) else again


def _last_call(events: Sequence[Event]) -> CallBegan | None:
    return next((event for event in reversed(events) if isinstance(event, CallBegan)), None)


def _admitted(interview_id: str, created: InterviewCreated) -> Admitted:
    return Admitted(interview_id, created.pack_title, created.minutes, exam=created.feedback == "exam")
