"""Parsing of a model's reply into its form: strictly, and where that fails, whatever can be understood of it.

Small models wrap JSON in explanations and code fences, put commas before closing brackets, or answer with the list
instead of the object around it. What is understood still has to pass the form's own validation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic

from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import ValidationError

from graph.language_models.protocol import Reply

_NEED_BRACES = re.compile(r"[{\[]")
_STRING_OR_COMMA = re.compile(r'("(?:\\.|[^"\\])*"?)|,(?=\s*[}\]])')
_LONGEST = 40_000
"""Characters of a reply that are looked at."""
_MOST_STARTS = 50
"""Places in a reply where JSON is looked for."""
_CUT_OFF = {"length", "max_tokens", "MAX_TOKENS"}


class UnreadableError(ValueError):
    """A reply could not be read; the message tells the model what was wrong, in one sentence."""

    def __init__(self, wrong: str, raw: AIMessage) -> None:
        self.raw = raw
        super().__init__(wrong)


class _NotStrictlyError(ValueError):
    """The model's own parser could not read it."""


@dataclass(frozen=True, slots=True)
class ReadReply(Generic[Reply]):
    """A reply in its form."""

    reply: Reply
    raw: AIMessage
    leniently: bool = False
    """The strict parser could not read it."""


def reader(form: type[Reply]) -> Runnable[dict[str, Any], ReadReply[Reply]]:
    """A runnable that reads what `with_structured_output(form, include_raw=True)` returns; the lenient one follows.

    It raises UnreadableError when neither can read it.
    """

    def strictly(output: dict[str, Any]) -> ReadReply[Reply]:
        parsed = output.get("parsed")
        if isinstance(parsed, form) and not is_cut_off(output["raw"]):
            return ReadReply(parsed, output["raw"])
        raise _NotStrictlyError

    def leniently(output: dict[str, Any]) -> ReadReply[Reply]:
        return ReadReply(read_leniently(output["raw"], form), output["raw"], leniently=True)

    return RunnableLambda(strictly).with_fallbacks(
        [RunnableLambda(leniently)], exceptions_to_handle=(_NotStrictlyError,)
    )


def read_leniently(raw: AIMessage, form: type[Reply]) -> Reply:
    """The first thing in a reply that fits the form: an argument of a tool call, or JSON anywhere in the text.

    Raises:
        UnreadableError: there is none.
    """
    if is_cut_off(raw):
        raise UnreadableError("it was cut off because it is too long; be brief", raw)
    fault = ""
    for candidate in _candidates(raw):
        try:
            return form.model_validate(_as_object(candidate, form))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "the whole"
            # The outermost candidate comes first, and its fault says most.
            fault = fault or f"{place}: {first['msg']}"
    fault = fault or "there is no JSON in it"
    raise UnreadableError(f"it cannot be read ({fault}); the fields are {_fields(form)}", raw)


def tokens(raw: AIMessage) -> tuple[int, int]:
    """Tokens of the prompt and of the reply; zeros when the model does not tell."""
    usage: UsageMetadata | None = raw.usage_metadata
    return (usage["input_tokens"], usage["output_tokens"]) if usage else (0, 0)


def _candidates(raw: AIMessage) -> Iterator[Any]:
    for call in raw.tool_calls:
        yield call["args"]
    yield from _json_in(raw.text[:_LONGEST])


def _json_in(text: str) -> Iterator[Any]:
    """Every JSON value in a text, outer ones before those inside them."""
    for start in islice(_NEED_BRACES.finditer(text), _MOST_STARTS):
        rest = text[start.start() :]
        for candidate in (rest, _STRING_OR_COMMA.sub(lambda match: match[1] or "", rest)):
            try:
                yield json.JSONDecoder(strict=False).raw_decode(candidate)[0]
            except (json.JSONDecodeError, RecursionError):
                continue
            break


def _as_object(value: Any, form: type[Reply]) -> Any:
    """A bare list is taken for the form's only field."""
    fields = list(form.model_fields)
    return {fields[0]: value} if isinstance(value, list) and len(fields) == 1 else value


def is_cut_off(raw: AIMessage) -> bool:
    """True when the model stopped because of its limit: LangChain's own parsers would close the open brackets."""
    told = raw.response_metadata
    return any(told.get(name) in _CUT_OFF for name in ("done_reason", "finish_reason", "stop_reason"))


def _fields(form: type[Reply]) -> str:
    return ", ".join(repr(name) for name in form.model_fields)
