"""Booked calls: made at their time or not at all, tried again within reason, and what became of them is told."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.phone.bookings import MOST_WAITING, BookingError, BookingStore, dialled
from agent.phone.calling import BookedCalls
from agent.phone.grants import PinGrant
from agent.phone.schedule import (
    AGAIN_AFTER_S,
    LAST_S,
    LATE_S,
    RINGS_S,
    SETTLED_S,
    TRIES,
    Booking,
    after_call,
    begun,
    is_due,
    looked_at,
)
from tests.agent.phone.samples import WISH, Pins

AT = 10_000.0
OUTCOMES = (
    "answered", "busy", "no-answer", "declined", "unknown-number", "not-allowed", "unreachable", "no-sound", "failed",
)  # fmt: skip


def booking(**about: object) -> Booking:
    """A booked call that waits."""
    values: dict[str, object] = {"number": "12", "account": "", "at": AT, "grant_id": "g", "booked_at": 0.0}
    return Booking("b", **{**values, "look_at": AT, **about})  # type: ignore[arg-type]


def grant(*, used_at: float | None = None, until: float | None = None) -> PinGrant:
    """What its PIN stands for."""
    return PinGrant("g", WISH, once=True, valid_from=None, valid_until=until, issued_at=0.0, used_at=used_at)


def test_a_call_is_due_at_its_time() -> None:
    """Not before; and while it rings it is not due again."""
    waits = booking()
    assert not is_due(looked_at(waits, grant(), AT - 1), AT - 1)
    assert is_due(looked_at(waits, grant(), AT), AT)
    assert is_due(looked_at(waits, grant(), AT + LATE_S), AT + LATE_S)
    assert not is_due(begun(waits, AT), AT + 1)


def test_a_call_that_was_missed_is_never_made() -> None:
    """Viva was off at its time: whoever starts it at night wakes nobody."""
    late = looked_at(booking(), grant(), AT + LATE_S + 1)
    assert (late.state, late.is_over) == ("missed", True)
    assert "not running" in late.why


@pytest.mark.parametrize("outcome", ["busy", "no-answer", "unreachable", "failed"])
def test_who_is_not_reached_is_called_again(outcome: str) -> None:
    """After five minutes, three times in all, and then no more."""
    now, call = AT, booking()
    for number in range(TRIES):
        assert is_due(looked_at(call, grant(), now), now)
        call = after_call(begun(call, now), outcome, "Nobody.", now + 20)
        assert call.tries == number + 1
        now = call.look_at
    assert (call.state, call.why) == ("given-up", "Nobody.")


@pytest.mark.parametrize("outcome", ["declined", "unknown-number", "not-allowed", "no-sound"])
def test_who_declines_is_left_alone(outcome: str) -> None:
    """Nor is a number tried again that does not exist."""
    assert after_call(begun(booking(), AT), outcome, "No.", AT + 5).state == "given-up"


def test_who_picks_up_and_presses_nothing_is_not_called_again() -> None:
    """It was a machine, or somebody who did not want to."""
    answered = after_call(begun(booking(), AT), "answered", "", AT + 10)
    assert looked_at(answered, grant(), AT + 10 + SETTLED_S - 1) == answered
    unheard = looked_at(answered, grant(), AT + 10 + SETTLED_S)
    assert (unheard.state, unheard.is_over) == ("unheard", True)
    held = looked_at(answered, grant(used_at=AT + 30), AT + 40)
    assert held.state == "held"


def test_an_interview_before_the_call_takes_its_place() -> None:
    """Who has called in with the PIN meanwhile, or whose PIN was revoked or has expired, is not called."""
    assert looked_at(booking(), grant(used_at=5.0), AT).state == "cancelled"
    assert looked_at(booking(), grant(until=AT - 1), AT).state == "cancelled"
    assert looked_at(booking(), None, 1.0).state == "cancelled"


def test_a_call_that_was_cut_off_is_tried_again() -> None:
    """The process died while it rang."""
    rings = begun(booking(), AT)
    assert looked_at(rings, grant(), AT + RINGS_S - 1) == rings
    again = looked_at(rings, grant(), AT + RINGS_S)
    assert (again.state, again.tries) == ("waiting", 1)


@given(st.lists(st.tuples(st.floats(0, 7200), st.sampled_from(OUTCOMES)), max_size=30))
def test_nobody_is_called_at_another_time(happens: list[tuple[float, str]]) -> None:
    """Whatever happens, however long Viva is off between: at most three times, within half an hour."""
    call, now = booking(), 0.0
    called_at: list[float] = []
    for passes_s, outcome in happens:
        now += passes_s
        call = looked_at(call, grant(), now)
        if is_due(call, now):
            called_at.append(now)
            call = after_call(begun(call, now), outcome, "", now + 10)
    assert len(called_at) <= TRIES
    assert all(AT <= each <= AT + LAST_S for each in called_at)
    assert all(later - sooner >= AGAIN_AFTER_S for sooner, later in itertools.pairwise(called_at))
    assert call.state != "missed" or not called_at


@pytest.mark.parametrize(
    ("written", "is_dialled"),
    [
        ("+49 (30) 12-34", "+49301234"),
        ("030/1234", "0301234"),
        ("*21#", "*21#"),
        (" 12 ", "12"),
        ("front-desk", "front-desk"),
    ],
)
def test_a_number_is_dialled_as_it_is_meant(written: str, is_dialled: str) -> None:
    """Without what stands between digits; a name of an extension stays."""
    assert dialled(written) == is_dialled


@pytest.mark.parametrize("written", ["", " ", "sip:a@b", "12;34", "a b", "12\n34x", ".", "1" * 65, "٣٤"])
def test_what_cannot_be_dialled_is_refused(written: str) -> None:
    """Nothing of it could reach the PBX."""
    with pytest.raises(BookingError, match="digits"):
        dialled(written)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a call."""

    outcome: str
    sentence: str = "So it was."


class FakeTelephone:
    """Answers each call with the next of some outcomes."""

    def __init__(self, *outcomes: str | Exception) -> None:
        self._outcomes = list(outcomes)
        self.called: list[tuple[str, str | None, str | None]] = []

    async def place_call(self, number: str, account: str | None = None, *, booking: str | None = None) -> Answer:
        self.called.append((number, account, booking))
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return Answer(outcome)


class Rig:
    """A store of bookings, and the loop that makes the calls."""

    def __init__(self, folder: Path, *outcomes: str | Exception) -> None:
        self.pins = Pins(folder)
        self.store = BookingStore(self.pins.path)
        self.telephone = FakeTelephone(*outcomes)
        self.now = 0.0
        self.calls = BookedCalls(self.store, self.telephone, lambda: self.now)

    def booked(self, at: float = AT, number: str = "12", account: str = "") -> Booking:
        """A new booking with a PIN of its own."""
        _, grant = self.pins.issued(until=None, now=self.now)
        return self.store.book(number, account, at, grant.id, now=self.now)

    def one(self) -> Booking:
        """The only booking."""
        ((only, _),) = self.store.bookings()
        return only

    async def look(self, now: float) -> None:
        """What the loop does at a moment, until nothing rings."""
        self.now = now
        await self.calls.look()
        await self.calls.rung()


async def test_a_booked_call_is_made_once(tmp_path: Path) -> None:
    """By its account, and the interviewer gets its id; the reception finds what it is for while it goes on."""
    rig = Rig(tmp_path, "answered")
    made = rig.booked(number="030 12", account="200")
    assert rig.pins.store.booked(made.id) is None
    for now in (AT - 1, AT, AT + 5):
        await rig.look(now)
    assert rig.telephone.called == [("03012", "200", made.id)]
    assert rig.one().state == "answered"
    found = rig.pins.store.booked(made.id)
    assert found is not None
    assert found.wish == WISH
    rig.pins.store.take(found.id, "mine", AT + 60)
    assert rig.pins.store.booked(made.id) is None
    await rig.look(AT + 61)
    assert rig.one().state == "held"


async def test_what_came_to_nothing_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """In the list and in the log, where there is no number."""
    rig = Rig(tmp_path)
    rig.booked(number="0309876543")
    with caplog.at_level(logging.WARNING):
        await rig.look(AT + 7 * 3600)
        await rig.look(AT + 8 * 3600)
    assert rig.one().state == "missed"
    assert len(caplog.messages) == 1
    assert "missed" in caplog.messages[0]
    assert "0309876543" not in caplog.text
    assert rig.telephone.called == []


async def test_a_telephone_that_fails_keeps_no_other_call_from_being_made(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It counts as a try, and the log has the reason."""
    rig = Rig(tmp_path, RuntimeError("no route"), "busy")
    rig.booked()
    rig.booked()
    await rig.look(AT)
    assert len(rig.telephone.called) == 2
    assert [(each.state, each.tries) for each, _ in rig.store.bookings()] == [("waiting", 1)] * 2
    assert "no route" in caplog.text


async def test_the_loop_goes_on_when_the_store_fails(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """And ends when it is cancelled, with what rings."""
    rig = Rig(tmp_path)
    rig.pins.path.write_text("nonsense " * 200)
    running = asyncio.create_task(rig.calls.run())
    while "are tried again" not in caplog.text:  # noqa: ASYNC110 - a log has no event
        await asyncio.sleep(0.01)
    assert not running.done()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_a_cancelled_call_is_not_made(tmp_path: Path) -> None:
    """Once; what is over cannot be cancelled."""
    rig = Rig(tmp_path)
    made = rig.booked()
    assert rig.store.cancel(made.id)
    assert not rig.store.cancel(made.id)
    assert rig.store.look(AT) == ([], [])


def test_a_call_is_booked_for_a_time_to_come(tmp_path: Path) -> None:
    """Within a year, and not too many of them."""
    rig = Rig(tmp_path)
    rig.now = 100.0
    for at in (100.0, 99.0, 100.0 + 400 * 24 * 3600):
        with pytest.raises(BookingError):
            rig.booked(at)
    assert rig.store.bookings() == []
    _, one = rig.pins.issued(until=None)
    for _ in range(MOST_WAITING):
        rig.store.book("12", "", AT, one.id, now=0.0)
    with pytest.raises(BookingError, match="Cancel"):
        rig.booked()


def test_a_deleted_person_is_not_called(tmp_path: Path) -> None:
    """Nothing of their number stays."""
    rig = Rig(tmp_path)
    rig.booked(number="0309876543")
    rig.pins.store.forget_person("ada-example")
    assert rig.store.bookings() == []
    assert b"0309876543" not in rig.pins.path.read_bytes()
