"""One vector a person, in a Chroma folder of their own."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from domain.person import Person
from rag.profiles.errors import ProfileError
from rag.profiles.vectors import ProfileVectors, summary_of
from tests.rag.fakes import HashedWords
from tests.rag.profiles.samples import RESUME

ADA = Person(user_id="ada-example", profile=RESUME, strengths=("Caching",), updated_at=7.0)


@pytest.fixture
def vectors(tmp_path: Path) -> ProfileVectors:
    """No vectors yet, and an embedder without a model."""
    return ProfileVectors(tmp_path / "vectors", HashedWords)


def test_a_person_has_one_vector_of_their_summary(vectors: ProfileVectors) -> None:
    """With canonical metadata, under an id that says whose it is."""
    vectors.refresh(ADA.user_id, lambda _: ADA)
    found = vectors.get(ADA.user_id)
    assert found is not None
    assert found.id == "profile_ada-example"
    assert np.allclose(found.embedding, HashedWords().embed([RESUME.summary])[0], atol=1e-6)
    assert found.metadata == {
        "user_id": "ada-example",
        "domain": "Backend development",
        "skills": "Python, PostgreSQL",
        "categories": "Programming languages, Databases",
        "strengths": "Caching",
        "weaknesses": "",
        "user_summary": "Builds services for Contoso.",
        "updated_at": 7.0,
    }


def test_a_change_replaces_the_vector(vectors: ProfileVectors, tmp_path: Path) -> None:
    """Nothing of what it said before is left on the disk, and there is still one."""
    before = ADA.model_copy(update={"profile": RESUME.model_copy(update={"summary": "Bred zebra finches."})})
    vectors.refresh(ADA.user_id, lambda _: before)
    vectors.refresh(ADA.user_id, lambda _: ADA)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"zebra finches" in path.read_bytes() for path in files)
    assert len([path for path in (tmp_path / "vectors").iterdir() if path.is_dir()]) == 1


def test_whoever_is_gone_has_no_vector(vectors: ProfileVectors, tmp_path: Path) -> None:
    """Neither words nor id are left, and the vectors of others are."""
    grace = ADA.model_copy(update={"user_id": "grace"})
    for each in (ADA, grace):
        vectors.refresh(each.user_id, lambda _, each=each: each)
    vectors.refresh(ADA.user_id, lambda _: None)
    assert vectors.get(ADA.user_id) is None
    assert vectors.get("grace") is not None
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"ada-example" in path.read_bytes() for path in files)
    vectors.refresh(ADA.user_id, lambda _: None)


def test_no_memory_of_the_process_gets_to_the_disk(vectors: ProfileVectors, tmp_path: Path) -> None:
    """Chroma writes its index as the allocator gave it: somebody else's answer must not be in it."""
    secret = "quokkas are marsupials " * 4
    for _ in range(3):
        kept = [(secret * (size // len(secret) + 1)).encode() for size in range(1000, 2_000_000, 20_000)]
        del kept
        vectors.refresh(ADA.user_id, lambda _: ADA)
        assert vectors.get(ADA.user_id) is not None
    indexes = list(tmp_path.rglob("data_level0.bin"))
    assert indexes
    assert all(set(path.read_bytes()) <= {0} for path in tmp_path.rglob("*.bin") if path.name != "header.bin")


def test_the_last_to_look_has_the_last_word(vectors: ProfileVectors) -> None:
    """Threads that refresh at once leave one whole vector, of what was known last."""
    threads = [threading.Thread(target=vectors.refresh, args=(ADA.user_id, lambda _: ADA)) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert vectors.get(ADA.user_id) is not None


def test_what_a_killed_process_left_is_cleared_away(vectors: ProfileVectors, tmp_path: Path) -> None:
    """A half-made folder neither counts nor stays."""
    (tmp_path / "vectors" / "new-1234").mkdir(parents=True)
    vectors.refresh(ADA.user_id, lambda _: ADA)
    assert not list((tmp_path / "vectors").glob("new-*"))


def test_without_a_summary_something_else_is_embedded() -> None:
    """A vector of nothing is near to nobody."""
    bare = ADA.model_copy(update={"profile": RESUME.model_copy(update={"summary": ""})})
    assert summary_of(bare) == "Backend development. Python, PostgreSQL. Caching"
    nothing = Person(user_id="ada", profile=RESUME.model_validate({}), updated_at=1.0)
    assert summary_of(nothing) == "ada"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """With what to do about it."""
    (tmp_path / "file").write_text("")
    vectors = ProfileVectors(tmp_path / "file", HashedWords)
    with pytest.raises(ProfileError, match="Make the folder writable"):
        vectors.refresh("ada", lambda _: ADA)
