"""Before an interview has ended nobody but the host gets to know how its answers were judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from fastapi import FastAPI, HTTPException, Request
from fastapi.testclient import TestClient
from pydantic import BaseModel

from domain.events import Event, InterviewEnded, ReviewRequested
from domain.verdict import Counts, Scores, Verdict
from review import Host, RecordStore
from review.http.routes import routes
from review.http.visibility import BLANKED, TOLD, before_the_end
from tests.review.sample_interview import sample_events

TYPES: tuple[type[Any], ...] = get_args(get_args(Event)[0])
TELLING = re.compile(
    r"score|verdict|quote|probab|overall|^ema$|^why$|^note$|^points$|^drift$|structure|decision|average|^check$|^tokens"
)
BLANK: tuple[Any, ...] = ("", None, False, [], ())
START = 1_700_000_000.0
RUNNING = sample_events(START)[:40]


def filled(annotation: Any) -> Any:
    """A value of this type that holds something wherever it can."""
    kind, parts = get_origin(annotation), get_args(annotation)
    if kind is Annotated:
        return filled(parts[0])
    if kind is Literal:
        return parts[0]
    if kind in (Union, UnionType):
        return filled(next(part for part in parts if part is not type(None)))
    if kind in (list, tuple):
        return kind([filled(parts[0])])
    if issubclass(annotation, BaseModel):
        return annotation(**{name: filled(field.annotation) for name, field in annotation.model_fields.items()})
    return {str: "told", bool: True, int: 7, float: 0.5}[annotation]


def types_in(value: Any) -> Iterator[type]:
    """The models within a value, at any depth."""
    if isinstance(value, BaseModel):
        yield type(value)
        for name in type(value).model_fields:
            yield from types_in(getattr(value, name))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from types_in(each)


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_no_event_says_before_the_end_how_an_answer_was_judged(kind: type[Any]) -> None:
    """Of every type of event it is decided what may be told, and no field that sounds like a judgement is."""
    assert (kind in TOLD) != (kind in BLANKED), "decide about it in review/http/visibility.py"
    whole = filled(kind)

    told = before_the_end(whole)

    assert kind.model_validate(told.model_dump()) == told
    assert not {Scores, Verdict, Counts} & set(types_in(told))
    telling = [name for name in kind.model_fields if TELLING.search(name)]
    assert [name for name in telling if getattr(told, name) not in BLANK] == []
    assert set(BLANKED.get(kind, {})) <= set(kind.model_fields)
    kept = set(kind.model_fields) - set(BLANKED.get(kind, {}))
    assert all(getattr(told, name) == getattr(whole, name) for name in kept)


def test_feedback_that_is_kept_for_the_report_is_not_told() -> None:
    """In an exam the words of the feedback exist long before the candidate may read them."""
    (feedback,) = (filled(kind) for kind in TYPES if kind.__name__ == "FeedbackReady")
    assert "told" not in before_the_end(feedback).model_dump().values()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RecordStore]:
    """A record with an interview that runs."""
    store = RecordStore(tmp_path / "record.sqlite")
    for event in [*RUNNING, ReviewRequested(at=START + 500, turn=1, why="most points hang in the balance")]:
        store.append("running", event)
    yield store
    store.close()


@pytest.fixture
def client(store: RecordStore, tmp_path: Path) -> TestClient:
    """Somebody who is the host if the call says so."""

    def check(request: Request) -> None:
        if "x-host" not in request.headers:
            raise HTTPException(403, "Only for the host.")

    app = FastAPI()
    app.include_router(routes(store, tmp_path, host=Host(check, lambda request: "x-token" in request.headers)))
    return TestClient(app)


def is_judged(stored: list[dict[str, Any]]) -> bool:
    """Whether one of the events has scores."""
    return any(one["event"].get("scores") for one in stored)


def test_a_running_interview_is_followed_without_scores(client: TestClient, store: RecordStore) -> None:
    """Every event is there with its number; what it says about the answers comes with the interview's end."""
    path = "/api/interviews/running/events"
    before = client.get(path).json()
    assert [one["event"]["kind"] for one in before] == [one.event.kind for one in store.events("running")]
    assert any(one["event"]["kind"] == "answer_judged" for one in before)
    assert not is_judged(before)
    assert client.get(path, params={"after": len(before) - 1}).json() == before[-1:]
    store.append("running", InterviewEnded(at=START + 600, reason="stopped"))
    assert is_judged(client.get(path).json())


def test_the_host_follows_it_with_scores(client: TestClient) -> None:
    """By the host's token, or by asking for them from where the host is; who is not the host is refused."""
    path = "/api/interviews/running/events"
    assert is_judged(client.get(path, headers={"x-token": "1"}).json())
    assert is_judged(client.get(path, params={"scores": True}, headers={"x-host": "1"}).json())
    assert not is_judged(client.get(path, headers={"x-host": "1"}).json())
    assert client.get(path, params={"scores": True}).status_code == 403


@pytest.mark.parametrize("export", ["transcript", "transcript.md"])
def test_the_transcript_of_a_running_interview_does_not_say_why_a_person_looks(client: TestClient, export: str) -> None:
    """That the judge was unsure is a judgement, too."""
    path = f"/api/interviews/running/{export}"
    assert "balance" not in client.get(path).text
    assert "A person was asked to look at this turn" in client.get(path).text
    assert "balance" in client.get(path, params={"scores": True}, headers={"x-host": "1"}).text
    assert client.get(path, params={"scores": True}).status_code == 403
