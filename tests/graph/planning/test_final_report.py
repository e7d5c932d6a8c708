"""What an interview came to, as the graph knows it and the interviewer sums it up."""

from __future__ import annotations

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.metrics import AnswerMetrics
from domain.verdict import Evaluation, Scores
from graph.checkpoints.serializer import serializer
from graph.planning.final_report import final_report
from tests.graph.exploration.resume import about_resume
from tests.graph.fakes import Rig, begun, spoken


def judged(turn: int, topic: str, overall: float, *, replaces: int | None = None, fallback: bool = False) -> Evaluation:
    """An answer with this overall score."""
    scores = Scores(
        overall=overall, technical_accuracy=overall, completeness=overall, depth=overall, clarity=overall,
        low=overall, high=overall,
    )  # fmt: skip
    return Evaluation(
        question_id=f"q{turn}", topic=topic, difficulty="medium", judge="j", verdicts=(), scores=scores, turn=turn,
        replaces_turn=replaces, fallback=fallback,
    )  # fmt: skip


def test_the_three_metrics_and_their_average_are_means_of_the_answers_that_count() -> None:
    """Corrected answers count once, by the better words; none that a judge stood in for counts."""
    evaluations = [
        judged(1, "black tea", 2.0), judged(2, "green tea", 6.0), judged(3, "black tea", 9.0, replaces=1),
        judged(4, "green tea", 10.0, fallback=True),
    ]  # fmt: skip
    metrics = {
        turn: AnswerMetrics(reasoning_depth=3.0 * turn, communication_clarity=turn) for turn in range(1, 5)
    }  # fmt: skip
    report = final_report(evaluations, metrics)
    assert (report.answers_scored, report.overall) == (2, 7.5)
    assert (report.technical_accuracy, report.reasoning_depth, report.communication_clarity) == (7.5, 7.5, 2.5)
    assert report.combined == pytest.approx((7.5 + 7.5 + 2.5) / 3, abs=0.1)
    assert report.topic_scores == {"green tea": 6.0, "black tea": 9.0}
    assert (report.best, report.to_practise) == ("black tea", "green tea")


def test_nothing_is_made_of_nothing() -> None:
    """No score is not the same as zero, and what went badly is not called the best."""
    assert final_report([], {}).overall is None
    assert final_report([judged(1, "black tea", 3.0)], {}).best == ""


async def test_the_interviewer_sums_up_before_saying_goodbye() -> None:
    """In practice; in an exam nothing is given away."""
    closings = {}
    for feedback in ("practice", "exam"):
        interview, _ = await begun(Rig(), feedback=feedback)
        for turn, said in enumerate(("good answer about the leaves", "no idea at all about it, sorry"), start=1):
            await spoken(interview.answer(said, turn))  # type: ignore[attr-defined]
        (closing,) = await spoken(interview.answer("#stop", 3))  # type: ignore[attr-defined]
        closings[feedback] = closing.text
        report = (await interview.snapshot())["final_report"]  # type: ignore[attr-defined]
        assert report.answers_scored == 2
    assert "best" in closings["practice"]
    assert "best" not in closings["exam"]


async def test_of_what_somebody_did_nothing_is_to_be_read_up_on() -> None:
    """After an interview about a résumé only the best is named."""
    interview = about_resume(Rig(), saver=InMemorySaver(serde=serializer()))
    await spoken(interview.begin())
    answers = ("good answer about the hard part of it", "no idea how to answer this one", "no answer again to that one")
    answers = (*answers, "good answer about this in some detail")
    for turn, said in enumerate(answers, 1):
        await spoken(interview.answer(said, turn))
    (closing,) = await spoken(interview.answer("#stop", len(answers) + 1))
    assert "what you told me about" in closing.text
    assert "once more" not in closing.text
    assert "evening" not in closing.text
