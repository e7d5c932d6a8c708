"""Who somebody is across interviews: an id that follows from their name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.events import InterviewCreated
from domain.person import LONGEST_USER_ID, ProfileEdit, user_id_of

NAMES = st.text(min_size=1, max_size=120)


@pytest.mark.parametrize(
    ("name", "user_id"),
    [
        ("Ada Lovelace", "ada-lovelace"),
        ("  ADA \t lovelace ", "ada-lovelace"),
        ("ada-lovelace", "ada-lovelace"),
        ("Rene\N{COMBINING ACUTE ACCENT}", "ren\N{LATIN SMALL LETTER E WITH ACUTE}"),
        ("O'Neil, Jr.", "o-neil-jr"),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_spellings_of_a_name_are_one_person(name: str, user_id: str) -> None:
    """Case, blanks, signs and the way an accent is written make no difference."""
    assert user_id_of(name) == user_id


@given(NAMES)
def test_an_id_of_an_id_is_itself(name: str) -> None:
    """Whoever sends the id back means the same person."""
    user_id = user_id_of(name)
    assert user_id_of(user_id) == user_id
    assert 0 < len(user_id) <= LONGEST_USER_ID


def test_names_without_letters_are_people_too() -> None:
    """They are told apart, and none is without an id."""
    assert user_id_of("\N{GRINNING FACE}") != user_id_of("\N{ROCKET}")
    assert user_id_of("!!!").startswith("name-")


def test_an_old_record_is_of_whoever_bears_its_name() -> None:
    """Interviews from before there were ids belong to somebody as well."""
    given = {"at": 1.0, "candidate_name": "Ada  L.", "pack": "tea", "pack_title": "Tea", "minutes": 5}
    old = InterviewCreated.model_validate({**given, "feedback": "coach", "room": "r"})
    assert old.whose == "ada-l"
    assert old.model_copy(update={"user_id": "grace"}).whose == "grace"


def test_an_edit_holds_only_what_was_said() -> None:
    """What is left out is no wish; only the years can be taken back."""
    assert ProfileEdit.model_validate({"skills": ["Go"], "domain": None, "years": None}).changes() == {
        "skills": ["Go"],
        "years": None,
    }
