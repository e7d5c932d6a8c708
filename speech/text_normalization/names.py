"""Names of code: functions, variables, files, flags."""

from __future__ import annotations

import re

from speech.text_normalization.maths import INSIDE
from speech.text_normalization.rules import RewriteRule


def name_rules() -> list[RewriteRule]:
    """Names of functions, variables, files and flags: their words, with a dot where there is one."""
    return [
        RewriteRule(re.compile(r"(?<![^\W_])__([a-z0-9]+(?:_[a-z0-9]+)*)__(?![^\W_])"), _dunder, again=True),
        RewriteRule(re.compile(rf"(?<!\w)(?P<name>[A-Za-z_]\w*){INSIDE}"), _call, again=True),
        RewriteRule(
            re.compile(rf"(?<=\w)(?P<name>){INSIDE}"), _call, again=True
        ),  # of a name that was said by another rule
        RewriteRule(re.compile(r"(?<![\w-])--(?=[a-z])"), lambda _: "dash dash"),
        RewriteRule(
            re.compile(r"(?<![\w\-–])-([a-zA-Z]{1,2})(?!\w)"),
            lambda match: f"dash {'.'.join(match[1].upper()) if match[1][1:] else match[1]}",
        ),
        # "U.S." and "Ph.D." are left to the phonemiser.
        RewriteRule(
            re.compile(
                r"(?<![\w.])(?=\.[a-z])\.|(?<=[\w)\]])\.(?=[^\W\d_]\w|_)|(?<=\w\w)\.(?=[^\W_])(?<![0-9]\.(?=[0-9]))"
            ),
            _dot,
        ),
        RewriteRule(re.compile(r"(?<![\w])_+(?=\w)"), lambda _: "underscore"),
        RewriteRule(re.compile(r"_+"), lambda _: ""),
        RewriteRule(
            re.compile(r"(?<![^\W_])(?=[^\W_]*[0-9])(?=[^\W_]*[^\W0-9_])[^\W_]+(?![^\W_])"),
            _letters_and_digits,
            again=True,
        ),
    ]


def _call(match: re.Match[str]) -> str:
    name, inside = match["name"], match["inside"].strip()
    if inside in {"s", "es"} and name.isalpha():
        return f"{name}{inside}"
    if not inside:
        return name
    words = re.sub(r"[()]", " ", "star" if inside == "*" else inside)
    return f"{name} {words}".strip() if re.fullmatch(r"[0-9, ]+|star", words) else f"{name} of {words}".strip()


def _dot(match: re.Match[str]) -> str | None:
    before, after = match.string[: match.start()], match.string[match.end() :]
    if re.search(r"(?<![^\W_])[A-Za-z]$", before) and re.match(r"[A-Za-z](?![^\W_])", after):
        return None
    return "dot"


def _letters_and_digits(match: re.Match[str]) -> str | None:
    """`sha256` is "sha 256"; ordinals are left as they are."""
    if re.fullmatch(r"[0-9]+(?:st|nd|rd|th)", match[0]):
        return None
    return " ".join(re.findall(r"[^\W0-9_]+|[0-9]+", match[0]))


def _dunder(match: re.Match[str]) -> str:
    return f"dunder {match[1].replace('_', ' ')}"
