"""A new candidate with a résumé, over HTTP: from the file to questions about it, metrics, the profile, and deletion."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from domain.events import QuestionSelected
from tests.agent.text_rig import TextRig, begun

RESUMES = Path(__file__).parents[2] / "data" / "resumes"
PROFILES = "/api/v1/profiles"
ANSWER = (
    "good answer because the quokka ledger had to book twelve hundred payments a second so first I measured it, for "
    "example with a replay of one day, and then I split the writes whereas before everything waited for one lock"
)

pytestmark = pytest.mark.usefixtures("profiles_by_words")


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process whose judge is scripted."""
    return TextRig(tmp_path)


def holding(folder: Path, words: str) -> list[str]:
    """Names of the files that hold some words."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if words.encode() in path.read_bytes()]


async def read(client: httpx.AsyncClient, name: str) -> dict[str, object]:
    """What the server reads in a résumé."""
    content = (RESUMES / name).read_bytes()
    answer = await client.post("/api/v1/documents/resume", params={"name": name}, content=content)
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


async def test_a_resume_leads_to_questions_metrics_and_a_profile(rig: TextRig) -> None:
    """Four answers about what they have done; then nothing is asked of them again; then no word of theirs is left."""
    async with rig.serving() as client:
        found = await read(client, "a01-backend.pdf")
        session = await begun(client, candidate_name="Nadia Example", pack="tea", resume=found["text"], mode="resume")
        assert "what you have done" in session.started["greeting"] or session.started["greeting"].startswith("Hello")
        questions = [session.started["question"]["text"]]
        for _ in range(4):
            reply = await session.say(ANSWER)
            questions.append(reply["next_question"]["text"])
        report = (await session.post("/end")).json()["final_report"]
    assert len(set(questions)) == 5
    asked = [event for event in rig.events(session.id) if isinstance(event, QuestionSelected)]
    assert {event.source for event in asked} == {"resume"}
    assert any("pgslow" in text for text in questions)
    assert report["overall_score"] is not None

    async with rig.serving() as client:
        person = (await client.get(f"{PROFILES}/nadia-example")).json()
        achieved = person["achievement"]
        assert (achieved["interviews"], achieved["answers_scored"]) == (1, 4)
        for metric in ("technical_accuracy", "reasoning_depth", "communication_clarity", "score_overall"):
            assert 0 < achieved[metric] <= 10
        assert {"Woodgrove Bank", "Relecloud"} <= {each["employer"] for each in person["profile"]["experience"]}
        assert {"Go", "PostgreSQL"} <= set(person["profile"]["skills"])

        again = await begun(client, candidate_name="nadia EXAMPLE", pack="tea", mode="resume")
        assert again.started["greeting"].startswith("Welcome back")
        assert "pgslow" in again.started["question"]["text"]
        assert again.started["question"]["text"] != questions[0]
        await again.post("/end")

    marks = ("quokka", "Woodgrove", "nadia-example", "pgslow")
    assert all(holding(rig.data_dir, mark) for mark in marks)
    async with rig.serving() as client:
        assert (await client.delete(f"{PROFILES}/nadia-example")).status_code == 204
    assert {mark: holding(rig.data_dir, mark) for mark in marks} == {mark: [] for mark in marks}


async def test_what_was_corrected_is_what_is_asked_about(rig: TextRig) -> None:
    """A project that the candidate adds, and none that they removed."""
    async with rig.serving() as client:
        found = await read(client, "a01-backend.pdf")
        profile = {**found["profile"], "projects": [{"name": "Quokka census", "did": ["Counted them by drone."]}]}  # type: ignore[dict-item]
        session = await begun(
            client, candidate_name="Nadia", pack="tea", resume=found["text"], profile=profile, mode="resume"
        )
        assert "quokka census" in session.started["question"]["text"].casefold()
        await session.post("/end")
        kept = (await client.get(f"{PROFILES}/nadia")).json()
    assert [each["name"] for each in kept["profile"]["projects"]] == ["Quokka census"]
    assert "projects" in kept["edited"]


@pytest.mark.parametrize(
    ("profile", "says"),
    [
        ({"summary": "x" * 60_000}, "60,"),
        ({"name": "a\u0007"}, "control characters"),
        ({"salary": 1}, "salary"),
        ({"projects": [{"did": ["No name."]}]}, "name"),
    ],
)
async def test_a_profile_that_cannot_be_used_is_refused(rig: TextRig, profile: dict[str, object], says: str) -> None:
    """With a sentence, and nothing is begun."""
    async with rig.serving() as client:
        refused = await client.post("/api/v1/interview/start", json={"candidate_name": "Ada", "profile": profile})
        assert refused.status_code == 422
        assert says in refused.json()["detail"]
        assert (await client.get("/api/interviews")).json() == []
