"""Which questions will probably be wanted soon, so that they can be searched for while the candidate talks."""

from __future__ import annotations

from graph.planning.plan import InterviewPlan
from rag.packs import Pack
from rag.retrieval import Request

TOPICS = 4
"""Topics ahead. More would be searched in vain: the difficulty may change by then."""
_CANDIDATES = 5


def prewarm_requests(plan: InterviewPlan, pack: Pack) -> list[Request]:
    """The searches for the next topics of a new plan, at their planned difficulty, each once."""
    titles = {topic.id: topic.title for topic in pack.topics}
    ahead = dict.fromkeys(zip(plan.topics[1:], plan.difficulty_curve[1:], strict=True))
    return [
        Request(pack=pack.id, topic=topic, topic_title=titles[topic], difficulty=difficulty, n=_CANDIDATES)
        for topic, difficulty in list(ahead)[:TOPICS]
    ]
