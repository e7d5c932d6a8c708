"""Documents over HTTP: what is read comes back and is kept nowhere, and what cannot be read gets a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from agent.http.app import make_app
from agent.interviews.creation import MAX_DOCUMENT_CHARS
from agent.settings import Settings

RESUMES = Path(__file__).parents[2] / "data" / "resumes"
RESUME, JOB = "/api/v1/documents/resume", "/api/v1/documents/job"
ADVERT = """# Senior Backend Engineer
Company: Contoso

Requirements:
- Python and PostgreSQL, 5 years

Nice to have:
- Kafka
"""


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    """A web process that reads files up to 100 kB."""
    with TestClient(make_app(Settings(data_dir=tmp_path / "data", max_document_bytes=100_000))) as client:
        yield client


@pytest.mark.parametrize(
    ("name", "employer", "skill"),
    [
        ("a01-backend.pdf", "Woodgrove Bank", "PostgreSQL"),
        ("a08-accountant.docx", "", ""),
        ("a06-frontend.md", "", ""),
        ("a05-embedded.txt", "Litware Automotive", "Zephyr"),
    ],
)
def test_a_resume_is_read(web: TestClient, tmp_path: Path, name: str, employer: str, skill: str) -> None:
    """As a file of any kind; no word of it is on the disk afterwards."""
    answer = web.post(RESUME, params={"name": name}, content=(RESUMES / name).read_bytes())
    assert answer.status_code == 200, answer.text
    read = answer.json()
    profile = read["profile"]
    assert profile["name"]
    assert profile["experience"]
    assert employer in {each["employer"] for each in profile["experience"]} | {""}
    assert skill in {*profile["skills"], ""}
    assert profile["name"].casefold() in read["text"].casefold()
    word = profile["experience"][0]["employer"].encode()
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert not [path for path in files if word in path.read_bytes()]


def test_a_job_description_is_read(web: TestClient) -> None:
    """What it requires and what is only welcome, apart."""
    read = web.post(JOB, params={"name": "advert.md"}, content=ADVERT.encode()).json()
    wanted = read["requirements"]
    assert (wanted["role"], wanted["company"], wanted["years"]) == ("Senior Backend Engineer", "Contoso", 5)
    assert (wanted["must_have"], wanted["nice_to_have"]) == (["Python", "PostgreSQL"], ["Apache Kafka"])


@pytest.mark.parametrize(
    ("content", "status", "kind", "says"),
    [
        (b"", 422, "unreadable-document", "empty"),
        (b"\x89PNG\r\n", 422, "unreadable-document", "paste the text"),
        (b"%PDF-1.7 nothing", 422, "unreadable-document", ""),
        (b"{\\rtf1 x}", 415, "unsupported-document", "RTF"),
        (b"x" * 100_001, 413, "too-long", "0.1 MB"),
        (b"x" * 300_000, 413, "too-long", "bytes"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(
    web: TestClient, content: bytes, status: int, kind: str, says: str
) -> None:
    """With a status that fits, for both kinds of document."""
    for path in (RESUME, JOB):
        refused = web.post(path, content=content)
        problem = refused.json()
        assert (refused.status_code, problem["type"]) == (status, f"/api/v1/problems/{kind}")
        assert says in problem["detail"]
        assert refused.headers["content-type"] == "application/problem+json"


def test_a_long_text_is_cut_and_said_to_be(web: TestClient) -> None:
    """As much comes back as an interview takes."""
    read = web.post(RESUME, content=b"word " * 15_000).json()
    assert len(read["text"]) == MAX_DOCUMENT_CHARS
    assert any("50,000" in note for note in read["notes"])


def test_larger_bodies_are_for_documents_only(web: TestClient) -> None:
    """Everything else keeps its own limit, which is nearer here."""
    refused = web.post("/api/v1/interview/start", content=b" " * 3_000_000)
    assert refused.status_code == 413
