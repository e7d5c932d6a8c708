"""Profiles over HTTP: filled by interviews, corrected, and deleted with everything there is of a person."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from agent.http.app import make_app
from agent.http.text.sessions import Sessions
from agent.interviews.profiles import keep_outcome, keep_outcomes, opened_profiles
from agent.settings import Settings
from domain.events import InterviewEnded
from domain.person import Person
from review import RecordStore
from tests.agent.text_rig import GOOD, TextRig, begun
from tests.rag.profiles.samples import RESUME, outcome, proof

PROFILES = "/api/v1/profiles"
WORDS = "Bred zebra finches in Tromso."
TOKEN = "a-token-of-the-host"

pytestmark = pytest.mark.usefixtures("profiles_by_words")


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process whose models are scripted."""
    return TextRig(tmp_path)


def on_disk(folder: Path, words: str) -> list[str]:
    """Names of the files that hold some words."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if words.encode() in path.read_bytes()]


async def held(client: httpx.AsyncClient, **wishes: object) -> str:
    """An interview with one answer, that ended; its id."""
    session = await begun(client, **wishes)
    await session.say(GOOD)
    await session.post("/end")
    return session.id


def person(settings: Settings, user_id: str) -> Person | None:
    """What is kept of somebody."""
    with opened_profiles(settings) as profiles:
        return profiles.person(user_id)


async def test_an_interview_fills_the_profile_of_its_candidate(rig: TextRig) -> None:
    """Once, however often it is tried, by whichever process."""
    async with rig.serving() as client:
        interview_id = await held(client, candidate_name="Ada  EXAMPLE")
    store = RecordStore(rig.settings.record_path)
    assert not keep_outcome(rig.settings, store, interview_id)
    assert keep_outcomes(rig.settings, store) == 0
    store.close()
    ada = person(rig.settings, "ada-example")
    assert ada is not None
    assert (ada.achievement.interviews, ada.achievement.answers_scored, ada.profile.name) == (1, 1, "Ada  EXAMPLE")
    assert ada.achievement.score_overall is not None


async def test_an_interview_whose_process_died_is_counted_later(rig: TextRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tidying up finds it, once."""
    with monkeypatch.context() as patch:
        patch.setattr("agent.http.text.sessions.keep_outcome", lambda *_: False)
        async with rig.serving() as client:
            await held(client, candidate_name="Ada")
    assert person(rig.settings, "ada") is None
    async with rig.serving() as client:
        sessions: Sessions = client._transport.app.state.interview_api.sessions  # type: ignore[attr-defined]
        await sessions.tidy()
        await sessions.tidy()
    ada = person(rig.settings, "ada")
    assert ada is not None
    assert ada.achievement.interviews == 1


async def test_a_user_id_brings_interviews_together(rig: TextRig) -> None:
    """Whatever the interviewer calls the candidate; alone it is also what they are called."""
    async with rig.serving() as client:
        await held(client, candidate_name="Ada", user_id="ada.example")
        await held(client, candidate_name="Miss Example", user_id="Ada Example")
        session = await begun(client, candidate_name=None, user_id="Ada Example")
        await session.post("/end")
        listed = (await client.get("/api/interviews")).json()
    assert {each["user_id"] for each in listed} == {"ada-example"}
    assert listed[0]["candidate_name"] == "Ada Example"
    ada = person(rig.settings, "ada-example")
    assert ada is not None
    assert ada.achievement.interviews == 3


async def test_who_was_here_before_is_welcomed_back(rig: TextRig) -> None:
    """Not who has only a profile, and a profile that cannot be read keeps nobody from an interview."""
    with opened_profiles(rig.settings) as profiles:
        profiles.bring_in("grace", RESUME, at=1.0)

    async def greeting(client: httpx.AsyncClient, name: str) -> str:
        started = await client.post("/api/v1/interview/start", json={"candidate_name": name, "pack": "tea"})
        return str(started.json()["greeting"])

    async with rig.serving() as client:
        assert (await greeting(client, "Grace")).startswith("Hello Grace, I'm Viva.")
        await held(client, candidate_name="Ada")
    async with rig.serving() as client:
        assert (await greeting(client, "ADA")).startswith("Welcome back, ADA, I'm Viva.")
    for path in rig.data_dir.glob("profiles.sqlite*"):
        path.unlink()
    (rig.data_dir / "profiles.sqlite").write_text("nonsense " * 200)
    async with rig.serving() as client:
        assert (await greeting(client, "Ada")).startswith("Hello Ada, I'm Viva.")


async def test_an_interview_for_nobody_is_refused(rig: TextRig) -> None:
    """With what is to be sent."""
    async with rig.serving() as client:
        refused = await client.post("/api/v1/interview/start", json={"pack": "tea"})
    assert refused.status_code == 422
    assert "give candidate_name" in refused.json()["detail"]


async def test_a_deleted_person_leaves_nothing_on_the_disk(rig: TextRig) -> None:
    """Profile, vector, interviews with their documents and answers; what there is of others stays."""
    async with rig.serving() as client:
        for _ in range(2):
            await held(client, candidate_name="Ada Quill", resume=WORDS)
        await held(client, candidate_name="Grace")
    with opened_profiles(rig.settings) as profiles:
        profiles.bring_in("ada-quill", RESUME.model_copy(update={"name": "Ada Quill", "summary": WORDS}), at=1.0)
        profiles.count(outcome("spoken", proof("spoken", words="quokkas are marsupials"), user_id="ada-quill"))
    recording = rig.settings.interview_dir("other") / "piece.ogg"
    recording.parent.mkdir(parents=True)
    recording.write_text("kept")
    for words in (WORDS, "quokkas", "ada-quill", "Ada Quill"):
        assert on_disk(rig.data_dir, words), words

    async with rig.serving() as client:
        assert (await client.delete(f"{PROFILES}/Ada%20Quill")).status_code == 204
        assert (await client.delete(f"{PROFILES}/ada-quill")).status_code == 404
        assert (await client.get(f"{PROFILES}/ada-quill")).status_code == 404
        assert [each["candidate_name"] for each in (await client.get("/api/interviews")).json()] == ["Grace"]

    for words in (WORDS, "quokkas", "ada-quill", "Ada Quill"):
        assert on_disk(rig.data_dir, words) == [], words
    assert person(rig.settings, "grace") is not None
    assert recording.exists()


async def test_a_person_is_not_deleted_while_an_interview_of_theirs_goes_on(rig: TextRig) -> None:
    """It is refused whole, with what to do."""
    async with rig.serving() as client:
        over = await held(client, candidate_name="Ada")
        running = await begun(client, candidate_name="Ada")
        refused = await client.delete(f"{PROFILES}/ada")
        assert refused.status_code == 409
        assert refused.json()["type"].endswith("still-running")
        assert {each["id"] for each in (await client.get("/api/interviews")).json()} == {over, running.id}
        await running.post("/end")
        assert (await client.delete(f"{PROFILES}/ada")).status_code == 204


async def test_a_deleted_interview_takes_its_proofs_with_it(rig: TextRig) -> None:
    """And its part in the means; the person stays."""
    async with rig.serving() as client:
        interview_id = await held(client, candidate_name="Ada")
    async with rig.serving() as client:
        assert (await client.delete(f"/api/interviews/{interview_id}")).status_code == 204
        shown = (await client.get(f"{PROFILES}/ada")).json()
    assert (shown["achievement"]["interviews"], shown["evidence"]) == (0, [])


async def test_a_profile_that_cannot_be_changed_keeps_the_interview_listed(rig: TextRig) -> None:
    """Whoever deletes is told what failed, and can delete it again."""
    async with rig.serving() as client:
        interview_id = await held(client, candidate_name="Ada")
    for path in rig.data_dir.glob("profiles.sqlite*"):
        path.unlink()
    (rig.data_dir / "profiles.sqlite").write_text("nonsense " * 200)
    async with rig.serving() as client:
        refused = await client.delete(f"/api/interviews/{interview_id}")
        assert refused.status_code == 503
        assert "delete it again" in refused.json()["detail"]
        assert len((await client.get("/api/interviews")).json()) == 1
        failed = await client.get(PROFILES)
        assert (failed.status_code, "Move it away" in failed.json()["detail"]) == (503, True)


@pytest.fixture
def filled(tmp_path: Path) -> Settings:
    """Profiles of one person, with one proof."""
    settings = Settings(data_dir=tmp_path)
    with opened_profiles(settings) as profiles:
        profiles.bring_in("ada-example", RESUME, at=1.0)
        profiles.count(outcome("i", proof("i")))
    return settings


def test_a_profile_is_read_and_corrected(filled: Settings) -> None:
    """What is left out stays; nonsense changes nothing."""
    with TestClient(make_app(filled), client=("127.0.0.1", 1)) as web:
        assert [each["user_id"] for each in web.get(PROFILES).json()] == ["ada-example"]
        put = web.put(f"{PROFILES}/Ada Example", json={"skills": ["Rust"]})
        assert put.status_code == 200
        assert put.json()["profile"]["skills"] == ["Rust"]
        assert put.json()["edited"] == ["skills"]
        assert web.put(f"{PROFILES}/ada-example", json={"skill": ["Go"]}).status_code == 422
        assert web.put(f"{PROFILES}/ada-example", json={"years": -1}).status_code == 422
        assert web.put(f"{PROFILES}/grace", json={"years": 1}).status_code == 404
        shown = web.get(f"{PROFILES}/ada-example").json()
    assert shown["profile"]["skills"] == ["Rust"]
    assert shown["profile"]["domain"] == RESUME.domain
    assert shown["strengths"] == ["Caching"]


def test_a_proof_can_be_removed(filled: Settings) -> None:
    """By its number, once."""
    with TestClient(make_app(filled), client=("127.0.0.1", 1)) as web:
        (found,) = web.get(f"{PROFILES}/ada-example").json()["evidence"]
        address = f"{PROFILES}/ada-example/evidence/{found['id']}"
        assert web.delete(address).status_code == 204
        assert web.delete(address).status_code == 404
        assert web.get(f"{PROFILES}/ada-example").json()["strengths"] == []


@pytest.mark.parametrize(
    ("address", "host_token", "bearer", "status"),
    [
        ("127.0.0.1", "", "", 200),
        ("192.0.2.7", "", "", 403),
        ("127.0.0.1", TOKEN, "", 401),
        ("192.0.2.7", TOKEN, TOKEN, 200),
    ],
)
def test_only_the_host_sees_profiles(filled: Settings, address: str, host_token: str, bearer: str, status: int) -> None:
    """Each call asks, and a refused one changes nothing."""
    settings = filled.model_copy(update={"host_token": host_token})
    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    with TestClient(make_app(settings), client=(address, 1), headers=headers) as web:
        assert web.get(PROFILES).status_code == status
        assert web.get(f"{PROFILES}/ada-example").status_code == status
        assert web.put(f"{PROFILES}/ada-example", json={"domain": "x"}).status_code == status
        deleted = web.delete(f"{PROFILES}/ada-example").status_code
    assert deleted == (204 if status == 200 else status)
    assert (person(settings, "ada-example") is None) == (status == 200)


def test_an_interview_that_ended_twice_is_found_once(tmp_path: Path) -> None:
    """The record lists each ended interview once, and none that goes on."""
    store = RecordStore(tmp_path / "record.sqlite")
    for _ in range(2):
        store.append("over", InterviewEnded(at=2.0, reason="stopped"))
    assert store.ended() == ["over"]
    store.close()
