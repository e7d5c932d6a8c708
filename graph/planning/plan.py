"""Plan of an interview: which topics, how hard each begins, and how many questions there is time for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import cycle

from pydantic import BaseModel, ConfigDict

from domain.vocabulary import DIFFICULTIES, Difficulty
from rag.packs.pack import Pack, Topic


class InterviewPlan(BaseModel):
    """Topics in order, one difficulty for each of them. Follow-ups are not part of it and do not use it up."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topics: tuple[str, ...]
    difficulty_curve: tuple[Difficulty, ...]
    """As long as `topics`; it belongs to them, never to the number of questions."""
    fundamentals: tuple[str, ...]
    made_by: str = "rules"


FEWEST_QUESTIONS, MOST_QUESTIONS = 5, 12
"""Of an interview, follow-ups not counted."""
_MINUTES_A_QUESTION = 4


def target_questions(minutes: int) -> int:
    """Questions that fit a time budget, follow-ups not counted: one for every four minutes, from 5 to 12."""
    return max(FEWEST_QUESTIONS, min(MOST_QUESTIONS, minutes // _MINUTES_A_QUESTION))


def make_plan(
    pack: Pack, minutes: int, start: Difficulty, focus: Sequence[str] = (), order: Sequence[str] = ()
) -> InterviewPlan:
    """The rule-based plan.

    The topics in their order, the pack's unless another is given, each as often as its weight, again from the front
    when there are fewer than questions. With a focus, two of three questions are of the topics in focus. The first half
    begins at the asked-for difficulty, the second half one step higher.
    """
    count = target_questions(minutes)
    wanted = [topic for topic in focus if any(topic == each.id for each in pack.topics)]
    topics = sorted(pack.topics, key=lambda topic: order.index(topic.id)) if order else pack.topics
    others = [topic for topic in topics if topic.id not in wanted]
    if wanted and others:
        in_focus, around = cycle(wanted), iter(_in_turn(others, count))
        planned = [next(around) if index % 3 == 2 else next(in_focus) for index in range(count)]  # noqa: PLR2004
    else:
        planned = _in_turn(topics, count)
    return plan_of(planned, pack, start)


def _in_turn(topics: Sequence[Topic], count: int) -> list[str]:
    """Topics in order, again from the front, each as often as its weight.

    Smooth weighted round-robin, as load balancers do it: each turn every topic gains its weight, and the one with most
    pays the whole.
    """
    credit = dict.fromkeys((topic.id for topic in topics), 0.0)
    whole = sum(topic.weight for topic in topics)
    order = []
    for _ in range(count):
        for topic in topics:
            credit[topic.id] += topic.weight
        order.append(max(credit, key=credit.__getitem__))
        credit[order[-1]] -= whole
    return order


def plan_of(topics: Sequence[str], pack: Pack, start: Difficulty, made_by: str = "rules") -> InterviewPlan:
    """A plan of these topics, with the difficulty that belongs to it."""
    count = len(topics)
    return InterviewPlan(
        topics=tuple(topics),
        difficulty_curve=tuple(start if index < (count + 1) // 2 else harder(start) for index in range(count)),
        fundamentals=tuple(topic.id for topic in pack.topics if topic.fundamental),
        made_by=made_by,
    )


def next_topic(
    plan: InterviewPlan,
    covered: Sequence[str],
    *,
    reduced: bool,
    topic_scores: Mapping[str, Sequence[float]],
    avoid: Collection[str] = (),
) -> str:
    """The topic to ask about next.

    The first that is left of the plan; once the difficulty had to be reduced, fundamentals first. With nothing left,
    of those that were asked about least the one that went worst. Topics to avoid come only when there is no other.
    """
    left = [plan.topics[place] for place in places_left(plan, covered)]
    fitting = [topic for topic in left if topic not in avoid]
    if fitting:
        fundamentals = [topic for topic in fitting if topic in plan.fundamentals]
        return (fundamentals or fitting)[0] if reduced else fitting[0]
    averages = {topic: sum(scores) / len(scores) for topic, scores in topic_scores.items() if scores}
    often, order = Counter(covered), list(dict.fromkeys([*averages, *plan.topics]))
    again = sorted(order, key=lambda topic: (often[topic], averages.get(topic, math.inf)))
    return next((topic for topic in again if topic not in avoid), (left or again)[0])


def places_left(plan: InterviewPlan, covered: Sequence[str]) -> list[int]:
    """Places of the plan whose topic has not had its turn. A topic that is none of the plan's uses up nothing of it."""
    used, left = Counter(covered), []
    for place, topic in enumerate(plan.topics):
        if used[topic]:
            used[topic] -= 1
        else:
            left.append(place)
    return left


def planned_difficulty(plan: InterviewPlan, covered: Sequence[str], current: Difficulty) -> Difficulty:
    """What the plan says for the first of its places that is left; past its end, what is in force.

    So a topic that was asked for in between, off plan, brings nothing nearer.
    """
    return next((plan.difficulty_curve[place] for place in places_left(plan, covered)), current)


def harder(difficulty: Difficulty) -> Difficulty:
    """One step up, or the same at the top."""
    return shifted(difficulty, 1)


def easier(difficulty: Difficulty) -> Difficulty:
    """One step down, or the same at the bottom."""
    return shifted(difficulty, -1)


def shifted(difficulty: Difficulty, steps: int) -> Difficulty:
    """So many steps up, or down when negative, as far as there are any."""
    return DIFFICULTIES[min(max(DIFFICULTIES.index(difficulty) + steps, 0), len(DIFFICULTIES) - 1)]
