"""Which rooms need an interviewer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from livekit.protocol.agent_dispatch import AgentDispatch
from livekit.protocol.models import ParticipantInfo

from agent.interviews.abandoned import ABANDONED, end_abandoned
from agent.settings import Settings
from agent.worker import server
from agent.worker.recovery import Rescue, plan_rescue, rescue_rooms
from agent.worker.tokens import AGENT_NAME, CANDIDATE
from domain.events import Event, InterviewCreated, InterviewEnded, InterviewStarted
from review import RecordStore
from tests.agent.livekit_api import LiveKitAnswers, answering, waiting
from tests.review.sample_interview import sample_events

ROOM = "interview-abc"
WAITING = ParticipantInfo(identity=CANDIDATE, kind=ParticipantInfo.Kind.STANDARD)
GHOST = ParticipantInfo(identity="interviewer-AJ_1", kind=ParticipantInfo.Kind.AGENT)
OURS = AgentDispatch(id="AD_1", agent_name=AGENT_NAME, room=ROOM)
FOREIGN = AgentDispatch(id="AD_2", agent_name="somebody-else", room=ROOM)


def test_a_candidate_with_a_dead_interviewer_is_rescued() -> None:
    """The ghost goes, the stale dispatch goes, and the interview's id goes on to the new one."""
    rescue = plan_rescue(ROOM, [WAITING, GHOST], [OURS, FOREIGN], served=set())
    assert rescue == Rescue(ROOM, ghosts=("interviewer-AJ_1",), stale=("AD_1",), metadata="abc")


def test_a_dispatch_that_was_lost_is_made_again() -> None:
    """A candidate who joined while no worker was there gets an interviewer too."""
    rescue = plan_rescue(ROOM, [WAITING], [], served=set())
    assert rescue == Rescue(ROOM, ghosts=(), stale=(), metadata="abc")


def test_a_room_with_a_live_interviewer_is_left_alone() -> None:
    """After a restart of livekit-server the interviewer comes back by itself; a second one would be wrong."""
    assert plan_rescue(ROOM, [WAITING, GHOST], [OURS], served={ROOM}) is None


CALLING = ParticipantInfo(identity="sip_1", kind=ParticipantInfo.Kind.SIP)


def test_a_caller_with_a_dead_interviewer_is_rescued() -> None:
    """What the call was for goes on to the new one; which interview it is, the record knows."""
    booked = AgentDispatch(id="AD_3", agent_name=AGENT_NAME, room="call-1", metadata='{"phone": true, "booking": "b"}')
    rescue = plan_rescue("call-1", [CALLING, GHOST], [booked], served=set())
    assert rescue == Rescue("call-1", ghosts=("interviewer-AJ_1",), stale=("AD_3",), metadata=booked.metadata)
    lost = plan_rescue("call-1", [CALLING], [], served=set())
    assert lost == Rescue("call-1", ghosts=(), stale=(), metadata='{"phone": true}')


def test_nobody_is_sent_into_an_empty_room() -> None:
    """Where no candidate waits there is nobody to talk to."""
    assert plan_rescue(ROOM, [GHOST], [OURS], served=set()) is None


def test_an_interview_by_text_is_none_of_the_workers_business(tmp_path: Path) -> None:
    """It has no room, so nobody serves it, and still it goes on: the web process holds it."""
    store = RecordStore(tmp_path / "record.sqlite")
    created = InterviewCreated(
        at=1.0, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="", medium="text"
    )
    store.append("typed", created)
    store.append("typed", InterviewStarted(at=1.0, judge="built-in"))
    assert end_abandoned(store, "voice", set(), lambda: 1000.0) == 0
    assert store.interview("typed").status == "running"  # type: ignore[union-attr]
    store.close()


def test_an_interview_that_everybody_left_is_ended(tmp_path: Path) -> None:
    """What was stopped with everything else gets its end, and so its report; what still goes on is left alone."""
    store = RecordStore(tmp_path / "record.sqlite")
    for interview, last in (("old", 100.0), ("fresh", 990.0)):
        created = InterviewCreated(
            at=last, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="r"
        )
        store.append(interview, created)
        store.append(interview, InterviewStarted(at=last, judge="built-in"))
    assert end_abandoned(store, "voice", set(), lambda: 1000.0) == 1
    assert store.events("old")[-1].event == InterviewEnded(at=1000.0, reason="failed")
    assert store.interview("fresh").status == "running"  # type: ignore[union-attr]
    store.close()


class CountingStore(RecordStore):
    """Counts the events that are read into their form: each costs the interpreter's lock for a moment."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.parsed = 0

    def _parse(self, interview_id: str, seq: int, body: str) -> Event:
        self.parsed += 1
        return super()._parse(interview_id, seq, body)


@pytest.mark.parametrize(
    "look",
    [
        lambda store, now: end_abandoned(store, "voice", (), lambda: now),
        lambda store, now: end_abandoned(store, "text", (), lambda: now),
    ],
    ids=["worker", "web"],
)
def test_the_look_for_what_was_left_reads_no_event(tmp_path: Path, look: Callable[[RecordStore, float], int]) -> None:
    """However many interviews were ever held: one that is over, one each that was left, and one that goes on."""
    store = CountingStore(tmp_path / "record.sqlite")
    now = 2 * ABANDONED["text"].quiet_s
    for interview, last, medium in (("over", 1.0, "voice"), ("spoken", 1.0, "voice"), ("typed", 1.0, "text"),
                                    ("fresh", now, "voice"), ("fresh-typed", now, "text")):  # fmt: skip
        for event in sample_events(last):
            changed = {"at": last} | ({"medium": medium} if isinstance(event, InterviewCreated) else {})
            if interview == "over" or not isinstance(event, InterviewEnded):
                store.append(interview, event.model_copy(update=changed))

    assert look(store, now) == 1
    assert store.parsed == 0
    store.close()


async def test_an_interview_that_was_left_ends_while_the_worker_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to start the worker anew to be able to delete it; one that is served goes on."""
    settings = Settings(data_dir=tmp_path)
    store = RecordStore(settings.record_path)
    for interview in ("left", "abc"):
        created = InterviewCreated(
            at=1.0, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="r"
        )
        store.append(interview, created)
        store.append(interview, InterviewStarted(at=2.0, judge="built-in"))
    monkeypatch.setattr(server, "_LOOK_EVERY_S", 0.01)
    busy = SimpleNamespace(served={ROOM})

    tidying = asyncio.create_task(server._tidy_regularly(cast(Any, busy), settings))
    async with asyncio.timeout(20):
        while store.status("left") == "running":  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    tidying.cancel()
    await asyncio.gather(tidying, return_exceptions=True)

    assert store.status("abc") == "running"
    store.close()


def sung(store: RecordStore, interview: str, seq: int) -> None:
    """Record what a later version of Viva may know."""
    body = json.dumps({"kind": "candidate_sang", "at": 2.0})
    store._connection().execute("INSERT INTO events VALUES (?, ?, 2.0, 'candidate_sang', ?)", (interview, seq, body))


def nobody_served() -> Any:
    """A worker that is in no room."""
    return SimpleNamespace(served=set())


async def test_an_unreadable_interview_keeps_no_worker_from_being_ready(tmp_path: Path) -> None:
    """The worker says that candidates can start, and ends what was left, the unreadable one included."""
    with answering(LiveKitAnswers(waiting(participants=[], dispatches=[])), tmp_path) as settings:
        store = RecordStore(settings.record_path)
        for interview in ("newer", "left"):
            for event in sample_events(1.0)[:20]:
                store.append(interview, event)
        sung(store, "newer", 21)

        await server._announce(nobody_served(), settings)

        assert settings.worker_ready_path.exists()
        assert (store.status("newer"), store.status("left")) == ("ended", "ended")
        store.close()


async def test_a_broken_record_keeps_no_worker_from_being_ready(tmp_path: Path) -> None:
    """What cannot be tidied up is said, and left."""
    with answering(LiveKitAnswers(waiting(participants=[], dispatches=[])), tmp_path) as settings:
        settings.data_dir.mkdir()
        settings.record_path.write_text("My diary. " * 500)

        await server._announce(nobody_served(), settings)

        assert settings.worker_ready_path.exists()


@pytest.mark.parametrize("method", ["RemoveParticipant", "DeleteDispatch"])
async def test_what_is_gone_already_need_not_be_removed(tmp_path: Path, method: str) -> None:
    """LiveKit drops a ghost after 20 s by itself: the candidate gets a new interviewer all the same."""
    answers = LiveKitAnswers(waiting(ROOM, participants=[WAITING, GHOST], dispatches=[OURS]) | {method: [404]})
    with answering(answers, tmp_path) as settings:
        await server._announce(nobody_served(), settings)

        assert settings.worker_ready_path.exists()
        assert answers.asked.count("CreateDispatch") == 1


async def test_nobody_is_sent_into_a_room_that_was_closed_meanwhile(tmp_path: Path) -> None:
    """It was listed a moment ago, and is no fault to be tried again."""
    answers = LiveKitAnswers(waiting(ROOM, participants=[], dispatches=[]) | {"ListParticipants": [404]})
    with answering(answers, tmp_path) as settings:
        assert await rescue_rooms(settings, set) == ()
        assert "CreateDispatch" not in answers.asked


async def test_a_room_that_fails_keeps_no_other_waiting_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second candidate gets an interviewer at once, the first with the next try; the worker is ready anyhow."""
    monkeypatch.setattr(server, "_RESCUE_AGAIN_S", (0.0, 0.0))
    fine = waiting(ROOM, "interview-other", participants=[WAITING, GHOST], dispatches=[OURS])
    answers = LiveKitAnswers(fine | {"RemoveParticipant": [503, *fine["RemoveParticipant"]]})
    with answering(answers, tmp_path) as settings:
        await server._announce(nobody_served(), settings)

        assert settings.worker_ready_path.exists()
        assert answers.asked.count("CreateDispatch") == 2
        assert answers.asked.count("ListParticipants") == 3, "what went well is not done twice"


async def test_a_server_that_does_not_list_its_rooms_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is busy for a moment after its own start; who waits is not forgotten."""
    monkeypatch.setattr(server, "_RESCUE_AGAIN_S", (0.0, 0.0))
    fine = waiting(ROOM, participants=[WAITING], dispatches=[])
    answers = LiveKitAnswers(fine | {"ListRooms": [503, *fine["ListRooms"]]})
    with answering(answers, tmp_path) as settings:
        await server._announce(nobody_served(), settings)

        assert settings.worker_ready_path.exists()
        assert answers.asked.count("CreateDispatch") == 1


async def test_a_candidate_who_is_left_alone_while_the_worker_runs_gets_an_interviewer(tmp_path: Path) -> None:
    """livekit-server ends a job whose connection was lost and made anew. Alone once is how an interview begins."""
    answers = LiveKitAnswers(waiting(ROOM, participants=[WAITING], dispatches=[OURS]))
    with answering(answers, tmp_path) as settings:
        alone = await server.bring_back(nobody_served(), settings, ())
        assert alone == {ROOM}
        assert "CreateDispatch" not in answers.asked

        alone = await server.bring_back(nobody_served(), settings, alone)
        assert not alone, "it has time to come"
        assert answers.asked.count("CreateDispatch") == 1
        assert answers.asked.count("DeleteDispatch") == 1


@pytest.mark.parametrize("people", [[WAITING, GHOST], [GHOST], []])
async def test_an_interviewer_that_is_there_is_left_alone(people: list[ParticipantInfo], tmp_path: Path) -> None:
    """It may be another worker's; and an empty room needs nobody."""
    answers = LiveKitAnswers(waiting(ROOM, participants=people, dispatches=[OURS]))
    with answering(answers, tmp_path) as settings:
        assert not await server.bring_back(nobody_served(), settings, {ROOM})
        assert "CreateDispatch" not in answers.asked


async def test_a_server_that_does_not_answer_is_looked_at_again(tmp_path: Path) -> None:
    """Nobody is taken to be alone meanwhile."""
    answers = LiveKitAnswers(waiting(ROOM, participants=[WAITING], dispatches=[]) | {"ListRooms": [503]})
    with answering(answers, tmp_path) as settings:
        assert not await server.bring_back(nobody_served(), settings, {ROOM})
        assert "CreateDispatch" not in answers.asked
