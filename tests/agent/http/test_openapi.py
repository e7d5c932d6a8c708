"""The description of the HTTP API: whole, true to what is answered, and the one that the pages' types are made from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from agent.http.openapi import DOCUMENT, openapi_document
from domain.events import Event, event_adapter

REF = "#/components/schemas/"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """What the web process says of itself."""
    described = json.loads(openapi_document())
    assert isinstance(described, dict)
    return described


def references(part: Any) -> Iterator[str]:
    """Every `$ref` below a part of the document, mappings of discriminators among them."""
    if isinstance(part, list):
        for each in part:
            yield from references(each)
    elif isinstance(part, dict):
        for key, each in part.items():
            if isinstance(each, str) and (key == "$ref" or each.startswith("#/")):
                yield each
            else:
                yield from references(each)


def reached(part: Any, document: dict[str, Any]) -> set[str]:
    """The names of all schemas that a part of the document leads to."""
    names: set[str] = set()
    waiting = list(references(part))
    while waiting:
        name = waiting.pop().removeprefix(REF)
        if name not in names:
            names.add(name)
            waiting += references(document["components"]["schemas"][name])
    return names


def test_the_copy_beside_the_pages_is_current() -> None:
    """The pages are built with types of the API as it is; if this fails, run `make openapi`."""
    assert openapi_document() == DOCUMENT.read_text(encoding="utf-8"), "it is not: run `make openapi`"


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    """Nobody who generates a client from the document finds a schema missing."""
    found = set(references(document))
    assert all(each.startswith(REF) for each in found)
    assert {each.removeprefix(REF) for each in found} - set(document["components"]["schemas"]) == set()


def test_each_schema_has_a_name_of_its_own(document: dict[str, Any]) -> None:
    """No two models share a name: both would be named by their modules, and references to either would break."""
    names = document["components"]["schemas"]
    assert [name for name in names if "__" in name or name.endswith(("-Input", "-Output"))] == []
    assert {name: schema["title"] for name, schema in names.items()} == {name: name for name in names}


def test_every_kind_of_event_is_described(document: dict[str, Any]) -> None:
    """The events of an interview are told apart by their kind, and none is missing."""
    (answer,) = document["paths"]["/api/interviews/{interview_id}/events"]["get"]["responses"]["200"][
        "content"
    ].values()
    stored = document["components"]["schemas"][answer["schema"]["items"]["$ref"].removeprefix(REF)]
    mapping = stored["properties"]["event"]["discriminator"]["mapping"]
    models = get_args(get_args(Event)[0])
    assert mapping == {model.model_fields["kind"].default: REF + model.__name__ for model in models}


def test_answers_have_all_fields_that_are_described(document: dict[str, Any]) -> None:
    """A field with a default is sent like any other, and the document says so."""
    answers = [
        answer
        for path in document["paths"].values()
        for call in path.values()
        for status, answer in call["responses"].items()
        if status.startswith("2")
    ]
    # A problem is sent without its list of faults where it has none.
    for name in sorted(reached(answers, document) - {"Problem", "Fault"}):
        schema = document["components"]["schemas"][name]
        assert set(schema["required"]) == set(schema["properties"]), name


def test_an_event_is_served_as_it_is_described(document: dict[str, Any]) -> None:
    """An event that was recorded without its newest fields comes out with all of them."""
    event = event_adapter.validate_python(
        {"kind": "intent_detected", "at": 1.0, "turn": 1, "intent": "hint", "confidence": 0.9}
    )
    assert set(event.model_dump(mode="json")) == set(document["components"]["schemas"]["IntentDetected"]["required"])
