"""Profile of a candidate, from the text of a résumé."""

from __future__ import annotations

from domain.candidate import CandidateProfile


def profile_of(resume_text: str) -> CandidateProfile | None:  # noqa: ARG001 - nothing here reads texts
    """What a résumé says, or None where nothing can be made of its text.

    Viva reads no texts into profiles: who drives an interview hands one over with its set-up.
    """
    return None
