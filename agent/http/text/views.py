"""What the record and the graph know of a session, in the shape in which clients get it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.http.text.schemas import ProgressOut, Reply, SessionState, TurnResponse
from agent.http.text.snapshot import Facts, Said
from domain.vocabulary import SpeechKind

if TYPE_CHECKING:
    from domain.progress import Progress


def session_state(facts: Facts, progress: ProgressOut) -> SessionState:
    """How a session stands, as far as the record knows."""
    return SessionState(
        session_id=facts.session_id,
        status="ended" if facts.ended else "open",
        candidate_name=facts.created.candidate_name,
        pack=facts.created.pack,
        feedback=facts.created.feedback,
        time=facts.created.time,
        turn=facts.turn,
        progress=progress,
        question=None,
        continue_interview=facts.ended is None,
        end_reason=facts.ended.reason if facts.ended else None,
        waits_for_review=False,
        needs_resume=False,
        answer_under_way=False,
    )


def final_progress(facts: Facts) -> ProgressOut:
    """How far an interview came that is over."""
    elapsed_s = facts.last_at - facts.started_at
    return ProgressOut(
        questions_completed=facts.questions_done,
        target_questions=facts.target_questions,
        time_elapsed_minutes=round(elapsed_s / 60, 1),
        time_remaining_minutes=round(max(0.0, facts.created.minutes - elapsed_s / 60), 1),
    )


def last_words(facts: Facts) -> TurnResponse:
    """What came of the last turn of an interview that is over, for a client that missed it."""
    return TurnResponse(
        session_id=facts.session_id,
        turn=facts.turn,
        feedback=spoken(facts.said, "feedback"),
        replies=replies(facts.said),
        next_question=None,
        progress=final_progress(facts),
        continue_interview=False,
        end_reason=facts.ended.reason if facts.ended else None,
    )


def spoken(said: Sequence[Said], kind: SpeechKind) -> str:
    """All that was said of one kind."""
    return " ".join(each.text for each in said if each.kind == kind)


def replies(said: Sequence[Said]) -> list[Reply]:
    """What was said besides feedback and questions."""
    return [Reply(kind=each.kind, text=each.text) for each in said if each.kind not in ("feedback", "question")]


def progress_out(progress: Progress) -> ProgressOut:
    """Progress in minutes."""
    return ProgressOut(
        questions_completed=progress.questions_done,
        target_questions=progress.target_questions,
        time_elapsed_minutes=round(progress.elapsed_s / 60, 1),
        time_remaining_minutes=round(max(0.0, progress.remaining_s) / 60, 1),
    )
