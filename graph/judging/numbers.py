"""Numbers in spoken words, by kind: amounts with a unit, percentages, complexity classes, status codes, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from text_to_num import alpha2digit

Kind = Literal["percent", "seconds", "bytes", "complexity", "status", "version", "times", "count"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that somebody said."""

    kind: Kind
    value: float | None
    """In the kind's base unit (seconds, bytes, percent); None for what is a name and not an amount."""
    text: str
    """As it is shown to people, and compared where there is no value."""


_DIGIT = {"oh": "0", "o": "0", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"} | {
    str(n): str(n) for n in range(10)
}
_STATUS = re.compile(r"\b(one|two|three|four|five|[1-5]) (oh|o|zero|0) (oh|o|zero|one|two|three|four|five|\d)\b")
_HUNDREDS = re.compile(r"\b([1-5])00s\b|\b(one|two|three|four|five) hundreds\b")
_SECONDS = {
    "nanosecond": 1e-9, "microsecond": 1e-6, "millisecond": 1e-3, "ms": 1e-3, "second": 1.0, "minute": 60.0,
    "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2.6e6, "year": 3.15e7,
}  # fmt: skip
_BYTES = {
    "bit": 0.125, "byte": 1.0, "kilobyte": 1e3, "megabyte": 1e6, "gigabyte": 1e9, "terabyte": 1e12, "petabyte": 1e15,
    "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
}  # fmt: skip
_NUMBER = r"(\d+(?:\.\d+)?)"
_WITH_UNIT = re.compile(rf"\b{_NUMBER} ?({'|'.join([*_SECONDS, *_BYTES])})s?\b")
_PERCENT = re.compile(rf"\b{_NUMBER} ?(?:percent|per cent|%)")
_TIMES = re.compile(rf"\b{_NUMBER} (?:times|fold|x)\b")
_VERSION = re.compile(
    r"\b(?:version|python|http|tls|java|postgres(?:ql)?|kubernetes|es) v?(\d+(?:(?:\.| point )\d+)*)\b"
)
_COMPLEXITY = re.compile(
    r"\b(?:big )?o(?:rder)?(?: of| \()? ?"
    r"(n log n|log n|n squared|n to the 2nd|n square|n cubed|n times m|2 to the n|n factorial|n|1|constant|one)\b"
    r"|\b(constant|linear|logarithmic|quadratic|exponential|cubic)(?= time|ly\b| cost| in the| complexity| space)"
)
_CLASS = {
    "1": "constant", "one": "constant", "n": "linear", "log n": "logarithmic", "n squared": "quadratic",
    "n to the 2nd": "quadratic", "n square": "quadratic", "n cubed": "cubic", "2 to the n": "exponential",
}  # fmt: skip
_COUNT = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w.%])")
_MULTIPLIED = {
    "half": "0.5",
    "a couple of": "2",
    "a dozen": "12",
    "a hundred": "one hundred",
    "a thousand": "one thousand",
}
_SMALL_WORDS = {
    word: str(value)
    for value, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}


@lru_cache(maxsize=2048)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number in a text that is an amount or a name of its own. "One" and "first" are mostly neither."""
    return tuple(_found(_in_digits(text)))


def _found(text: str) -> Iterator[Quantity]:
    rest = text
    for pattern, kind in (
        (_COMPLEXITY, "complexity"), (_PERCENT, "percent"), (_WITH_UNIT, "unit"), (_TIMES, "times"), (_VERSION, "version"),
    ):  # fmt: skip
        for match in pattern.finditer(rest):
            yield _quantity(kind, match)
        rest = pattern.sub(" ", rest)
    for match in _COUNT.finditer(rest):
        value = float(match[1])
        is_status = 100 <= value < 600 and value.is_integer() and re.search(r"\b(?:status|code|http|error)", text)  # noqa: PLR2004 - HTTP
        if is_status:
            yield Quantity("status", value, match[1])
        elif value > 1:
            yield Quantity("count", value, match[1])


def _quantity(kind: str, match: re.Match[str]) -> Quantity:
    if kind == "complexity":
        name = match[1] or match[2]
        return Quantity("complexity", None, _CLASS.get(name, name))
    if kind == "unit":
        unit, value = match[2], float(match[1])
        if unit in _SECONDS:
            return Quantity("seconds", value * _SECONDS[unit], match[0])
        return Quantity("bytes", value * _BYTES[unit], match[0])
    if kind == "version":
        return Quantity("version", None, match[1].replace(" point ", "."))
    return Quantity("percent" if kind == "percent" else "times", float(match[1]), match[0])


def _in_digits(text: str) -> str:
    text = re.sub(r"[^\w\s.'%]|\.(?!\d)", " ", text.lower())
    text = _STATUS.sub(lambda match: "".join(_DIGIT.get(part, part) for part in match.groups()) + " ", text)
    for spoken, written in _MULTIPLIED.items():
        text = re.sub(rf"\b{spoken}\b(?! (?:of|a)\b)", written, text)
    text = str(alpha2digit(text, "en"))
    text = re.sub(r"\b(\w+)\b", lambda match: _SMALL_WORDS.get(match[1], match[1]), text)
    return re.sub(r"(\d) point (\d)", r"\1.\2", text)
