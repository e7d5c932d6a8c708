"""Deletion of a person: their interviews with recordings, checkpoints and records, PINs, their profile, its vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.interviews.checkpoints import forget_checkpoints
from agent.interviews.profiles import forget_outcome, opened_profiles
from agent.phone.database import PhoneStoreError
from agent.phone.pins import open_pins
from agent.settings import Settings
from rag.profiles.errors import ProfileError, UnknownPersonError
from review import RecordError, RecordStore, delete_interview


class StillRunningError(RuntimeError):
    """An interview of theirs goes on; nothing was deleted."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted of a person."""

    interviews: int


def forget_interview(settings: Settings) -> Callable[[str], None]:
    """What has to be called with the id of an interview that is about to be deleted; not within an event loop.

    The function raises RecordError when something cannot be removed: then the interview is not to be deleted either.
    """
    steps = (forget_checkpoints(settings), forget_outcome(settings), _forget_pin(settings))

    def forget(interview_id: str) -> None:
        for step in steps:
            step(interview_id)

    return forget


def delete_person(settings: Settings, record: RecordStore, user_id: str) -> Deleted:
    """Delete everything that is kept of a person; not within an event loop.

    The profile goes last: what is left after a failure is deleted by whoever tries again.

    Args:
        settings: the settings in force.
        record: the record.
        user_id: who.

    Raises:
        UnknownPersonError: nothing is kept of them.
        StillRunningError: an interview of theirs goes on; nothing was deleted.
        RecordError: something could not be deleted.
    """
    theirs = [each for each in record.interviews() if each.user_id == user_id]
    if any(each.status == "running" for each in theirs):
        raise StillRunningError(
            "An interview of theirs is still running, so nothing was deleted. End it first, with the button on its "
            "page or with POST /api/v1/interview/end."
        )
    forget = forget_interview(settings)
    for each in theirs:
        delete_interview(record, settings.data_dir, each.id, forget)
    had_pins = _forget_pins_of(settings, user_id)
    try:
        with opened_profiles(settings) as profiles:
            was_there = profiles.delete(user_id)
    except ProfileError as error:
        raise RecordError(f"{error} Their interviews are deleted; delete them again when that is mended.") from error
    if not (theirs or was_there or had_pins):
        raise UnknownPersonError(user_id)
    return Deleted(len(theirs))


def _forget_pin(settings: Settings) -> Callable[[str], None]:
    """Delete the PIN that an interview was begun with; it holds the résumé that was given for it."""

    def forget(interview_id: str) -> None:
        if settings.phone_path.exists():
            try:
                open_pins(settings).forget_interview(interview_id)
            except PhoneStoreError as error:
                raise RecordError(
                    f"{error} The interview stays in the list: mend that, and delete it again."
                ) from error

    return forget


def _forget_pins_of(settings: Settings, user_id: str) -> bool:
    """Delete somebody's PINs and the calls that are booked with them; whether there were any."""
    if not settings.phone_path.exists():
        return False
    try:
        return open_pins(settings).forget_person(user_id) > 0
    except PhoneStoreError as error:
        raise RecordError(f"{error} Their interviews are deleted; delete them again when that is mended.") from error
