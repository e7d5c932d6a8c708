"""Feedback on the metrics in a model's words: what they have to keep to, and that no score moves with them."""

from __future__ import annotations

import pytest

from domain.events import AnswerMeasured
from domain.metrics import AnswerMetrics, MetricsFeedback
from graph.language_models.tasks import MetricsReply
from graph.metrics.feedback import MOST_WORDS
from graph.metrics.model_wording import METRICS_CHECKS, WITHIN_S, Drafted
from graph.validators import first_fault
from tests.graph.fakes import Rig, begun, spoken
from tests.graph.language_models.scripted import HANGS, Line, ScriptedChat, Told, of_interview, tiered

ANSWER = "good answer about the leaves, because the enzymes meet the air"
REASON = "“because the enzymes meet the air”"
GOOD = {
    "technical_accuracy": "All that you said holds.",
    "reasoning_depth": f"You gave a reason with {REASON}. Say why for the other points, too.",
    "communication_clarity": "You kept to what was asked.",
    "overall": f"What you said holds. You gave a reason where you said {REASON}; next time say why for the others.",
}
PLAN = {"reason": "", "topics": ["leaves", "water", "serving", "leaves", "water", "serving", "leaves"]}
RULES = MetricsFeedback(
    technical_accuracy="What you said holds.",
    reasoning_depth=f"You gave a reason where you said {REASON}; say why for the other points as well.",
    communication_clarity="You spoke to what was asked.",
)


def fault(bands: str = "medium", **texts: str) -> str:
    """Why a model's words will not do."""
    return first_fault(
        METRICS_CHECKS,
        Drafted(
            MetricsReply.model_validate(GOOD | texts),
            RULES,
            MetricsFeedback(technical_accuracy=bands, reasoning_depth=bands, communication_clarity=bands),
            6.0 if bands == "medium" else 2.0,
            "What should one know about oxidation?",
            ANSWER,
        ),
    )


def test_the_rules_own_words_pass() -> None:
    """And a model's that say the same."""
    assert fault() == ""
    assert fault(**RULES.model_dump(), overall=" ".join(RULES.model_dump().values())) == ""


@pytest.mark.parametrize(
    ("texts", "check"),
    [
        ({"overall": "What you said holds. " * 26}, "length"),
        ({"communication_clarity": " "}, "length"),
        ({"overall": "What you said holds in 3 of the points."}, "no new number"),
        ({"reasoning_depth": "Say why for the other four points."}, "no new number"),
        ({"overall": "You gave a reason where you said “because of the heat”."}, "their own words"),
        ({"reasoning_depth": "You said that water has to be soft; say why."}, "nothing they did not say"),
        ({"overall": "What you said holds. You compared it with coffee."}, "nothing they did not say"),
        ({"technical_accuracy": "What you said is incorrect."}, "as feedback"),
        ({"technical_accuracy": "- What you said holds."}, "as feedback"),
        ({"overall": "What you said holds, that is 7 out of 10."}, "no new number"),
        ({"communication_clarity": "Drink more water."}, "keeps to the facts"),
    ],
)
def test_what_goes_beyond_the_facts_is_refused(texts: dict[str, str], check: str) -> None:
    """Too long, a number, words that were not said, blame, another subject: one is enough for all of it."""
    assert fault(**texts).partition(":")[0] == check


def test_little_is_not_praised() -> None:
    """Whatever a model makes of it."""
    assert fault("low", technical_accuracy="Excellent, what you said holds.").startswith("as feedback")


async def measured(line: Line | None) -> list[AnswerMetrics]:
    """What the record has of an answer's metrics, with a model that says this; None is no model."""
    rig = Rig()
    if line is not None:
        chat = ScriptedChat(script={"metrics_feedback": line, "planner": PLAN, "selection": {"selected_id": "-"}})
        rig.models = of_interview(tiered(fast_model=chat, timeout_s=0.2 if line is HANGS else 60), Told())
    interview, _ = await begun(rig)
    says = await spoken(interview.answer(ANSWER, 1))  # type: ignore[attr-defined]
    assert says[-1].kind == "question"
    state = await interview.snapshot()  # type: ignore[attr-defined]
    found = [event.metrics for event in rig.notes.of(AnswerMeasured)]
    assert state["answer_metrics"] == {1: found[-1]}
    return [each for each in found if each]


async def test_a_models_words_take_the_place_of_the_rules() -> None:
    """In the record and in the state; every score stays as it was."""
    by_rule, worded = await measured(GOOD)
    assert by_rule.worded_by == "rules"
    assert worded.worded_by == "model"
    assert worded.feedback == GOOD["overall"]
    assert worded.on_each
    assert worded.on_each.reasoning_depth == GOOD["reasoning_depth"]
    same = {"feedback", "on_each", "worded_by"}
    assert worded.model_dump(exclude=same) == by_rule.model_dump(exclude=same)


@pytest.mark.parametrize(
    "line",
    [
        None,
        HANGS,
        TimeoutError(),
        "no JSON at all",
        GOOD | {"overall": "You scored 9 out of 10."},
        GOOD | {"technical_accuracy": "You mentioned photosynthesis, and that holds."},
    ],
    ids=["no model", "hangs", "fails", "no form", "a number", "not said"],
)
async def test_without_a_reply_that_will_do_the_rules_words_stand(line: Line | None) -> None:
    """And the interview goes on."""
    (by_rule,) = await measured(line)
    assert by_rule.worded_by == "rules"
    assert by_rule.feedback
    assert len(by_rule.feedback.split()) <= MOST_WORDS


def test_there_is_a_limit_to_the_time_it_may_take() -> None:
    """Less than a node has in all."""
    assert 0 < WITHIN_S < Rig().context().model_deadline_s
