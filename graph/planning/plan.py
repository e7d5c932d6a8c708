"""The plan of an interview: which topics, how hard each begins, and how many questions there is time for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from rag.packs import DIFFICULTIES, Difficulty, Pack


class InterviewPlan(BaseModel):
    """Topics in order, one difficulty for each of them. Follow-ups are not part of it and do not use it up."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topics: tuple[str, ...]
    difficulty_curve: tuple[Difficulty, ...]
    """As long as `topics`; indexed by topic, never by question."""
    fundamentals: tuple[str, ...]


def target_questions(minutes: int) -> int:
    """Questions that fit a time budget, follow-ups not counted: one for every four minutes, from 5 to 12."""
    return max(5, min(12, minutes // 4))


def make_plan(pack: Pack, minutes: int, start: Difficulty) -> InterviewPlan:
    """The rule-based plan: the pack's topics in order, again from the front when there are fewer than questions.

    The first half begins at the asked-for difficulty, the second half one step higher.
    """
    count = target_questions(minutes)
    topics = [topic.id for topic in pack.topics]
    return InterviewPlan(
        topics=tuple(topics[index % len(topics)] for index in range(count)),
        difficulty_curve=tuple(start if index < (count + 1) // 2 else harder(start) for index in range(count)),
        fundamentals=tuple(topic.id for topic in pack.topics if topic.fundamental),
    )


def next_topic(
    plan: InterviewPlan, covered: Sequence[str], *, reduced: bool, topic_scores: Mapping[str, Sequence[float]]
) -> str:
    """The topic to ask about next.

    The first that is left of the plan; once the difficulty had to be reduced, fundamentals first. With nothing left,
    the topic that went worst.
    """
    used = Counter(covered)
    left: list[str] = []
    for topic in plan.topics:
        if used[topic]:
            used[topic] -= 1
        else:
            left.append(topic)
    if left:
        fundamentals = [topic for topic in left if topic in plan.fundamentals]
        return (fundamentals or left)[0] if reduced else left[0]
    averages = {topic: sum(scores) / len(scores) for topic, scores in topic_scores.items() if scores}
    return min(averages, key=averages.__getitem__) if averages else plan.topics[0]


def planned_difficulty(plan: InterviewPlan, topic_index: int, current: Difficulty) -> Difficulty:
    """What the plan says for the topic at this index; past its end, what is in force."""
    return plan.difficulty_curve[topic_index] if topic_index < len(plan.difficulty_curve) else current


def harder(difficulty: Difficulty) -> Difficulty:
    """One step up, or the same at the top."""
    return DIFFICULTIES[min(DIFFICULTIES.index(difficulty) + 1, len(DIFFICULTIES) - 1)]


def easier(difficulty: Difficulty) -> Difficulty:
    """One step down, or the same at the bottom."""
    return DIFFICULTIES[max(DIFFICULTIES.index(difficulty) - 1, 0)]
