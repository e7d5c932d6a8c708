"""The states of an interview, and what words of the candidate's lead to in each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.interviews.life import (
    Closing,
    CutOff,
    Idle,
    Judging,
    Life,
    Opening,
    Over,
    Speaking,
    Speculating,
    State,
    Waiting,
    after,
)
from agent.interviews.life_events import (
    AskedToEnd,
    Began,
    Called,
    CutShort,
    Due,
    Ended,
    Failed,
    Finished,
    GivenUp,
    Heard,
    LifeEvent,
    Paused,
    Released,
    Said,
    Stopped,
    Took,
    Turn,
    Waits,
)
from agent.interviews.steps import TEXT, VOICE, Step, step
from domain.progress import Progress

ONE, TWO = Turn(1, before="b1"), Turn(2, before="b2")
STANDS = Progress(
    turn=1, questions_done=1, target_questions=7, elapsed_s=60, remaining_s=600, question=None, end_reason=None,
    cut_off=False, waits_for_review=False,
)  # fmt: skip
ASKED = Life(asked=True)


def lived(*events: LifeEvent, life: Life = ASKED) -> Life:
    """The life after all of these."""
    for event in events:
        life = after(life, event)
    return life


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], Idle()),
        ([Due("begin")], Idle()),
        ([Due("begin"), Began(), Called()], Opening()),
        ([Due("begin"), Began(), Called(), Finished(1)], Idle()),
        ([Paused("so far")], Speculating("so far")),
        ([Due("resume"), Paused("so far")], Idle()),
        ([Called(), Took(ONE)], Judging()),
        ([Paused("so far"), Called(), Took(ONE)], Judging()),
        ([Called(), Took(ONE), Paused("and")], Judging()),
        ([Called(), Took(ONE), Said(1, "question"), Finished(1)], Speaking()),
        ([Called(), Took(ONE), Said(1, "question"), Finished(1), Heard("feedback", 1)], Speaking()),
        ([Called(), Took(ONE), Said(1, "question"), Finished(1), Heard("question", 1)], Idle()),
        ([Called(), Took(ONE), Said(1, "question"), Heard("question", 1), Finished(1)], Idle()),
        ([Called(), Took(ONE), Stopped(1)], CutOff()),
        ([Called(), Took(ONE), Called(), Took(TWO), Stopped(1)], Judging()),
        ([Called(), Took(ONE), Failed()], CutOff()),
        ([Called(), Took(ONE), Failed(), GivenUp(1)], Speaking()),
        ([Called(), Took(ONE), Waits()], Waiting()),
        ([Called(), Took(ONE), Waits(), Finished(1)], Waiting()),
        ([Called(), Took(ONE), Waits(), Stopped(1)], Waiting()),
        ([Called(), Took(ONE), Waits(), Released()], Judging()),
        ([Called(), Took(ONE), Stopped(1), Due("resume"), Began()], Judging()),
        ([Heard("closing", 0)], Closing()),
        ([Called(), Took(ONE), Heard("closing", 1), Finished(1)], Closing()),
        ([Called(), Took(ONE), Heard("closing", 1), Failed()], Closing()),
        ([Ended("completed")], Over("completed")),
        ([Ended("completed"), Ended("failed"), Called(), Took(ONE), Heard("closing", 1)], Over("completed")),
    ],
)
def test_each_event_leads_to_one_state(events: list[LifeEvent], state: State) -> None:
    """What the candidate heard and how far the graph is decide together."""
    assert lived(*events).state == state


def test_what_is_late_changes_nothing() -> None:
    """Work that ends when the next has begun is not taken for the end of that."""
    now = lived(Called(), Took(ONE), Called(), Took(TWO))
    assert lived(Finished(1), Said(1, "closing"), Stopped(1), life=now) == now


@pytest.mark.parametrize(
    ("said", "heard", "goes_on"),
    [
        ([], [], True),
        (["feedback"], ["feedback"], True),
        (["feedback", "question"], ["feedback"], True),
        (["feedback", "question"], ["feedback", "question"], False),
        (["reply"], ["reply"], False),
        (["reply", "question"], ["reply"], True),
        (["reply", "question"], ["reply", "question"], False),
        (["closing"], [], True),
        (["closing"], ["closing"], False),
        (["acknowledgement"], ["acknowledgement"], True),
    ],
)
def test_words_join_the_turn_until_what_it_leads_to_is_heard(said: list[str], heard: list[str], goes_on: bool) -> None:
    """A reply that a question follows settles nothing: the question would be answered unheard."""
    events: list[LifeEvent] = [Called(), Took(ONE)]
    events += [Said(1, kind) for kind in said]  # type: ignore[arg-type]
    events += [Finished(1), *(Heard(kind, 1) for kind in heard)]  # type: ignore[arg-type]
    life = lived(*events)
    assert life.turn.can_go_on is goes_on
    if "closing" not in heard:
        assert step(life, STANDS, VOICE) is (Step.JOIN if goes_on else Step.BEGIN)


def test_what_was_said_in_another_turn_settles_nothing() -> None:
    """A line of the turn before that is still heard is not the next question."""
    life = lived(Called(), Took(ONE), Called(), Took(TWO), Heard("question", 1))
    assert life.turn.can_go_on


@pytest.mark.parametrize(
    ("life", "changes", "voice", "text"),
    [
        (ASKED, {}, Step.BEGIN, Step.BEGIN),
        (Life(), {}, Step.ASK, Step.ASK),
        (ASKED, {"turn": -1}, Step.FINISH, Step.FINISH),
        (ASKED, {"waits_for_review": True, "cut_off": True}, Step.FINISH, Step.FINISH),
        (ASKED, {"end_reason": "completed"}, Step.FINISH, Step.FINISH),
        (ASKED, {"cut_off": True}, Step.BEGIN, Step.FINISH),
        (Life(), {"cut_off": True}, Step.FINISH, Step.FINISH),
        (lived(Called(), Took(TWO), Stopped(1)), {}, Step.JOIN, Step.FINISH),
        (lived(Called(), Took(TWO), Stopped(1)), {"turn": 2, "cut_off": True}, Step.JOIN, Step.FINISH),
        (lived(Called(), Took(TWO), Finished(1)), {"turn": 2, "end_reason": "stopped"}, Step.JOIN, Step.FINISH),
        (lived(Called(), Took(TWO), Waits()), {"turn": 2, "waits_for_review": True}, Step.FINISH, Step.FINISH),
        (Life(turn=Turn(2, is_open=True)), {}, Step.FINISH, Step.FINISH),
        (lived(AskedToEnd("stopped")), {}, Step.FINISH, Step.FINISH),
        (lived(Heard("closing", 0)), {}, Step.NOTHING, Step.BEGIN),
        (lived(Ended("completed")), {}, Step.NOTHING, Step.NOTHING),
    ],
)
def test_words_lead_to_one_step(life: Life, changes: dict[str, object], voice: Step, text: Step) -> None:
    """What is unfinished comes first; who reads what is said cannot go on with an answer."""
    progress = replace(STANDS, **changes)  # type: ignore[arg-type]
    assert (step(life, progress, VOICE), step(life, progress, TEXT)) == (voice, text)


def test_the_rest_of_what_was_stopped_is_heard_until_something_comes_of_it() -> None:
    """Also when only a reply comes: the candidate is not deaf to the interview for ever."""
    stopped = lived(CutShort())
    assert not stopped.hears_rest_of_what_was_stopped
    turn = lived(Called(), Took(ONE), life=stopped)
    assert turn.hears_rest_of_what_was_stopped
    assert lived(Said(1, "feedback"), Finished(1), Heard("feedback", 1), life=turn).hears_rest_of_what_was_stopped
    replied = lived(Said(1, "reply"), Finished(1), Heard("reply", 1), life=turn)
    assert not replied.hears_rest_of_what_was_stopped
    assert not lived(Called(), Took(TWO), life=replied).hears_rest_of_what_was_stopped


def test_whoever_asked_to_end_is_asked_nothing_more() -> None:
    """A page that is loaded anew hears goodbye, and the first reason stays."""
    life = lived(AskedToEnd("stopped"), Due("resume"), AskedToEnd("silence"))
    assert (life.due, life.ends) == ("end", "stopped")


def test_failures_are_counted_until_something_succeeds() -> None:
    """A turn that could be finished starts the count anew."""
    failing = lived(Called(), Took(ONE), Failed(), GivenUp(1), Called(), Took(TWO), Failed())
    assert failing.failures == 2
    assert lived(GivenUp(2), Called(), Took(Turn(3)), Finished(3), life=failing).failures == 0
