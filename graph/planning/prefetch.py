"""Prefetch: which questions will probably be wanted soon, to be searched for while the candidate talks."""

from __future__ import annotations

from domain.vocabulary import Difficulty
from graph.planning.plan import InterviewPlan
from rag.packs.pack import Pack
from rag.retrieval.graph import RetrievalRequest

TOPICS = 4
"""Topics ahead. More would be searched in vain: the difficulty may change by then."""
_CANDIDATES = 5


def prewarm_requests(plan: InterviewPlan, pack: Pack) -> list[RetrievalRequest]:
    """The searches for the next topics of a new plan, at their planned difficulty, each once."""
    ahead = dict.fromkeys(zip(plan.topics[1:], plan.difficulty_curve[1:], strict=True))
    return [prewarm_request(pack, topic, difficulty) for topic, difficulty in list(ahead)[:TOPICS]]


def prewarm_request(pack: Pack, topic: str, difficulty: Difficulty) -> RetrievalRequest:
    """The search for a topic, in the words in which it will be searched for when its turn has come."""
    title = next(each.title for each in pack.topics if each.id == topic)
    return RetrievalRequest(pack=pack.id, topic=topic, topic_title=title, difficulty=difficulty, n=_CANDIDATES)
