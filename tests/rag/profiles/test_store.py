"""The profile store: what is kept of people, by several processes at once, and what deletion leaves: nothing."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from domain.candidate import CandidateProfile
from domain.person import ProfileEdit
from rag.profiles.errors import ProfileError, UnknownPersonError
from rag.profiles.store import ProfileStore
from tests.rag.profiles.samples import RESUME, outcome, proof

ADA = "ada-example"


def test_what_was_brought_in_is_read_back(store: ProfileStore) -> None:
    """Whole, with the order of its lists, also by whoever opens the database later."""
    store.bring_in(ADA, RESUME, at=5.0)
    person = store.person(ADA)
    assert person is not None
    assert (person.profile, person.updated_at, person.edited) == (RESUME, 5.0, ())
    assert store.people() == [person]
    assert store.person("grace") is None


def test_a_correction_stays_when_another_resume_comes(store: ProfileStore) -> None:
    """What the candidate said of themselves wins, before and after."""
    store.bring_in(ADA, RESUME, at=1.0)
    edited = store.edit(ADA, ProfileEdit(skills=("Rust",), domain="Databases"), at=2.0)
    assert edited.profile.skills == ("Rust",)
    later = store.bring_in(ADA, CandidateProfile(name="Ada E.", skills=("Go",), domain="Games"), at=3.0)
    assert (later.profile.skills, later.profile.domain, later.profile.name) == (("Rust",), "Databases", "Ada E.")
    assert set(later.edited) == {"skills", "domain"}
    with pytest.raises(UnknownPersonError):
        store.edit("grace", ProfileEdit(domain="x"), at=2.0)


def test_an_interview_is_counted_once(store: ProfileStore) -> None:
    """Whoever tries again after a crash adds nothing, and says so."""
    assert store.count(outcome("i", proof("i")))
    once = store.person(ADA)
    assert not store.count(outcome("i", proof("i")))
    assert store.person(ADA) == once
    assert once is not None
    assert (once.strengths, once.achievement.interviews, len(once.evidence)) == (("Caching",), 1, 1)
    assert store.settled() == {"i"}


def test_strengths_are_those_of_the_resume_and_then_those_shown(store: ProfileStore) -> None:
    """Each once, and a proof that is removed takes its strength with it, and no mean."""
    store.bring_in(ADA, RESUME.model_copy(update={"strengths": ("Mentoring", "caching")}), at=1.0)
    store.count(outcome("i", proof("i"), proof("i", subject="Queues")))
    person = store.person(ADA)
    assert person is not None
    assert person.strengths == ("Mentoring", "caching", "Queues")
    queues = next(each for each in person.evidence if each.subject == "Queues")
    assert store.remove_evidence(ADA, queues.id, at=9.0)
    assert not store.remove_evidence(ADA, queues.id, at=9.0)
    after = store.person(ADA)
    assert after is not None
    assert (after.strengths, after.achievement) == (("Mentoring", "caching"), person.achievement)


def test_nobody_removes_the_proof_of_another(store: ProfileStore) -> None:
    """A proof is found by its person and its number."""
    store.count(outcome("i", proof("i")))
    store.count(outcome("g", user_id="grace"))
    person = store.person(ADA)
    assert person is not None
    assert not store.remove_evidence("grace", person.evidence[0].id, at=1.0)


def test_a_deleted_interview_takes_its_part_with_it(store: ProfileStore) -> None:
    """Its proofs and its part in the means go, those of others stay, and it is not counted when it comes late."""
    store.count(outcome("i", proof("i"), each=2.0))
    store.count(outcome("ii", proof("ii", subject="Queues"), each=8.0 - 3.0))
    store.forget_interview("i", at=9.0)
    store.forget_interview("never-counted", at=9.0)
    person = store.person(ADA)
    assert person is not None
    assert (person.strengths, person.achievement.technical_accuracy) == (("Queues",), 5.0)
    assert not store.count(outcome("i", proof("i")))
    assert not store.count(outcome("never-counted"))
    store.forget_interview("i", at=10.0)


def test_a_deleted_person_is_gone(store: ProfileStore) -> None:
    """With all their rows; an interview of theirs that is counted late does not bring them back; others stay."""
    store.bring_in(ADA, RESUME, at=1.0)
    store.count(outcome("i", proof("i")))
    store.count(outcome("g", user_id="grace"))
    assert store.delete(ADA)
    assert not store.delete(ADA)
    assert store.person(ADA) is None
    assert [each.user_id for each in store.people()] == ["grace"]
    assert not store.count(outcome("i", proof("i")))


def test_whoever_listens_is_told_of_each_change(where: str | Path) -> None:
    """After it was kept, so that they can read it; also of a deletion that found nothing."""
    told: list[tuple[str, bool]] = []
    store = ProfileStore(where, changed=lambda user_id: told.append((user_id, store.person(user_id) is not None)))
    store.bring_in(ADA, RESUME, at=1.0)
    store.count(outcome("i", proof("i")))
    store.count(outcome("i"))
    store.forget_interview("i", at=1.0)
    store.delete(ADA)
    store.delete(ADA)
    assert told == [(ADA, True)] * 3 + [(ADA, False)] * 2
    store.close()


def test_no_deleted_word_stays_in_the_file(tmp_path: Path) -> None:
    """Neither in the tables nor in the log beside them."""
    store = ProfileStore(tmp_path / "profiles.sqlite")
    store.bring_in(ADA, RESUME.model_copy(update={"summary": "Bred zebra finches."}), at=1.0)
    store.count(outcome("i", proof("i", words="quokkas are marsupials")))
    store.count(outcome("g", user_id="grace"))

    def holds(words: bytes) -> bool:
        return any(words in path.read_bytes() for path in tmp_path.iterdir())

    assert holds(b"zebra finches")
    assert holds(b"quokkas")
    store.forget_interview("i", at=2.0)
    assert not holds(b"quokkas")
    store.delete(ADA)
    assert not holds(b"zebra finches")
    assert not holds(b"ada-example")
    store.close()


def test_writers_at_once_lose_nothing(store: ProfileStore) -> None:
    """Every interview of threads that count at the same time is in the means, each once."""
    threads = [
        threading.Thread(target=lambda first=first: [store.count(outcome(f"i{n}")) for n in range(first, 12)])
        for first in (0, 0, 6)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    person = store.person(ADA)
    assert person is not None
    assert (person.achievement.interviews, person.achievement.answers_scored) == (12, 24)


COUNTING = """
import sys
from pathlib import Path
from rag.profiles.store import ProfileStore
from tests.rag.profiles.samples import outcome
where = sys.argv[1]
store = ProfileStore(where if where.startswith("postgres") else Path(where))
print(sum(store.count(outcome(f"i{n}")) for n in range(20)))
"""


@pytest.mark.slow
def test_processes_that_open_and_count_at_once_agree(where: str | Path) -> None:
    """Worker and web process may both be the first to open a new database, and both count what was left."""
    root = Path(__file__).resolve().parents[3]
    running = [
        subprocess.Popen([sys.executable, "-c", COUNTING, str(where)], cwd=root, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    counted = [int(each.communicate(timeout=120)[0]) for each in running]
    assert sum(counted) == 20
    store = ProfileStore(where)
    person = store.person(ADA)
    assert person is not None
    assert person.achievement.interviews == 20
    store.close()


KILLED = """
import os, signal, sys
from pathlib import Path
import rag.profiles.store as store
from tests.rag.profiles.samples import outcome, proof
store._derive = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
where = sys.argv[1]
store.ProfileStore(where if where.startswith("postgres") else Path(where)).count(outcome("i", proof("i")))
"""


@pytest.mark.slow
def test_a_process_that_is_killed_in_mid_count_leaves_nothing(where: str | Path) -> None:
    """Whoever looks next finds the interview uncounted, and counts it once."""
    root = Path(__file__).resolve().parents[3]
    ProfileStore(where).close()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(where)], cwd=root, check=False, timeout=120)
    assert killed.returncode == -signal.SIGKILL
    store = ProfileStore(where)
    assert (store.settled(), store.people()) == (set(), [])
    assert store.count(outcome("i", proof("i")))
    assert not store.count(outcome("i", proof("i")))
    store.close()


def test_a_count_that_fails_leaves_nothing(store: ProfileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tries again counts it whole."""
    with monkeypatch.context() as patch:

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("killed")

        patch.setattr("rag.profiles.store._derive", fail)
        with pytest.raises(RuntimeError):
            store.count(outcome("i", proof("i")))
    assert store.settled() == set()
    assert store.people() == []
    assert store.count(outcome("i", proof("i")))


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A file that is no database."""
    path = tmp_path / "profiles.sqlite"
    path.write_text("nonsense " * 200)
    return path


def test_a_file_that_is_no_database_is_said(damaged: Path) -> None:
    """With what to do about it."""
    with pytest.raises(ProfileError, match="Move it away"):
        ProfileStore(damaged)


def test_a_database_that_is_held_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while, and what was wanted is not half done."""
    monkeypatch.setattr("rag.profiles.database._BUSY_TIMEOUT_S", 0.05)
    store = ProfileStore(tmp_path / "profiles.sqlite")
    holder = sqlite3.connect(tmp_path / "profiles.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(ProfileError, match="locked"):
        store.count(outcome("i"))
    holder.execute("ROLLBACK")
    assert store.count(outcome("i"))
    holder.close()
    store.close()


def test_an_error_quotes_nobody(tmp_path: Path) -> None:
    """What fails is said without the words that were to be written."""
    store = ProfileStore(tmp_path / "profiles.sqlite")
    file = sqlite3.connect(tmp_path / "profiles.sqlite")
    file.execute("DROP TABLE evidence")
    file.commit()
    file.close()
    with pytest.raises(ProfileError) as raised:
        store.count(outcome("i", proof("i", words="quokkas")))
    assert "quokkas" not in str(raised.value)
    store.close()
