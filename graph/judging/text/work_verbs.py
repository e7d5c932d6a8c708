"""Work verbs: what people do at work, by base form, with its past tense (`work_verbs.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

_FILE = Path(__file__).with_suffix(".yaml")


class _Verbs(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    regular: str
    irregular: dict[str, str]
    doubled: str


@cache
def _verbs() -> _Verbs:
    return _Verbs.model_validate(yaml.safe_load(_FILE.read_text(encoding="utf-8")))


@cache
def past_tense() -> Mapping[str, str]:
    """The past tense of each verb by its base form.

    Raises:
        ValueError: the file has the wrong form.
    """
    return {**{verb: _past(verb) for verb in _verbs().regular.split()}, **_verbs().irregular}


@cache
def base_of_gerund() -> Mapping[str, str]:
    """The base form of each verb by its form in "-ing"."""
    return {_gerund(verb): verb for verb in past_tense()}


@cache
def past_forms() -> frozenset[str]:
    """Every past tense, for finding one."""
    return frozenset(past_tense().values())


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{_stem(verb)}ed"


def _gerund(verb: str) -> str:
    if verb.endswith("e") and not verb.endswith(("ee", "oe")):
        return f"{verb[:-1]}ing"
    return f"{_stem(verb)}ing"


def _stem(verb: str) -> str:
    """What an ending is put to."""
    return verb + verb[-1] if verb in _verbs().doubled.split() else verb
