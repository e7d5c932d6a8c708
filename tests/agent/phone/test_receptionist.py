"""What a receptionist does at the PIN store and the record, with nobody speaking or listening."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from livekit import rtc

from agent.interviews.creation import Wish
from agent.interviews.resources import VoiceResources
from agent.phone.call import Dispatch
from agent.phone.grants import PinGrant
from agent.phone.pins import PinRefusal, PinStore, open_pins
from agent.phone.reception import receptionist as receptionist_module
from agent.phone.reception.admission import Admitted
from agent.phone.reception.dialogue import Happened, NotAdmitted, PinRight
from agent.phone.reception.receptionist import Desk, Receptionist
from agent.settings import Settings
from review import RecordError, RecordStore
from tests.graph.fakes import tea_pack

PACK = tea_pack()
WISH = Wish(candidate_name="Robin", pack=PACK.id, minutes=5, feedback="coach", difficulty="medium")


class Nobody:
    """Stands for the mouth and the ears."""

    def __init__(self, *_: Any) -> None:
        pass


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said or heard."""
    for part in ("Mouth", "Ears", "WhisperSTT"):
        monkeypatch.setattr(receptionist_module, part, Nobody)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """With a folder of their own, and a place for everybody."""
    return Settings(data_dir=tmp_path, interviews_at_once=8)


@pytest.fixture
def store(settings: Settings) -> Iterator[RecordStore]:
    """Its record."""
    store = RecordStore(settings.record_path)
    yield store
    store.close()


def receptionist(settings: Settings, store: RecordStore, pins: PinStore) -> Receptionist:
    """Somebody who receives a caller."""
    interview = SimpleNamespace(packs={PACK.id: PACK})
    speech = SimpleNamespace(recognizer=None, vad=None)
    resources = cast("VoiceResources", SimpleNamespace(interview=interview, speech=speech))
    caller = cast("rtc.RemoteParticipant", SimpleNamespace(identity="sip_1", attributes={}))
    room = cast("rtc.Room", SimpleNamespace(name="call-1"))
    return Receptionist(room, caller, Desk(resources, settings, pins), store, lambda: 10_000.0)


async def told(received: Receptionist, pin: str) -> Happened | None:
    """What comes of a PIN."""
    await received._check(pin)
    return received._happened.get_nowait()


async def test_two_callers_with_one_pin_for_one_interview_have_one(settings: Settings, store: RecordStore) -> None:
    """The PIN is right for both of them; the slower one is told, and leaves nothing in the record."""
    pins = open_pins(settings)
    pin, _ = pins.issue(WISH, once=True, valid_from=None, valid_until=None, now=9_000.0)
    first, second = (receptionist(settings, store, pins) for _ in range(2))
    assert [await told(each, pin) for each in (first, second)] == [PinRight(), PinRight()]
    found = await asyncio.gather(*(asyncio.to_thread(each._find, "pin", Dispatch()) for each in (first, second)))
    (admitted,) = (each for each in found if isinstance(each, Admitted))
    assert [each for each in found if each is not admitted] == [NotAdmitted("gone")]
    assert [each.id for each in store.unended()] == [admitted.interview_id]


class Broken(PinStore):
    """Cannot ask the record whether an interview goes on."""

    def check(self, pin: str, *, caller: str, address: str, now: float) -> PinGrant | PinRefusal:
        """Fails."""
        raise RecordError("the disk is full")


async def test_a_pin_that_cannot_be_looked_at_is_told_as_a_failure(
    settings: Settings, store: RecordStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whichever file it is that fails; the log says why, without the PIN."""
    (tmp_path / "file").write_text("")
    unwritable = PinStore(tmp_path / "file" / "phone.sqlite", "secret", last_heard=lambda _: None)
    for pins in (unwritable, Broken(tmp_path / "phone.sqlite", "secret", last_heard=lambda _: None)):
        assert await told(receptionist(settings, store, pins), "482913") == NotAdmitted("failed")
    assert "could not be looked at: the disk is full" in caplog.text
    assert "See whether the disk is full" in caplog.text
    assert "482913" not in caplog.text
