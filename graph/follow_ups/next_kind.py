"""Next kind: what follows the answer of this turn, by the policy of follow-ups and the state of the interview."""

from __future__ import annotations

from domain.vocabulary import QuestionKind
from graph.context import InterviewContext
from graph.feedback.given_away import told_so_far
from graph.follow_ups.policy import MAX_FOLLOW_UPS, MAX_FOLLOW_UPS_ON_RESUME, next_kind
from graph.follow_ups.wording import still_open
from graph.judging.panel import says_nothing_more
from graph.planning.requested_question import read_wish
from graph.planning.wished_topic import wished_topic
from graph.selectors import remaining_s
from graph.state import InterviewState


def kind_after(state: InterviewState, context: InterviewContext) -> QuestionKind:
    """Stay with the question that was answered, or another one. Whoever asks within a turn gets the same reply."""
    evaluation, asked = state.get("current_evaluation"), state.get("current_question")
    wished, told = wished_topic(state, context), told_so_far(state, context)
    return next_kind(
        evaluation,
        follow_ups=state.get("follow_up_count", 0),
        remaining_s=remaining_s(state, context),
        wants_another=read_wish(state.get("active_user_request"), state["difficulty_level"]).another
        or (wished is not None and not wished.why_not),
        knows=not (evaluation and asked and says_nothing_more(asked, state["answer"].words)),
        askable=bool(evaluation and asked and still_open(evaluation, asked, told)),
        corrected=told,
        most=MAX_FOLLOW_UPS_ON_RESUME if asked and asked.source == "resume" else MAX_FOLLOW_UPS,
    )
