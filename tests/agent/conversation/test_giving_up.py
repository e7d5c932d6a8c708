"""A turn that cannot be finished is given up: not scored, and the question that was heard waits for an answer again."""

from __future__ import annotations

from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from livekit.agents import FlushSentinel, ModelSettings, llm

from agent.conversation.interviewer import Interviewer
from agent.conversation.playback import PlaybackTracker
from domain.events import Event, ProblemNoticed, TurnVoided
from graph.checkpoints.serializer import serializer
from review import build_report
from review.report.answers import GIVEN_UP
from tests.agent.conversation.dependencies import dependencies, run_of
from tests.agent.conversation.test_playback import Loudspeaker
from tests.agent.conversation.test_transcript import final
from tests.agent.text_rig import GOOD, Session, TextRig, begun
from tests.graph.fakes import Faults, Rig

AFTER_JUDGING = ("select_question", "validate_question", "supervise")


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    """What fails."""
    return Faults(monkeypatch)


@pytest.fixture
def rig(tmp_path: Path, faults: Faults) -> TextRig:
    """A web process with a scripted judge."""
    return TextRig(tmp_path)


async def failed_twice(session: Session, faults: Faults, node: str) -> str:
    """Answer, and have this node fail then and at the second try; what the candidate is told."""
    faults.nodes.add(node)
    assert (await session.post("/submit_response", response=GOOD)).status_code == 500
    failed = await session.resume()
    assert failed.status_code == 500
    faults.nodes.clear()
    return str(failed.json()["detail"])


def assert_only_the_second_counts(events: list[Event], question_id: str) -> None:
    """Both answers are to the question that was heard; the first is named and not scored."""
    report = build_report(events)
    given_up, scored = report.answers
    assert (given_up.turn, given_up.question_id, given_up.scores) == (1, question_id, None)
    assert given_up.not_scored == GIVEN_UP
    assert given_up.verdicts == []
    assert (scored.turn, scored.question_id, scored.not_scored) == (2, question_id, "")
    assert scored.scores is not None
    assert (report.overall_score, report.answers_scored) == (scored.scores.overall, 1)
    assert [event.turn for event in events if isinstance(event, TurnVoided)] == [1]


@pytest.mark.parametrize("node", AFTER_JUDGING)
@pytest.mark.parametrize("restarted", [False, True])
async def test_by_text_the_next_answer_is_judged_by_the_question_that_was_heard(
    rig: TextRig, faults: Faults, node: str, *, restarted: bool
) -> None:
    """After two failures the turn is not scored, and its question is open again, in this process and the next."""
    async with rig.serving() as client:
        session = await begun(client)
        heard = session.started["question"]["id"]
        told = await failed_twice(session, faults, node)
        assert "open again" in told
        assert "not scored" in told
        if not restarted:
            await answers_again(session, heard)
    if restarted:
        async with rig.serving() as client:
            await answers_again(session.through(client), heard)
    assert {question for question, _ in rig.judge.judged} == {heard}
    assert_only_the_second_counts(rig.events(session.id), heard)


async def answers_again(session: Session, heard: str) -> None:
    """See that the question is open, answer it, and end."""
    state = (await session.get()).json()
    assert (state["turn"], state["needs_resume"], state["question"]["id"]) == (1, False, heard)
    assert (await session.resume()).json()["next_question"]["id"] == heard
    assert (await session.say(GOOD))["next_question"]["id"] != heard
    assert (await session.post("/end")).status_code == 200


async def test_by_text_no_answer_is_taken_while_a_turn_cannot_be_taken_back(
    rig: TextRig, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is said and recorded; the turn is not given up and can be tried again, and is then judged once."""
    async with rig.serving() as client:
        session = await begun(client)
        with monkeypatch.context() as broken:
            broken.setattr("graph.interview.way_back", _disk_is_gone)
            told = await failed_twice(session, faults, "validate_question")
        assert "could not be taken back" in told
        assert "the disk is gone" in told
        refused = await session.post("/submit_response", response=GOOD)
        assert refused.json()["type"].endswith("/unfinished-turn")
        assert (await session.resume()).json()["next_question"]["id"].startswith("water-")
    events = rig.events(session.id)
    assert not any(isinstance(event, TurnVoided) for event in events)
    assert any(isinstance(event, ProblemNoticed) and "taken back" in event.advice for event in events)
    assert build_report(events).answers_scored == 1


async def test_by_text_a_turn_that_was_said_whole_is_not_given_up(rig: TextRig, faults: Faults) -> None:
    """When nothing but the summary fails, `resume` returns the next question, and the answer is scored."""
    async with rig.serving() as client:
        session = await begun(client)
        assert "Nothing is lost" in await failed_twice(session, faults, "maybe_summarize")
        assert (await session.resume()).json()["next_question"]["id"].startswith("water-")
    assert build_report(rig.events(session.id)).answers_scored == 1


async def test_a_turn_that_is_given_up_waits_for_nobody(rig: TextRig, faults: Faults) -> None:
    """A person who was asked to look at it need not do so any more, and cannot release it."""
    rig.overrides["human_review"] = "all"
    async with rig.serving() as client:
        session = await begun(client)
        await session.say(GOOD)
        await client.post(f"/api/v1/reviews/{session.id}/1/release", json={"by": "Grace"})
        faults.nodes.add("supervise")
        assert (await session.resume()).status_code == 500
        faults.nodes.clear()
        assert (await client.get("/api/v1/reviews")).json() == []
        again = await client.post(f"/api/v1/reviews/{session.id}/1/release", json={"by": "Grace"})
        assert again.status_code == 404
        assert (await session.say(GOOD))["waits_for_review"] is True


class SilentSession:
    """Stands where LiveKit's session is: the test asks for the words itself."""

    def generate_reply(self, **_: object) -> None:
        """Nothing is spoken."""


class Room(Interviewer):
    """An interviewer whose words are played as soon as they come."""

    session = SilentSession()  # type: ignore[assignment]

    def __init__(self, rig: Rig) -> None:
        self.events: list[Event] = []
        self.rig = rig
        self.speaker = Loudspeaker()
        stage = PlaybackTracker(self.events.append, lambda _: None, rig.clock)
        stage.attach(self.speaker)
        rig.notes = self.events.append  # type: ignore[assignment]
        self.interview = rig.interview(InMemorySaver(serde=serializer()))
        self.run = run_of(self.interview, self.events.append, rig.clock)
        super().__init__(self.run, dependencies(stage, self.events.append, rig.clock))

    async def heard(self, text: str = "") -> list[str]:
        """What the candidate hears when they have said this."""
        if text:
            utterance = self._utterances.heard(
                final(*((word, n * 0.5, n * 0.5 + 0.4) for n, word in enumerate(text.split())))
            )
            assert utterance is not None
            self._utterances.add(utterance)
        said: list[str] = []
        async for piece in self.llm_node(llm.ChatContext.empty(), [], ModelSettings()):
            if isinstance(piece, FlushSentinel):
                await self.speaker.play()
            else:
                said.append(piece)
        return said

    def problems(self) -> list[ProblemNoticed]:
        """What was recorded of failures."""
        return [event for event in self.events if isinstance(event, ProblemNoticed)]


async def _disk_is_gone(*_: object) -> int | None:
    raise OSError("the disk is gone")


@pytest.fixture
async def room(faults: Faults) -> Room:
    """An interview whose first question was heard."""
    room = Room(Rig())
    await room.run.enter()
    await room.heard()
    return room


@pytest.mark.parametrize("node", AFTER_JUDGING)
async def test_by_voice_the_next_answer_is_judged_by_the_question_that_was_heard(
    room: Room, faults: Faults, node: str
) -> None:
    """The question of the failed turn is asked again, that turn is not scored, and the record says so."""
    heard = await room.interview.open_question()
    faults.nodes.add(node)
    apology = (await room.heard(GOOD))[-1]
    assert "sorry" in apology
    assert await room.interview.open_question() == heard
    faults.nodes.clear()
    assert len(await room.heard(GOOD)) == 2
    assert {question for question, _ in room.rig.judge.judged} == {heard.question_id}
    assert_only_the_second_counts(room.events, heard.question_id)
    (problem,) = room.problems()
    assert "turn 1 is not scored" in problem.advice
    assert "asked again" in problem.advice


async def test_by_voice_an_interview_ends_when_a_turn_cannot_be_taken_back(
    room: Room, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is asked that the next answer would not be judged by; both failures are recorded, and nothing scored."""
    monkeypatch.setattr("graph.interview.way_back", _disk_is_gone)
    faults.nodes.add("validate_question")
    goodbye = await room.heard(GOOD)
    assert "goodbye" in goodbye[-1].lower()
    (problem,) = room.problems()
    assert "a fault in validate_question" in problem.what
    assert "the disk is gone" in problem.what
    assert "ended" in problem.advice
    report = build_report(room.events)
    assert [answer.not_scored for answer in report.answers] == [GIVEN_UP]


async def test_by_voice_what_was_asked_is_not_taken_back(room: Room, faults: Faults) -> None:
    """When nothing but the summary fails, no apology follows the next question, and it is the open one."""
    faults.nodes.add("maybe_summarize")
    said = await room.heard(GOOD)
    asked = await room.interview.open_question()
    assert len(said) == 2
    assert said[-1].endswith(asked.text)
    faults.nodes.clear()
    await room.heard(GOOD)
    assert room.rig.judge.judged[-1][0] == asked.question_id
    assert build_report(room.events).answers_scored == 2
    assert "nothing is lost" in room.problems()[0].advice


async def test_by_voice_a_question_that_cannot_be_repeated_costs_no_answer(room: Room, faults: Faults) -> None:
    """A failure after a break is no turn: what was scored before stays so."""
    await room.heard(GOOD)
    faults.nodes.add("repeat_question")
    room.speak_again()
    assert "sorry" in (await room.heard())[-1]
    assert not any(isinstance(event, TurnVoided) for event in room.events)
    assert build_report(room.events).answers_scored == 1


async def test_by_voice_words_after_a_turn_that_was_given_up_are_a_new_turn(room: Room, faults: Faults) -> None:
    """Its number is not given again, so that nothing recorded of it is taken for something of the next."""
    faults.nodes.add("supervise")
    await room.heard(GOOD)
    faults.nodes.clear()
    assert (await room.interview.progress()).turn == room.run.turn == 1
    await room.heard(GOOD)
    assert room.run.turn == 2


async def test_by_voice_whoever_wants_to_go_hears_goodbye_whatever_fails(room: Room, faults: Faults) -> None:
    """The button is pressed once: a failure on the way out does not ask the question again."""
    faults.nodes.add("close_interview")
    assert room.run.ask_to_end("stopped")
    room.run.say_next("end")
    assert "goodbye" in (await room.heard())[-1].lower()
    assert await room.run.decided() == "stopped"
