"""Judge the answer, out of the candidate's sight."""

from __future__ import annotations

from langgraph.runtime import Runtime

from domain.events import AnswerJudged
from domain.verdict import Evaluation
from graph.context import InterviewContext
from graph.dialogue.policy import Answered
from graph.feedback.doubtful import without_the_doubtful
from graph.node import Update
from graph.selectors import judged_question
from graph.state import InterviewState


async def evaluate(state: InterviewState, runtime: Runtime[InterviewContext]) -> Update:
    """Verdicts and scores for the words of this turn that are an answer."""
    answer, corrected = state["answer"], state.get("correcting")
    question = judged_question(state)
    hints = corrected.hints if corrected else state.get("hints_given", 0)
    judged = await runtime.context.judges.evaluate(question, answer.words, turn=state["turn"], hints=hints)
    # A correction that nobody could judge takes no score away.
    replaces = corrected.turn if corrected and judged.scores else None
    evaluation = without_the_doubtful(judged, question.targets).model_copy(
        update={"turn": state["turn"], "spans": answer.spans, "replaces_turn": replaces, "hints": hints}
    )
    runtime.context.emit(AnswerJudged(at=runtime.context.clock(), **dict(evaluation)))
    return {
        "current_evaluation": evaluation,
        "needs_human_review": bool(why_review(evaluation)),
        "last_answered": corrected
        if corrected and not replaces
        else Answered(question=question, turn=state["turn"], hints=hints, said=answer),
    }


def why_review(evaluation: Evaluation) -> str:
    """Why a person should look at a judgement, as a sentence; empty when nobody needs to."""
    if evaluation.fallback:
        return "The model judge failed, and the built-in judge took over."
    if evaluation.scores is None and not evaluation.asked_back:
        return f"The answer could not be judged: {evaluation.not_scored}"
    if evaluation.drift:
        return "The model judge and the built-in judge differ on more than half of the key points."
    return ""
