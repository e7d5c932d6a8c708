"""Wished topic: what a wish of whoever watches comes to, and why it cannot be honoured. Pure rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.question import Question
from domain.topic_wish import TopicWish
from graph.context import InterviewContext
from graph.exploration.anchors import Anchor
from graph.exploration.policy import anchor_named, is_talked_out
from graph.planning.supervision import MINUTES_OVER
from graph.selectors import remaining_s, resume_anchors
from graph.state import InterviewState

_OWN = frozenset({"technical_assessment", "about_resume"})


@dataclass(frozen=True, slots=True)
class WishedTopic:
    """A wish for a topic, held against what there is."""

    wish: TopicWish
    topic: str = ""
    """Id of the topic of the pack, or of the anchor; empty when there is none."""
    anchor: Anchor | None = None
    """Of the résumé, where it is about that."""
    why_not: str = ""
    """Why nothing more can be asked about it, as a sentence; empty when something can."""

    def is_asked_by(self, question: Question | None) -> bool:
        """True when this question is about it."""
        return bool(self.topic) and question is not None and question.topic == self.topic

    @property
    def why_not_asked(self) -> str:
        """Why another question was asked."""
        return (
            self.why_not or "No question about it was good enough to be asked: new, and within the time that is left."
        )


def wished_topic(state: InterviewState, context: InterviewContext) -> WishedTopic | None:
    """What the next question should be about by the wish of whoever watches.

    None without a wish, and where the candidate has a wish of their own: then it waits.
    """
    wish = state.get("topic_wish")
    if wish is None or _has_own_wish(state):
        return None
    if any(topic.id == wish.topic for topic in context.pack.topics):
        return _of_pack(wish, state, context)
    anchor = _anchor(wish, resume_anchors(state))
    if anchor is None:
        return WishedTopic(wish, why_not="There is no such topic in the pack, and nothing like it in the résumé.")
    asked = [(each.anchor or "", each.aspect or "") for each in state.get("questions_asked", [])]
    if is_talked_out(anchor, asked):
        return WishedTopic(wish, anchor.id, anchor, why_not="Everything about it was asked.")
    return WishedTopic(wish, anchor.id, anchor)


def _of_pack(wish: TopicWish, state: InterviewState, context: InterviewContext) -> WishedTopic:
    left = [each for each in context.unasked(state.get("conversation_thread", [])) if each.topic == wish.topic]
    if not left:
        return WishedTopic(wish, wish.topic, why_not="Every question about it was asked.")
    most = remaining_s(state, context) / 60 + MINUTES_OVER
    if min(each.minutes for each in left) > most:
        return WishedTopic(wish, wish.topic, why_not="No question about it fits the time that is left.")
    return WishedTopic(wish, wish.topic)


def _anchor(wish: TopicWish, anchors: Sequence[Anchor]) -> Anchor | None:
    """By its id where it is the same thing; a model may have read the résumé in another order."""
    exact = next((each for each in anchors if (each.id, each.title) == (wish.topic, wish.title)), None)
    return exact or anchor_named(wish.title, anchors)


def _has_own_wish(state: InterviewState) -> bool:
    request = state.get("active_user_request")
    if request is None:
        return False
    return request.intent in _OWN or (request.intent == "change_topic" and bool(request.detail))
