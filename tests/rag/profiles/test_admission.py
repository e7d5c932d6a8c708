"""New or known: what is asked of whoever begins an interview."""

from __future__ import annotations

from domain.candidate import CandidateProfile
from domain.person import Achievement, Person
from rag.profiles.admission import Admission, admitted
from tests.rag.profiles.samples import RESUME

KNOWN = Person(user_id="ada", profile=RESUME, achievement=Achievement(interviews=2), updated_at=1.0)


def test_somebody_new_is_asked_for_everything() -> None:
    """In the order in which it is asked."""
    assert admitted(None) == Admission(known=False, interviews=0, to_ask=("domain", "resume"))
    assert admitted(None, brings_resume=True).to_ask == ("domain",)


def test_somebody_known_is_not_asked_again() -> None:
    """Neither for their field nor for a résumé."""
    assert admitted(KNOWN) == Admission(known=True, interviews=2, to_ask=())


def test_what_is_not_known_of_somebody_is_asked() -> None:
    """Who only held an interview has no résumé here."""
    bare = KNOWN.model_copy(update={"profile": CandidateProfile(name="Ada")})
    assert admitted(bare).to_ask == ("domain", "resume")
    assert admitted(bare).known
    field = KNOWN.model_copy(update={"profile": CandidateProfile(domain="Games")})
    assert admitted(field).to_ask == ("resume",)
