"""Personas that type: what an interviewer does with their words depends on no voice, and takes no time to say.

The words are those of the personas that speak in rehearsals (agent/rehearsal/personas); everything else is real.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from agent.cli.text_interview.client import TextClient
from agent.http.text.schemas import FinalReport, StartRequest, TurnResponse
from agent.processes.ports import free_ports_settings
from agent.rehearsal.matching import QuestionFinder
from agent.rehearsal.persona import load_persona
from agent.rehearsal.replies import CandidateReply, Standing, plan_reply, standing_after
from agent.settings import Settings
from domain.events import AnswerJudged, Event, IntentDetected
from rag.packs.pack import load_packs
from review import RecordStore
from tests.agent.one_pack import backend_alone
from tests.agent.web_process import web_process

pytestmark = pytest.mark.slow

MOST_TURNS = 40
WEAK_AT_MOST = 3.0
"""Score of who knows nothing, of 10."""


@dataclass(frozen=True)
class Typed:
    """A turn of a persona."""

    reply: CandidateReply
    question_id: str
    """The question that was open."""
    response: TurnResponse

    @property
    def replies(self) -> str:
        """What the interviewer said to it, but for feedback and question."""
        return " ".join(reply.text for reply in self.response.replies)


@dataclass(frozen=True)
class Interviewed:
    """An interview that a persona has had."""

    turns: list[Typed]
    report: FinalReport
    events: list[Event]

    def intent(self, turn: int) -> str:
        """What the interviewer took the words of a turn for."""
        return next(event.intent for event in self.events if isinstance(event, IntentDetected) and event.turn == turn)

    @property
    def judged(self) -> dict[int, AnswerJudged]:
        """Judgements by their turn."""
        return {event.turn: event for event in self.events if isinstance(event, AnswerJudged)}


@pytest.fixture(scope="module")
def viva(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A web process that interviews by text; its settings."""
    folder = tmp_path_factory.mktemp("viva")
    settings = free_ports_settings(folder, judge="built-in", packs_dir=backend_alone(folder))
    with web_process(settings):
        yield settings


def interview(viva: Settings, name: str, minutes: int) -> Interviewed:
    """Let a persona type what it would say."""
    persona, pack = load_persona(name), load_packs()["backend"]
    finder, standing, turns = QuestionFinder(pack), Standing(turn=1, answer=1), list[Typed]()
    wanted = StartRequest(
        candidate_name=persona.candidate_name, pack=pack.id, time_budget_minutes=minutes, time="virtual"
    )
    with TextClient(viva.web_url) as client:
        started = client.start(wanted)
        question = started.question
        asked = finder.find(question.text)
        for _ in range(MOST_TURNS):
            reply = plan_reply(persona, standing, asked)
            assert reply is not None
            *_, last = client.submit(reply.text, reply.about_s)
            response = TurnResponse.model_validate(last.data)
            turns.append(Typed(reply, question.id, response))
            if not response.continue_interview:
                break
            standing = standing_after(standing, reply, asked)
            if response.next_question is not None:
                question = response.next_question
                asked = finder.find(question.text, asked.question if asked else None)
        report = client.report()
    store = RecordStore(viva.record_path)
    events = [stored.event for stored in store.events(started.session_id)]
    store.close()
    return Interviewed(turns, report, events)


def test_a_weak_candidate_scores_little_and_a_strong_one_much(viva: Settings) -> None:
    """At least three points apart on the same pack; the weak interview is as complete as the strong one."""
    strong, weak = interview(viva, "strong", minutes=15), interview(viva, "weak", minutes=15)
    for held in (strong, weak):
        assert held.report.end_reason in ("completed", "time_up")
        assert held.report.questions_asked >= 3
        assert all(each.overall_score is not None for each in held.report.detailed_evaluations)
    assert weak.report.overall_score is not None
    assert strong.report.overall_score is not None
    assert weak.report.overall_score <= WEAK_AT_MOST
    assert strong.report.overall_score - weak.report.overall_score >= 3


def test_everything_that_is_asked_for_is_understood_and_done(viva: Settings) -> None:
    """A repeat, a hint, a correction, the time that is left, other questions, a stop: each gets what belongs to it."""
    asking = interview(viva, "asking", minutes=30)
    wanted = [
        "repeat", "hint", "answer", "correct_myself", "time_left", "technical_assessment", "skip", "stop",
    ]  # fmt: skip
    assert [turn.reply.wants for turn in asking.turns] == wanted
    assert [asking.intent(turn.response.turn) for turn in asking.turns] == wanted
    assert asking.report.end_reason == "stopped"

    repeat, hint, answer, correction, time_left, _, _, _ = asking.turns
    assert repeat.question_id == hint.question_id == answer.question_id
    assert any(word in time_left.replies for word in ("minutes", "time"))
    assert correction.question_id != answer.question_id, "the next question was open when the answer was corrected"
    judged = asking.judged
    assert judged.keys() == {turn.response.turn for turn in (answer, correction, time_left)}
    assert judged[correction.response.turn].replaces_turn == answer.response.turn
    assert judged[correction.response.turn].question_id == answer.question_id
    asked = [turn.question_id for turn in asking.turns]
    assert asked[3] == asked[4], "a correction leaves the open question open"
    assert len(set(asked[2:])) == len(set(asked)) == 5, "each request for another question gets one"
    assert len(asking.report.detailed_evaluations) == 3
