"""Maths: formulas, complexity, and the signs of maths and of programs."""

from __future__ import annotations

import re
import unicodedata

from speech.text_normalization.lexicon import Lexicon, alternatives
from speech.text_normalization.rules import RewriteRule

INSIDE = r"\((?P<inside>(?:[^()\n]|\([^()\n]*\))*)\)"
"""Parentheses with what is in them, which may be parentheses once more."""

_SYMBOLS = {"O": "O", "o": "little O", "Ω": "omega", "Θ": "theta", "θ": "theta"}
_SAID_BY_THE_VOICE = frozenset(".,;:!?'\"-–—…’‘“”")
"""Signs that the phonemiser takes for what they are: pauses, or nothing."""


def complexity_rules() -> list[RewriteRule]:
    """O(n log n) and its like."""
    return [
        RewriteRule(
            re.compile(rf"(?<![^\W_])(?P<name>[OoΩΘθ])\s?{INSIDE}"),
            lambda match: f"{_SYMBOLS[match['name']]} of {_inside_complexity(match['inside'])}",
            again=True,
        ),
    ]


def maths_rules() -> list[RewriteRule]:
    """Formulas, as far as they stand in a line of text."""
    operand = r"[\w)\]]"
    return [
        RewriteRule(
            re.compile(rf"(?<={operand})\s?(?:\^|\*\*)\s?\(?(?P<exponent>-?[A-Za-z0-9]+)(?![^\W_])\)?"),
            _power,
            again=True,
        ),
        RewriteRule(
            re.compile(r"(?<![^\W_])([a-zA-Z])!(?=\s*[^\s\w]|\s+(?:time|steps|is|ways))"),
            lambda match: f"{match[1]} factorial",
        ),
        RewriteRule(
            re.compile(r"(?<![^\W_])log_?([0-9]+)(?=\s?\(|\s+[a-z](?!\w))"), lambda match: f"log base {match[1]}"
        ),
        RewriteRule(re.compile(r"select\s+\*", re.IGNORECASE), _star),
        RewriteRule(re.compile(r"\*(?=\.\w)|(?<=\.)\*"), lambda _: "star"),
        RewriteRule(re.compile(rf"(?<={operand})\s*\*\s*(?=[\w(])"), lambda _: "times"),
        RewriteRule(re.compile(r"~\s?(?=[$€£]?[0-9])"), lambda _: "about"),
        RewriteRule(
            re.compile(r"(?<=[0-9)])\s-\s(?=[\w(])|(?<=\b[a-zA-Z])\s-\s(?=[0-9]|[a-zA-Z]\b)"), lambda _: "minus"
        ),
        RewriteRule(
            re.compile(r"(?<=[0-9)])\s/\s(?=[\w(])|(?<=\b[a-zA-Z])\s/\s(?=[0-9]|[a-zA-Z]\b)"), lambda _: "divided by"
        ),
        RewriteRule(re.compile(r"(?<=[\w)])\s%\s(?=[\w(])"), lambda _: "mod"),
        RewriteRule(re.compile(r"!(?=[\w(])"), lambda _: "not"),
    ]


def _inside_complexity(formula: str) -> str:
    spaced = re.sub(r"(?<=[a-zA-Z0-9])log", " log", formula)
    spaced = re.sub(r"log_?[0-9]*(?=[a-zA-Z(])", "log ", spaced)
    spaced = re.sub(r"\b([a-zA-Z])!", r"\1 factorial", spaced)
    spaced = re.sub(r"(?<![a-z])([nmkvde])([nmkvde])(?![a-z])", r"\1 \2", spaced)
    return " ".join(re.sub(r"[()]", " ", spaced).split())


def _power(match: re.Match[str]) -> str:
    exponent = match["exponent"]
    if exponent in {"2", "3"}:
        return "squared" if exponent == "2" else "cubed"
    return f"to the {exponent.replace('-', 'minus ')}"


def _star(match: re.Match[str]) -> str:
    return " ".join([*match[0].split()[:-1], "star"])


def sign_rules(lexicon: Lexicon) -> list[RewriteRule]:
    """Whatever is left: parentheses are pauses, other signs have names, and what has none is not said."""
    return [
        RewriteRule(re.compile(r"(?<=[\w.,;:!?%])\s+\((?=\S)"), lambda _: ","),
        RewriteRule(re.compile(r"\)(?=\s+\w)"), lambda _: ","),
        RewriteRule(
            re.compile(r"(?<=\w)\s+/\s+(?=\w)|(?<=\S)\s+(?:--?|---)\s+(?=\S)|(?<=\w)\s*(?:—|--)\s*(?=\w)"),
            lambda _: ",",
        ),
        RewriteRule(re.compile(r"(?<=\w)/(?=\w)"), lambda _: ""),
        RewriteRule(re.compile(r"(?<=[0-9]):(?=[0-9])"), lambda _: "to"),
        # The phonemiser takes the hyphen of "UTF-8" for a minus.
        RewriteRule(re.compile(r"(?<=[^\W\d_])-(?=[0-9])|(?<=[A-Z][A-Z])-(?=[A-Z](?!\w))"), lambda _: ""),
        RewriteRule(re.compile(alternatives(lexicon.signs)), lambda match: lexicon.signs[match[0]]),
        RewriteRule(re.compile(rf"{alternatives(lexicon.greek)}"), lambda match: _greek(match, lexicon)),
        RewriteRule(re.compile(r"(?<![0-9.,])(?:0[0-9]+|[0-9]{10,})"), lambda match: " ".join(match[0])),
        RewriteRule(re.compile(r"-{2,}|(?<![\w.,;:!?…])-(?![\w$€£.])"), lambda _: ""),
        RewriteRule(re.compile(r"[^\w\s]|[^\W_]", re.UNICODE), _unknown),
    ]


def _greek(match: re.Match[str], lexicon: Lexicon) -> str | None:
    """A Greek letter by itself is a symbol; in a word it is one of the word's letters."""
    around = match.string[max(match.start() - 1, 0) : match.end() + 1].replace(match[0], "", 1)
    return None if any(unicodedata.name(sign, "").startswith("GREEK") for sign in around) else lexicon.greek[match[0]]


def _unknown(match: re.Match[str]) -> str | None:
    sign = match[0]
    if sign in _SAID_BY_THE_VOICE or (sign.isascii() and sign.isalnum()):
        return None
    kind = unicodedata.category(sign)
    if kind in {"Nd", "No"}:
        value = unicodedata.numeric(sign)
        return str(int(value)) if value.is_integer() else ""
    return None if kind[0] in "LM" else ""
