"""The lenient parser: it understands what small models make of JSON, and invents nothing."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from pydantic import BaseModel

from graph.language_models.parsing import UnreadableError, read_leniently, tokens


class Point(BaseModel):
    """An item of a reply."""

    number: int
    quote: str
    status: Literal["covered", "missing"]


class Points(BaseModel):
    """A reply with one list, as verdicts are."""

    points: list[Point]


class Chosen(BaseModel):
    """A reply with two fields."""

    selected_id: str
    reason: str = ""


ONE = {"number": 1, "quote": "a, ] b", "status": "covered"}
points = st.fixed_dictionaries(
    {"number": st.integers(0, 9), "quote": st.text(max_size=20), "status": st.sampled_from(["covered", "missing"])}
)


def read(text: str, form: type[BaseModel] = Points) -> BaseModel:
    """What is understood of a text."""
    return read_leniently(AIMessage(text), form)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"points": [ONE]}),
        f"```json\n{json.dumps({'points': [ONE]}, indent=2)}\n```",
        f'Of course! "Here" it is:\n{json.dumps({"points": [ONE]})}\nI hope that helps {{:-)',
        '{"points": [{"number": 1, "quote": "a, ] b", "status": "covered",},],}',
        'The quote is "odd {"points": [{"number": 1, "quote": "a, ] b", "status": "covered"},]}',
        json.dumps([ONE]),
        json.dumps({"result": {"points": [ONE]}}),
        f'First I think {{of "tea"}}. {json.dumps({"points": [ONE], "extra": None})}',
        '{"points": [{"number": "1", "quote": "a, ] b", "status": "covered"}]}',
    ],
)
def test_it_finds_the_form_in_what_is_around_it(text: str) -> None:
    """Fences, talk, commas too many, a wrapping object or a missing one: the content is the same."""
    assert read(text) == Points(points=[Point(number=1, quote="a, ] b", status="covered")])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I cannot do that.", "there is no JSON in it"),
        ("", "there is no JSON in it"),
        ('{"points": [{"number": 1, "quote": "a", "sta', "the fields are 'points'"),
        ('{"points": "none"}', "points: Input should be a valid list"),
        ('{"points": [{"number": 1, "quote": "a", "status": "great"}]}', "'covered' or 'missing'"),
    ],
)
def test_what_it_cannot_read_is_told_to_the_model(text: str, wrong: str) -> None:
    """The sentence names the place and the fields, so that a second try can be better."""
    with pytest.raises(UnreadableError, match="cannot be read") as caught:
        read(text)
    assert wrong in str(caught.value)


def test_a_reply_that_was_cut_off_is_refused() -> None:
    """Even when what is there would do."""
    raw = AIMessage(json.dumps({"points": [ONE]}), response_metadata={"finish_reason": "length"})
    with pytest.raises(UnreadableError, match="be brief"):
        read_leniently(raw, Points)


def test_the_arguments_of_a_tool_call_are_read() -> None:
    """Providers that make a form of a tool leave the text empty."""
    raw = AIMessage("", tool_calls=[{"name": "Chosen", "args": {"selected_id": "q-1"}, "id": "1"}])
    assert read_leniently(raw, Chosen) == Chosen(selected_id="q-1")


@given(st.lists(points, max_size=4), st.text(alphabet='ab {}[]",:\n', max_size=30).filter(lambda text: "[" not in text))
def test_talk_before_it_changes_nothing(listed: list[dict[str, object]], talk: str) -> None:
    """Whatever a model says first, its JSON is found."""
    assert read(f"{talk}\n{json.dumps({'points': listed})}") == Points.model_validate({"points": listed})


@given(st.text(alphabet='{}[]",:a1 \n\\', max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    """Anything at all is either read or refused with a sentence."""
    with suppress(UnreadableError):
        assert isinstance(read(text, Chosen), Chosen)


@pytest.mark.parametrize("text", ["[" * 30_000, '{"a":' * 20_000, '"' * 30_000, "{" * 30_000])
def test_endless_brackets_cost_nothing(text: str) -> None:
    """A model that got stuck does not get the interview stuck."""
    with pytest.raises(UnreadableError):
        read(text)


def test_tokens_are_zero_when_nobody_counted() -> None:
    """A provider that does not tell is no error."""
    assert tokens(AIMessage("x")) == (0, 0)
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}
    assert tokens(AIMessage("x", usage_metadata=usage)) == (3, 2)  # type: ignore[arg-type]
