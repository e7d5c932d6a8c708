"""Spellings: other ways to write a name of the lexicon, which need no entry of their own.

| written in a file | found as well |
|---|---|
| on-call | oncall |
| PowerShell | Power Shell, where it is written as a name |
| load testing; churn modelling | load tests; churn models |
| security champions; data analysis; methodology | security champion; data analyses; methodologies |
| AWS Security Hub, Azure Key Vault | Amazon Security Hub, Microsoft Azure Key Vault; Security Hub, Key Vault as names |

A name that is written in a file goes before all of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.candidate.lexicon.schema import key_of

Key = tuple[str, ...]

_CAMEL = re.compile(r"[A-Z][a-z]+|[A-Z]{2,9}(?![a-z])")
_LEAST_JOINED, _MOST_JOINED_WORDS = 6, 2
"""Letters and words of a name that may be written as one word."""
_PLURAL_FROM = 3
_NO_SINGULAR = ("ss", "us", "is", "ics", "ous", "ies")
_OF_LAST_WORD = {
    "testing": ("test", "tests"),
    "tests": ("testing",),
    "modeling": ("model", "models"),
    "analysis": ("analyses",),
}
"""What else the last word of several may be."""
_VENDORS: tuple[tuple[Key, ...], ...] = (
    (("aws",), ("amazon",), ("amazon", "aws")),
    (("azure",), ("microsoft", "azure"), ("ms", "azure")),
    (("google", "cloud"), ("gcp",), ("google",)),
    (("microsoft",), ("ms",)),
)
"""Prefixes by which the products of one vendor are called, each in place of the other."""


def other_spellings(spelling: str) -> Iterator[tuple[Key, bool]]:
    """All other spellings of one that a file has; True for one that counts only where it is written as a name."""
    key = key_of(spelling)
    yield from ((other, False) for other in (*inflected(key), *joined(key)))
    yield from of_vendor(key)
    yield from ((key_of(words), True) for words in divided(spelling))


def inflected(key: Key) -> Iterator[Key]:
    """Plural, singular, and the other forms of the last word.

    Args:
        key: words of a name, as they are compared (`graph.candidate.lexicon.schema.key_of`).
    """
    *before, last = key
    if len(last) >= _PLURAL_FROM and last.isalpha():
        if not last.endswith("s"):
            yield (*before, f"{last}s")
        if last.endswith("y") and last[-2] not in "aeiou":
            yield (*before, f"{last[:-1]}ies")
        if before and last.endswith("ies"):
            yield (*before, f"{last[:-3]}y")
        elif before and last.endswith("s") and not last.endswith(_NO_SINGULAR):
            yield (*before, last[:-1])
    if before:
        yield from ((*before, other) for other in _OF_LAST_WORD.get(last, ()))


def joined(key: Key) -> Iterator[Key]:
    """Two words as one."""
    whole = "".join(key)
    if 1 < len(key) <= _MOST_JOINED_WORDS and whole.isalpha() and len(whole) >= _LEAST_JOINED:
        yield (whole,)


def divided(spelling: str) -> Iterator[str]:
    """A name with capitals within it as several words."""
    parts = _CAMEL.findall(spelling)
    if len(parts) > 1 and "".join(parts) == spelling:
        yield " ".join(parts)


def of_vendor(key: Key) -> Iterator[tuple[Key, bool]]:
    """The name with other prefixes of its vendor, and without one where two words are left; True for the latter."""
    for prefixes in _VENDORS:
        for prefix in prefixes:
            rest = key[len(prefix) :]
            if key[: len(prefix)] != prefix or not rest:
                continue
            yield from (((*other, *rest), False) for other in prefixes if other != prefix)
            if len(rest) > 1 and all(map(str.isalpha, rest)):
                yield rest, True
