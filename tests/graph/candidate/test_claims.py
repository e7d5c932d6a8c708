"""What a résumé claims of its writer, under headings of that name and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.candidate.claims import MOST_CLAIMS, MOST_WORDS, claims
from graph.candidate.lines import Line
from graph.candidate.profile import read_profile

RESUME = """Nadia Example
Backend engineer

Experience
Contoso, Engineer, 2019 - 2022
- Led a team of four

Strengths
- Explains hard things in plain words
- Python and PostgreSQL

Areas for improvement
I tend to say yes to too much, and I am learning to plan less.

Interests
Chess, trail running and old maps

Skills
Kafka, Docker
"""


def test_strengths_weaknesses_and_traits_are_what_stands_under_their_headings() -> None:
    """Word for word; a list is taken apart, a sentence is not."""
    profile = read_profile(RESUME)
    assert profile.strengths == ("Explains hard things in plain words", "Python and PostgreSQL")
    assert profile.weaknesses == ("I tend to say yes to too much, and I am learning to plan less",)
    assert profile.traits == ("Chess", "trail running", "old maps")
    for claim in (*profile.strengths, *profile.weaknesses, *profile.traits):
        assert claim in RESUME


def test_a_skill_that_is_called_a_strength_is_a_skill_as_well() -> None:
    """As far as the lexicon knows it; nobody loses a skill to a heading."""
    assert {"Python", "PostgreSQL", "Apache Kafka", "Docker"} <= set(read_profile(RESUME).skills)
    assert "Explains hard things in plain words" not in read_profile(RESUME).skills


def test_nothing_is_concluded_from_what_somebody_did() -> None:
    """Who led a team has not claimed to be a leader."""
    profile = read_profile(RESUME.partition("Strengths")[0])
    assert (profile.strengths, profile.weaknesses, profile.traits) == ((), (), ())


@pytest.mark.parametrize("heading", ["WEAKNESSES", "Development areas", "Areas of growth"])
def test_headings_of_the_same_meaning_are_known(heading: str) -> None:
    """In several spellings."""
    assert read_profile(f"Ada Example\n\nSkills\nGo\n\n{heading}\n- Delegating\n").weaknesses == ("Delegating",)


@given(st.lists(st.text(alphabet="ab, ;.|and", max_size=300), max_size=20))
def test_any_lines_give_few_short_claims(lines: list[str]) -> None:
    """Each once, whatever stands there."""
    found = claims([Line(text) for text in lines])
    assert len(found) <= MOST_CLAIMS
    assert len({claim.casefold() for claim in found}) == len(found)
    assert all(0 < len(claim.split()) <= MOST_WORDS for claim in found)
