"""What becomes of a profile when something is added."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.candidate import CandidateProfile, CandidateProject
from domain.person import Achievement
from rag.profiles.merging import achieved, corrected, imported_again, shown, union
from tests.rag.profiles.samples import RESUME, outcome, proof

NAMES = st.lists(st.text(max_size=6), max_size=6)


@given(NAMES, NAMES)
def test_a_union_keeps_the_order_and_each_name_once(one: list[str], other: list[str]) -> None:
    """What is known stays in its place, what is new follows, and doing it again changes nothing."""
    together = union(one, other)
    assert together[: len(union(one))] == union(one)
    assert len({name.casefold() for name in together}) == len(together)
    assert union(together, one, other) == together


def test_a_name_is_the_same_in_any_case() -> None:
    """It stays as it was first written."""
    assert union(["PostgreSQL"], [" postgresql ", "Go", ""]) == ("PostgreSQL", "Go")


def test_a_later_resume_adds_names_and_replaces_what_it_tells() -> None:
    """What it is silent about stays."""
    later = CandidateProfile(skills=("Go", "python"), projects=(CandidateProject(name="Ledger"),))
    merged = imported_again(RESUME, later)
    assert merged.skills == ("Python", "PostgreSQL", "Go")
    assert [project.name for project in merged.projects] == ["Ledger"]
    assert (merged.domain, merged.education, merged.years) == (RESUME.domain, RESUME.education, 4)


def test_no_years_of_experience_are_an_account_of_them() -> None:
    """Zero is what a résumé says, and not that it says nothing."""
    assert imported_again(RESUME, CandidateProfile(years=0)).years == 0


def test_a_correction_wins_over_every_resume() -> None:
    """The fields that were not corrected follow the résumé."""
    profile = corrected(imported_again(RESUME, CandidateProfile(skills=("Go",))), {"skills": ["Rust"]})
    assert profile.skills == ("Rust",)
    assert profile.domain == RESUME.domain


def test_the_latest_interview_decides_what_a_topic_is() -> None:
    """Whoever was weak in something and is strong in it now is strong in it."""
    before, after = proof("i", "weakness"), proof("ii", "strength")
    other = proof("i", "weakness", "Queues")
    assert shown([before, other], "weakness") == ("Caching", "Queues")
    assert shown([after, before, other], "weakness") == ("Queues",)
    assert shown([after, before, other], "strength") == ("Caching",)


def test_means_count_answers_and_not_interviews() -> None:
    """An interview with more answers weighs more, and one without judged answers nothing."""
    done = achieved([outcome("a", scored=1, each=4.0), outcome("b", scored=3, each=8.0), outcome("c", scored=0)])
    assert done.technical_accuracy == pytest.approx(7.0)
    assert done.reasoning_depth == pytest.approx(4.0)
    assert done.score_overall == pytest.approx((7 + 4 + 10) / 3)
    assert (done.interviews, done.answers_scored, done.question_attempted) == (3, 4, 7)


def test_nothing_judged_is_no_score() -> None:
    """Which is not the same as zero."""
    assert achieved([outcome("c", scored=0)]) == Achievement(question_attempted=1, interviews=1)
