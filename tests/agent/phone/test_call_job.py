"""The job of an interview by phone: how a call ends, by whoever ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from livekit import rtc

from agent.interviews.resources import VoiceResources
from agent.phone import job as job_module
from agent.phone.call import OVER
from agent.phone.job import CallJob, call_began
from agent.settings import Settings
from domain.events import CallEnded, Event, HoldBegan, HoldEnded, InterviewEnded
from review import RecordStore
from tests.agent.worker.test_job_end import OneJob

LINE = {"sip.phoneNumber": "+4930123456", "viva.codec": "PCMU", "viva.loss": "0.020", "viva.jitter_ms": "6"}


def caller(**changes: Any) -> rtc.RemoteParticipant:
    """Somebody on the phone."""
    known = {"identity": "sip_1", "attributes": LINE, "disconnect_reason": None, **changes}
    return cast("rtc.RemoteParticipant", SimpleNamespace(**known))


class Told:
    """The interviewer in the room."""

    def __init__(self) -> None:
        self.attributes: dict[str, str] = {}

    async def set_attributes(self, attributes: Mapping[str, str]) -> None:
        """What everybody is told of it."""
        self.attributes.update(attributes)


class InACall(OneJob):
    """LiveKit's context of a job for a call."""

    def __init__(self) -> None:
        super().__init__()
        self._room = cast("rtc.Room", SimpleNamespace(local_participant=Told(), remote_participants={}, name="call-1"))

    @property
    def told(self) -> dict[str, str]:
        """The interviewer's attributes."""
        return cast("Told", self.room.local_participant).attributes


@pytest.fixture
def context() -> InACall:
    """What LiveKit was told."""
    return InACall()


@pytest.fixture
def job(context: InACall, tmp_path: Path) -> CallJob:
    """An interview that is being held."""
    resources = VoiceResources(None, None)  # type: ignore[arg-type]
    began = call_began("call-1", caller(), again=False, at=1.0)
    return CallJob(context, resources, Settings(data_dir=tmp_path), interview_id="tea-1", caller=caller(), call=began)


def recorded(tmp_path: Path) -> list[Event]:
    """What is in the record."""
    store = RecordStore(tmp_path / "record.sqlite")
    events = [stored.event for stored in store.events("tea-1")]
    store.close()
    return events


def test_the_record_of_a_call_has_no_more_of_the_number_than_may_be_seen() -> None:
    """Two digits."""
    began = call_began("call-1", caller(), again=True, at=1.0)
    assert (began.number, began.codec, began.again) == ("••••••••56", "PCMU", True)


async def test_the_record_has_no_identity_that_is_made_of_the_number(context: InACall, tmp_path: Path) -> None:
    """As livekit-sip's is, whenever the caller comes or goes."""
    of_livekit_sip = caller(identity="sip_+4930123456", disconnect_reason=rtc.DisconnectReason.CLIENT_INITIATED)
    resources, settings = VoiceResources(None, None), Settings(data_dir=tmp_path)  # type: ignore[arg-type]
    job = CallJob(context, resources, settings, interview_id="tea-1", caller=of_livekit_sip, call=None)
    job._joined(of_livekit_sip)
    job._left(of_livekit_sip)
    await job._close()
    events = recorded(tmp_path)
    assert [event.kind for event in events] == ["candidate_joined", "candidate_left", "call_ended"]
    assert not any("123456" in event.model_dump_json() for event in events)


async def test_whoever_hangs_up_leaves_the_interview_as_it_stands(
    job: CallJob, context: InACall, tmp_path: Path
) -> None:
    """At once, for another call: no place is kept for them, and the line's last figures are in the record."""
    job._left(caller(disconnect_reason=rtc.DisconnectReason.CLIENT_INITIATED))
    assert context.why == ["the caller is gone"]
    await job._close()
    assert context.rooms_deleted == 1
    events = recorded(tmp_path)
    assert [(end.loss, end.jitter_ms) for end in events if isinstance(end, CallEnded)] == [(0.02, 6.0)]
    assert not any(isinstance(event, InterviewEnded) for event in events)


async def test_a_line_that_was_lost_may_come_back(
    job: CallJob, context: InACall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a while; then it counts as hung up."""
    monkeypatch.setattr(job_module, "_LINE_BACK_S", 0.05)
    job._left(caller(disconnect_reason=rtc.DisconnectReason.CONNECTION_TIMEOUT))
    assert context.why == []
    await asyncio.sleep(0.2)
    assert context.why == ["the caller is gone"]
    await job._close()


async def test_the_line_is_told_that_everything_was_said(job: CallJob, context: InACall, tmp_path: Path) -> None:
    """Before the job leaves: whoever leaves without it has died. The call is over before the interview is."""
    await job._end("completed")
    assert context.told == {OVER: "1"}
    await job._close()
    assert context.rooms_deleted == 1
    kinds = [event.kind for event in recorded(tmp_path)]
    assert kinds.index("call_ended") < kinds.index("interview_ended")
    assert kinds.count("call_ended") == 1


async def test_a_caller_hears_of_a_failure_before_the_line_is_hung_up(
    job: CallJob, context: InACall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and not when goodbye was said already."""
    said: list[str] = []

    async def say_once(*spoken: Any) -> None:
        said.append(spoken[-1])

    monkeypatch.setattr(job_module, "say_once", say_once)
    await job._end("failed")
    await job._end("failed")
    assert said == ["lost"]
    assert context.told == {OVER: "1"}
    await job._close()


async def test_a_worker_that_is_only_stopped_leaves_the_caller_in_the_room(
    job: CallJob, context: InACall, tmp_path: Path
) -> None:
    """For the next worker: the call goes on."""
    job._room_gone(rtc.DisconnectReason.CLIENT_INITIATED)
    await job._close()
    assert context.rooms_deleted == 0
    assert not any(isinstance(event, CallEnded) for event in recorded(tmp_path))


async def test_a_room_that_was_closed_is_the_end_of_the_call(job: CallJob, tmp_path: Path) -> None:
    """Its caller has called again, and the record says where this call ended."""
    job._room_gone(rtc.DisconnectReason.ROOM_DELETED)
    await job._close()
    assert sum(isinstance(event, CallEnded) for event in recorded(tmp_path)) == 1


class Silent:
    """Session, interviewer, silence watch and recording of an interview, as far as a hold touches them."""

    def __init__(self) -> None:
        self.on_hold = self.paused = False
        self.hears = True
        self.stopped = 0
        self.went_on = 0
        self.input = self

    def set_audio_enabled(self, enable: bool) -> None:
        """The ears."""
        self.hears = enable

    async def interrupt(self, *, force: bool) -> None:
        """Whatever is being said."""
        assert force
        self.stopped += 1

    async def go_on_after_hold(self) -> None:
        """Say where we were."""
        self.went_on += 1


async def test_on_hold_nothing_is_heard_or_said_until_everybody_is_back(job: CallJob, tmp_path: Path) -> None:
    """The caller's phone and the key may both hold it; it goes on when neither does."""
    held = Silent()
    job._session = job._interviewer = job._silence = job._recording = held  # type: ignore[assignment]
    line = caller(attributes={**LINE, "viva.hold": "1"})
    job._attributes({"viva.hold": "1"}, line)
    job._held("key", on=True)
    job._attributes({"viva.hold": ""}, caller())
    await asyncio.sleep(0)
    assert (held.hears, held.on_hold, held.paused, held.stopped, held.went_on) == (False, True, True, 1, 0)
    job._held("key", on=False)
    await asyncio.sleep(0)
    assert (held.hears, held.on_hold, held.paused, held.went_on) == (True, False, False, 1)
    job._recording = None
    await job._close()
    kinds = [type(event) for event in recorded(tmp_path)]
    assert kinds == [HoldBegan, HoldEnded]
