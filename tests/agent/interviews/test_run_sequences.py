"""Whatever happens on the line, in any order: no answer is lost, judged twice, or judged by what nobody heard."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.events import AnswerJudged, InterviewEnded
from tests.agent.interviews.run_rig import Line
from tests.examples import examples
from tests.graph.fakes import Faults
from tests.graph.virtual_time import VirtualTime

NODES = ("detect_intent", "select_question", "validate_question", "supervise", "ask_question", "maybe_summarize")
TEXTS = ("good answer", "half an answer", "#skip", "#hold", "#hint", "#repeat", "#change_topic water", "good one #skip")


@dataclass(frozen=True)
class Does:
    """One thing that happens, and how long it is before the next."""

    what: str
    text: str = ""
    for_s: float = 30.0


_WAITS_S = st.sampled_from([0.0, 0.01, 0.5, 1.2, 2.5, 3.5, 5.0, 7.0, 30.0])
STEPS = st.one_of(
    st.builds(Does, st.sampled_from(["says", "says after a guess"]), st.sampled_from(TEXTS), _WAITS_S),
    st.builds(
        Does,
        st.sampled_from(["makes a sound", "crashes", "comes back", "is released", "runs out of time", "judge fails"]),
        st.just(""),
        _WAITS_S,
    ),
    st.builds(Does, st.just("breaks"), st.sampled_from(NODES), _WAITS_S),
    st.builds(Does, st.sampled_from(["is mended", "wants to stop"]), st.just(""), _WAITS_S),
)


async def happen(line: Line, faults: Faults, step: Does, number: int) -> None:
    """Let it happen."""
    match step.what:
        case "says" | "says after a guess":
            await line.say(f"{step.text} w{number}", guessed=step.what != "says")
        case "makes a sound":
            await line.interrupt()
        case "crashes":
            await line.crash()
        case "comes back":
            await line.come_back()
        case "wants to stop":
            await line.press_end()
        case _:
            change(line, faults, step)
    await line.quiet(step.for_s)


def change(line: Line, faults: Faults, step: Does) -> None:
    """What happens round the line."""
    match step.what:
        case "is released":
            line.release()
        case "runs out of time":
            line.clock.ahead_s += 1_000.0
        case "judge fails":
            line.judge.failures += 1
        case "breaks":
            faults.nodes.add(step.text)
        case "is mended":
            faults.nodes.clear()


async def held(steps: Sequence[Does], *, review: str = "off") -> None:
    """Hold an interview in which this happens, end it, and look at what is left of it."""
    with pytest.MonkeyPatch.context() as patch:
        faults = Faults(patch)
        line = Line(review=review)
        await line.connect()
        for number, step in enumerate(steps):
            if line.ended is None:
                await happen(line, faults, step, number)
        faults.nodes.clear()
        line.judge.failures = 0
        if line.ended is None:
            await line.quiet(60)
            line.release()
            await line.quiet(60)
            await line.press_end()
            await line.quiet(60)
        for _ in range(3):
            # After an end that was asked for and not heard the candidate comes back to hear it.
            if line.ended is None:
                await line.come_back()
                line.release()
                await line.quiet(60)
        await line.hang_up()
        await assert_all_is_well(line)


async def assert_all_is_well(line: Line) -> None:
    """What has to hold of every interview that is over."""
    seen = [type(event).__name__ for event in line.events]
    assert seen.count("InterviewEnded") == 1, "an interview ends once"
    after = line.events[seen.index("InterviewEnded") :]
    assert not any(isinstance(event, AnswerJudged) for event in after), "nothing is judged after the end"
    assert isinstance(after[0], InterviewEnded)

    numbers = [taken.turn for taken in line.taken]
    assert numbers == sorted(set(numbers)), "no number is given twice"
    for one, two in zip(line.taken, line.taken[1:], strict=False):
        assert not two.continues or two.text.startswith(one.text), "nothing of a joined answer is lost"

    state = await line.interview.snapshot()
    understood = Counter(intent.turn for intent in state.get("detected_intents", []) if intent.turn in numbers)
    assert understood == Counter(taken.turn for taken in line.standing), "each answer that stands counts once"
    judged = Counter(evaluation.turn for evaluation in state.get("all_evaluations", []))
    # An answer with a request in it may be kept until the candidate goes on with it.
    expected = [taken.turn for taken in line.standing if "#" not in taken.text]
    assert all(judged[turn] == 1 for turn in expected), "no answer is lost, and none judged twice"
    assert set(judged) <= {taken.turn for taken in line.standing}

    for evaluation in state.get("all_evaluations", []):
        heard = line.heard_before[evaluation.turn]
        assert evaluation.question_id in heard, "an answer is judged by a question that was heard"
    asked = [record.id for record in state.get("questions_asked", [])]
    assert set(asked[:-1]) <= set(line.questions_heard), "no question is skipped"


def hold(steps: Sequence[Does], *, review: str = "off") -> None:
    """The same, in a loop of its own."""
    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        runner.run(held(steps, review=review))


@given(st.lists(STEPS, max_size=10))
@settings(max_examples=examples(60))
@example([Does("crashes", for_s=0), Does("makes a sound", for_s=0)])
@example([Does("says", "good answer", 0), Does("makes a sound", for_s=0), Does("crashes", for_s=0)])
@example([Does("breaks", "validate_question", 2.5), Does("says", "good answer", 0)])
@example([Does("says", "half an answer", 2.5), Does("wants to stop", for_s=0), Does("says", "#repeat", 4.0)])
@example([Does("comes back"), Does("says", "#skip", 2.7), Does("says", "good answer")])
@example([Does("breaks", "validate_question", 4), Does("breaks", "detect_intent", 0), Does("says", "good answer")])
def test_in_any_order_nothing_is_lost_or_counted_twice(steps: list[Does]) -> None:
    """Answers, sounds, crashes, failures, reloads, the end of the time and the button, at any moment."""
    hold(steps)


@given(st.lists(STEPS, max_size=10))
@settings(max_examples=examples(40))
@example([Does("crashes", for_s=3.5), Does("says", "good answer", 0.01), Does("wants to stop", for_s=0)])
@example([Does("crashes", for_s=3.5), Does("says after a guess", "good answer", 0.5), Does("makes a sound", for_s=0)])
@example(
    [
        Does("breaks", "supervise", 0),
        Does("breaks", "ask_question", 3.5),
        Does("says", "good answer", 3.5),
        Does("wants to stop", for_s=0.01),
    ]
)
def test_with_a_person_who_looks_at_every_turn_likewise(steps: list[Does]) -> None:
    """The interview waits for them, through crashes and reloads."""
    hold(steps, review="all")
