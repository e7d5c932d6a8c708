"""The three metrics in an interview: nodes side by side, behind a barrier, that nothing waits for."""

from __future__ import annotations

from langgraph.checkpoint.memory import InMemorySaver

from domain.events import AnswerMeasured, FeedbackReady, StageTimed, Supervised
from domain.metrics import AnswerMetrics
from graph.checkpoints.serializer import serializer
from tests.graph.fakes import Rig, begun, kinds, spoken

METRICS = {"measure_technical_accuracy", "measure_reasoning_depth", "measure_communication_clarity"}
ANSWER = "good answer about the leaves, because the enzymes meet the air"


def stages(rig: Rig) -> list[str]:
    """The nodes that ran, in the order in which they finished."""
    return [event.stage for event in rig.notes.of(StageTimed)]


async def test_an_answer_is_measured_once_by_three_nodes_and_put_together() -> None:
    """The barrier lets one run of `combine_metrics` through, after all three; the record has what it made."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer(ANSWER, 1))  # type: ignore[attr-defined]
    ran = stages(rig)
    assert all(ran.count(node) == 1 for node in (*METRICS, "combine_metrics", "supervise"))
    assert {*ran[: ran.index("combine_metrics")]} >= METRICS
    (measured,) = rig.notes.of(AnswerMeasured)
    assert isinstance(measured.metrics, AnswerMetrics)
    assert [mark.text for mark in measured.metrics.marks] == ["because the enzymes meet the air"]
    state = await interview.snapshot()  # type: ignore[attr-defined]
    assert state["metric_reasoning_depth"].score == measured.metrics.reasoning_depth
    assert state["metric_technical_accuracy"].score == rig.notes.evaluations[0].scores.technical_accuracy  # type: ignore[union-attr]


async def test_nothing_is_measured_that_nobody_could_judge() -> None:
    """No score is not the same as zero."""
    rig = Rig()
    interview, _ = await begun(rig)
    await spoken(interview.answer("um", 1))  # type: ignore[attr-defined]
    assert not rig.notes.of(AnswerMeasured)
    assert not METRICS & {*stages(rig)}


async def test_the_last_answer_is_measured_and_the_end_decided_once() -> None:
    """Where no question follows, the decision comes with what is put together and not after it as well."""
    rig = Rig()
    interview, _ = await begun(rig)
    says = await spoken(interview.answer(f"{ANSWER} #stop", 1))  # type: ignore[attr-defined]
    assert kinds(says) == ["feedback", "closing"]
    assert len(rig.notes.of(AnswerMeasured)) == len(rig.notes.of(Supervised)) == 1


async def test_a_person_can_be_waited_for_while_an_answer_is_measured() -> None:
    """The pause before the decision is known for what it is, whatever else was due in the same step."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()), review="all")
    await spoken(interview.begin())
    await spoken(interview.answer(f"{ANSWER} #stop", 1))
    assert await interview.waits_for_review()
    says = await spoken(interview.resume(released=True))
    assert kinds(says) == ["closing"]
    assert len(rig.notes.of(AnswerMeasured)) == 1


async def test_feedback_is_spoken_before_anything_is_put_together() -> None:
    """Words for the candidate leave as soon as they exist."""
    rig = Rig()
    interview, _ = await begun(rig)
    said = interview.answer(ANSWER, 1)  # type: ignore[attr-defined]
    measured_before = [bool(rig.notes.of(AnswerMeasured)) async for say in said if say.kind == "feedback"]
    assert measured_before == [False]
    told = [type(event) for event in rig.notes.events if isinstance(event, AnswerMeasured | FeedbackReady)]
    assert told == [FeedbackReady, AnswerMeasured]
