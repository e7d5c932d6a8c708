"""Numbers in spoken words, by kind: amounts with a unit, percentages, complexity classes, status codes, versions.

Whisper writes "10,000", "10 million" and "O(n^2)" where a candidate says "ten thousand" and "o of n squared"; both are
read. "Thousands of" is no number, and a bare count says nothing before it is known what was counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from text_to_num import alpha2digit

from graph.judging.text.stems import content_stems

Kind = Literal["percent", "seconds", "bytes", "complexity", "status", "version", "times", "count"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that somebody said."""

    kind: Kind
    value: float | None
    """In the kind's base unit (seconds, bytes, percent); None for what is a name and not an amount."""
    text: str
    """As it is shown to people, and compared where there is no value."""
    of: frozenset[str] = frozenset()
    """What was counted, stemmed ("replica"), or how it is reckoned ("per second"); what a version is of."""


_DIGIT = {"oh": "0", "o": "0", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"} | {
    str(n): str(n) for n in range(10)
}
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ZERO_INSIDE = re.compile(rf"\b(one|two|three|four|five|[1-5]) (oh|o|zero|0) (oh|o|zero|{_ONES}|\d)\b")
_HUNDREDS = re.compile(r"\b([1-5])(?:00s|xx)\b|\b(one|two|three|four|five) (?:hundreds|xx|x x)\b")
_SPELLED_BY_PAIRS = re.compile(rf"(?<!python )(?<!point )\b({_ONES}) ((?:{_TENS})(?: (?:{_ONES}))?)\b(?! hundred)")
"""Four twenty nine, two fifty six. Python three twenty is a version."""
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
_TIMES = re.compile(rf"\b{_NUMBER} ?(?:times|fold|x)\b")
_VERSION = re.compile(
    r"\b(version|python|http|tls|java|postgres(?:ql)?|kubernetes|es) v?((?<=python )3 \d\d|\d+(?:(?:\.| point )\d+)*)\b"
)
_STATUS = re.compile(
    r"\b(?:status|codes?|http|errors?)(?: (?:code|status|of|a|an|is|the|in|with|or|and)){0,3} ([1-5]\d\d(?:xx)?)\b"
    r"|\b([1-5]\d\d)(?= (?:error|code|status|response)s?\b)"
    r"|\ban? ([2-5]\d\d)\b"
    r"|\b(20[1246]|30[12478]|40[1-9]|410|422|429|50[1234]|[1-5]00xx)\b"
)
"""With a word that says so, as "a 500", or by itself where hardly anything else is counted in such numbers."""
_COMPLEXITY = re.compile(
    r"\b(?:big o(?: of)?|o of|order(?: of)?) "
    r"(n log n|log n|n squared|n to the 2nd|n square|n cubed|n times m|2 to the n|n factorial|n|1|constant|one)\b"
    r"|\b(n log n|log n|n squared|2 to the n)\b"
    r"|\b(constant|linear|logarithmic|quadratic|exponential|cubic)(?= time|ly\b| cost| in the| complexity| space)"
)
_CLASS = {
    "1": "constant", "one": "constant", "n": "linear", "log n": "logarithmic", "n squared": "quadratic",
    "n to the 2nd": "quadratic", "n square": "quadratic", "n cubed": "cubic", "2 to the n": "exponential",
}  # fmt: skip
_COUNT = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w.%])")
_RATE = re.compile(
    r"^(?: [a-z]+){0,2}? (?:per|an?|each|every|in an?|in one|in the) (second|minute|hour|day|month|year)\b"
)
_MULTIPLIED = {
    "half": "0.5",
    "a couple of": "2",
    "a dozen": "12",
    "a hundred": "one hundred",
    "a thousand": "one thousand",
}
_LARGE = {"hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_LARGE_WORDS = "hundred|thousand|million|billion|trillion"
_VAGUE = re.compile(
    rf"\b(?:few|several|some|many|couple of|couple) (?:{_LARGE_WORDS})s?\b|\b(?:(\w+) )?((?:ten|dozen|{_LARGE_WORDS})s)\b"
)
"""How many nobody said: "thousands of connections", "a few hundred". "Five hundred millions" is a number."""
_NEAR = 100
"""Characters after a number that may say what is counted."""
_IN_A_NUMBER = frozenset(f"{_ONES}|{_TENS}|{_LARGE_WORDS}|ten|eleven|twelve|fifteen".split("|"))
_SMALL_WORDS = {
    word: str(value)
    for value, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}


@lru_cache(maxsize=2048)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number in a text that is an amount or a name of its own. "One" and "first" are mostly neither."""
    return tuple(_found(in_digits(text)))


def in_digits(text: str) -> str:
    """The text in small letters with its numbers in digits, as `quantities` reads it."""
    text = _without_signs(text)
    text = _ZERO_INSIDE.sub(lambda match: "".join(_DIGIT.get(part, part) for part in match.groups()) + " ", text)
    text = _HUNDREDS.sub(lambda match: f"{_DIGIT[match[1] or match[2]]}00xx", text)
    text = _VAGUE.sub(_vague, text)
    text = re.sub(rf"\b(\w+) (?:something|odd) (?={_LARGE_WORDS}\b)", r"\1 ", text)
    text = re.sub(rf"\bhalf a ({_LARGE_WORDS})\b", r"0.5 \1", text)
    text = re.sub(r"\btwice\b", "2 times", text.replace(" and a half", " point five"))
    text = _multiplied_out(text)
    text = _SPELLED_BY_PAIRS.sub(r"\1 hundred \2", text)
    for spoken, written in _MULTIPLIED.items():
        text = re.sub(rf"\b{spoken}\b(?! (?:of|a)\b)", written, text)
    text = str(alpha2digit(text, "en"))
    text = re.sub(r"\b(\w+)\b", lambda match: _SMALL_WORDS.get(match[1], match[1]), text)
    return _multiplied_out(re.sub(r"(\d) point (\d)", r"\1.\2", text))


def _multiplied_out(text: str) -> str:
    """One number of "10 million", of "6 k", and of what `alpha2digit` leaves of "two point five million"."""
    return re.sub(
        rf"\b{_NUMBER} ?({_LARGE_WORDS}|k|1000|1000000|1000000000)s?\b",
        lambda match: f"{float(match[1]) * _LARGE.get(match[2], 0) or float(match[1]) * float(match[2]):.12g}",
        text,
    )


def _vague(match: re.Match[str]) -> str:
    if match[2] is None:
        return "many"
    before = match[1] or ""
    return match[0] if before in _IN_A_NUMBER or before.isdigit() else f"{before} many"


def _without_signs(text: str) -> str:
    """In small letters and without punctuation, but for what makes a number another one."""
    text = re.sub(r"\bO (?=n\b|log\b|1\b|one\b)", "big o of ", text).lower()
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"\^ ?2\b|²", " squared", text)
    text = re.sub(r"\^ ?3\b|³", " cubed", text)
    text = re.sub(r"\b2 ?\^ ?n\b", "2 to the n", text)
    text = re.sub(r"\bo ?\(", " big o of ", text)
    text = re.sub(r"\b(is|in|big) o (?=n\b|log n\b|1\b|one\b)", r"\1 big o of ", text)
    text = re.sub(r"[,;:!?]|\.(?!\d)", " , ", text)
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s.,'%]", " ", text))


def _found(text: str) -> Iterator[Quantity]:
    rest = text
    for pattern, kind in (
        (_COMPLEXITY, "complexity"), (_PERCENT, "percent"), (_WITH_UNIT, "unit"), (_TIMES, "times"),
        (_STATUS, "status"), (_VERSION, "version"),
    ):  # fmt: skip
        for match in pattern.finditer(rest):
            yield _quantity(kind, match)
        rest = pattern.sub(" . ", rest)
    for match in _COUNT.finditer(rest):
        if float(match[1]) > 1:
            yield Quantity("count", float(match[1]), match[1], _counted(rest[match.end() : match.end() + _NEAR]))


def _quantity(kind: str, match: re.Match[str]) -> Quantity:
    if kind == "complexity":
        name = match[1] or match[2] or match[3]
        return Quantity("complexity", None, _CLASS.get(name, name))
    if kind == "unit":
        unit, value = match[2], float(match[1])
        if unit in _SECONDS:
            return Quantity("seconds", value * _SECONDS[unit], match[0])
        return Quantity("bytes", value * _BYTES[unit], match[0])
    if kind == "version":
        return Quantity("version", None, re.sub(r" point | ", ".", match[2]), frozenset({match[1]}))
    if kind == "status":
        code = next(group for group in match.groups() if group)
        return Quantity("status", float(code[:3]), code.replace("00xx", "xx"))
    return Quantity("percent" if kind == "percent" else "times", float(match[1]), match[0])


def _counted(after: str) -> frozenset[str]:
    """What the words after a number say is counted: at most two of them, or how often ("a day")."""
    if rate := _RATE.match(after):
        return frozenset({f"per {rate[1]}"})
    nouns = takewhile(lambda word: word.isalpha() and content_stems(word), after.split()[:2])
    return frozenset().union(*map(content_stems, nouns))
