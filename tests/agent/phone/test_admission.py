"""Which interview a caller may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.interviews.creation import Wish
from agent.interviews.outcome import outcome_of
from agent.phone.reception.admission import (
    Admitted,
    NoInterview,
    admit,
    call_is_open,
    goes_on_in,
    practice_wish,
)
from agent.settings import Settings
from domain.events import CallBegan, CallEnded, InterviewCreated, InterviewEnded, InterviewStarted
from review import RecordStore
from tests.graph.fakes import tea_pack

NOW = 10_000.0
PACK = tea_pack()
PACKS = {PACK.id: PACK}
WISH = Wish(candidate_name="Robin", pack=PACK.id, minutes=5, feedback="coach", difficulty="medium")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """With a folder of their own, and one place."""
    return Settings(data_dir=tmp_path, interviews_at_once=1, phone_practice_minutes=3)


@pytest.fixture
def store(settings: Settings) -> Iterator[RecordStore]:
    """Its record."""
    store = RecordStore(settings.record_path)
    yield store
    store.close()


def admitted(settings: Settings, store: RecordStore, *, before: str | None = None, now: float = NOW) -> Admitted:
    """Somebody who is let in."""
    found = admit(settings, store, PACKS, WISH, room="call-1", now=now, before=before)
    assert isinstance(found, Admitted)
    return found


def broken_off(settings: Settings, store: RecordStore, *, recorded: bool = True) -> str:
    """An interview whose call was lost."""
    interview = admitted(settings, store).interview_id
    store.append(interview, CallBegan(at=NOW, room="call-1", number="••"))
    store.append(interview, InterviewStarted(at=NOW, judge="built-in"))
    if recorded:
        store.append(interview, CallEnded(at=NOW + 60))
    return interview


def test_a_new_interview_is_one_by_phone(settings: Settings, store: RecordStore) -> None:
    """Created as any other, in the room of the call."""
    found = admitted(settings, store)
    assert (found.again, found.pack_title, found.minutes) == (False, PACK.title, 5)
    created = store.events(found.interview_id)[0].event
    assert isinstance(created, InterviewCreated)
    assert (created.medium, created.room, created.candidate_name) == ("phone", "call-1", "Robin")


def test_a_call_that_was_lost_goes_on_with_the_same_interview(settings: Settings, store: RecordStore) -> None:
    """Also where all places are taken: it has its own."""
    interview = broken_off(settings, store)
    again = admitted(settings, store, before=interview, now=NOW + 120)
    assert (again.interview_id, again.again, again.call_room) == (interview, True, "")


def test_a_call_whose_end_nobody_recorded_is_ended_first(settings: Settings, store: RecordStore) -> None:
    """Its worker died, or has not noticed yet that the line is gone."""
    interview = broken_off(settings, store, recorded=False)
    assert admitted(settings, store, before=interview, now=NOW + 20).call_room == "call-1"


@pytest.mark.parametrize("why", ["too late", "over", "another's"])
def test_what_cannot_go_on_is_begun_anew(settings: Settings, store: RecordStore, why: str) -> None:
    """After the time that is waited, after the end, and what was deleted."""
    interview = broken_off(settings, store)
    if why == "over":
        store.append(interview, InterviewEnded(at=NOW + 61, reason="stopped"))
    now = NOW + 61 + (settings.phone_call_again_s if why == "too late" else 200)
    found = admitted(settings, store, before="nobody" if why == "another's" else interview, now=now)
    assert found.interview_id != interview
    assert not found.again


def test_where_all_places_are_taken_nothing_is_created(settings: Settings, store: RecordStore) -> None:
    """The caller is told, and the PIN stays good."""
    broken_off(settings, store, recorded=False)
    full = admit(settings, store, PACKS, WISH, room="call-2", now=NOW + 10)
    assert full == NoInterview("full")
    assert len(store.unended()) == 1


def test_what_is_not_there_any_more_is_said_so(settings: Settings, store: RecordStore) -> None:
    """A pack that was removed since the PIN was made."""
    gone = admit(settings, store, PACKS, replace(WISH, pack="gone"), room="call-2", now=NOW)
    assert gone == NoInterview("gone")


def test_people_who_practise_are_not_taken_for_one_another(settings: Settings) -> None:
    """They all have the same name, and nothing is kept under it."""
    one, other = practice_wish(settings), practice_wish(settings)
    assert one.minutes == 3
    assert one.user_id != other.user_id


def test_of_whoever_only_practises_no_profile_is_kept(settings: Settings, store: RecordStore) -> None:
    """What their interview showed is added to nobody's, as it is for whoever has a PIN."""
    counted = []
    for wish in (WISH, practice_wish(settings)):
        found = admit(settings, store, PACKS, wish, room="call-1", now=NOW)
        assert isinstance(found, Admitted)
        store.append(found.interview_id, InterviewEnded(at=NOW + 60, reason="completed"))
        counted.append(outcome_of(found.interview_id, [each.event for each in store.events(found.interview_id)]))
    with_pin, guest = counted
    assert with_pin is not None
    assert with_pin.user_id == "robin"
    assert guest is None


def test_a_new_worker_finds_the_interview_of_a_call_by_its_room(settings: Settings, store: RecordStore) -> None:
    """By the last call's: the room of one before is nobody's."""
    interview = broken_off(settings, store, recorded=False)
    assert goes_on_in(store, "call-1") == interview
    store.append(interview, CallBegan(at=NOW + 90, room="call-2", number="", again=True))
    assert goes_on_in(store, "call-1") is None
    assert goes_on_in(store, "call-2") == interview


def test_a_call_is_open_until_its_end_is_recorded() -> None:
    """Of several the last one counts."""
    began, ended = CallBegan(at=1.0, room="a", number=""), CallEnded(at=2.0)
    assert not call_is_open([])
    assert call_is_open([began])
    assert not call_is_open([began, ended])
    assert call_is_open([began, ended, began])
