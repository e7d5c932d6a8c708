"""Markup, addresses, names of code and files, complexity, and the signs of maths and of programs."""

from __future__ import annotations

import re
import unicodedata

from speech.wording.lexicon import Lexicon, alternatives
from speech.wording.pieces import Rule

_INSIDE = r"\((?P<inside>(?:[^()\n]|\([^()\n]*\))*)\)"
_PORT = r"(?::(?P<port>[0-9]{2,5}))?"
_SAID_BY_THE_VOICE = frozenset(".,;:!?'\"-–—…’‘“”")  # noqa: RUF001 (as they are written)
"""Signs that the phonemiser takes for what they are: pauses, or nothing."""


def markup_rules() -> list[Rule]:
    """What remains of Markdown and HTML is not said."""
    return [
        Rule(re.compile(r"```(?:[a-z]+\n)?|`"), lambda _: ""),
        Rule(re.compile(r"!?\[([^\]\n]*)\]\([^\s()]+\)"), lambda match: match[1], again=True),
        Rule(re.compile(r"^[ \t]*(?:#{1,6}|>|[*•+]|-(?!\s*[0-9]))[ \t]+", re.MULTILINE), lambda _: ""),
        Rule(
            re.compile(r"(?<![\w*~])(\*\*\*|\*\*|\*|~~|_|__(?=[^_\n]*\s))(?=[^\s*_~])([^*_~\n]+?)(?<=\S)\1(?![\w*~])"),
            lambda match: match[2],
            again=True,
        ),
        Rule(re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?<!\w<)(?:\s[^<>\n]*)?/?>"), _tag, again=True),
    ]


def _dunder(match: re.Match[str]) -> str:
    return f"dunder {match[1].replace('_', ' ')}"


def _tag(match: re.Match[str]) -> str:
    """`<div>` is "div"; in `List<String>` it is what the list is of."""
    before = match.string[: match.start()][-1:]
    return f"of {match[1]}" if before.isalnum() else match[1]


def address_rules() -> list[Rule]:
    """URLs, e-mail addresses, IP addresses, paths: as somebody would dictate them."""
    return [
        Rule(
            re.compile(r"(?<!\w)[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?<!-)"),
            lambda match: _dictated(match[0].replace("@", " at ")),
            again=True,
        ),
        Rule(
            re.compile(r"(?<!\w)(?:[a-z]{2,6}://|www\.)(?P<rest>[^\s<>\"'()]*[^\s<>\"'().,;:!?])"),
            lambda match: _dictated(re.sub(r"^www\.", "", match["rest"])),
            again=True,
        ),
        Rule(
            re.compile(rf"(?<![\w.])(?P<host>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}){_PORT}(?:/(?P<bits>[0-9]{{1,2}}))?(?![\w.]\w)"),
            _ip_address,
        ),
        Rule(
            re.compile(r"(?<!\w)(?P<host>localhost|[A-Za-z0-9-]+(?:\.[a-z]{2,})+):(?P<port>[0-9]{2,5})(?!\w)"),
            lambda match: f"{match['host']} port {match['port']}",
            again=True,
        ),
        Rule(re.compile(r"(?<![\w./<])(?:~|\.{1,2})?(?:/[\w.@{}:*-]*[\w}*])+/?"), lambda match: _dictated(match[0]), again=True),
        Rule(
            re.compile(r"(?<![\w./])[\w.-]+(?:/[\w.-]+)+\.[a-z][a-z0-9]{0,4}(?![\w/])"),
            lambda match: _dictated(match[0]),
            again=True,
        ),
    ]


_DICTATED = {
    "/": " slash ",
    ".": " dot ",
    "-": " dash ",
    "_": " underscore ",
    "?": " question mark ",
    "~": " tilde ",
    ":": " colon ",
    "+": " plus ",
    "#": " hash ",
}


def _dictated(address: str) -> str:
    address = re.sub(r":([0-9]{2,5})(?=/|$)", r" port \1 ", address)
    address = re.sub(r"[{}]", " ", address.rstrip("/") or address)
    return " ".join("".join(_DICTATED.get(sign, sign) for sign in address).split())


def _ip_address(match: re.Match[str]) -> str:
    said = match["host"].replace(".", " dot ")
    if match["port"]:
        said += f" port {match['port']}"
    return f"{said} slash {match['bits']}" if match["bits"] else said


def maths_rules(lexicon: Lexicon) -> list[Rule]:
    """Complexity and formulas, as far as they stand in a line of text."""
    symbols = {"O": "O", "o": "little O", "Ω": "omega", "Θ": "theta", "θ": "theta"}
    operand = r"[\w)\]]"
    return [
        Rule(
            re.compile(rf"(?<![^\W_])(?P<name>[OoΩΘθ])\s?{_INSIDE}"),
            lambda match: f"{symbols[match['name']]} of {_inside_complexity(match['inside'])}",
            again=True,
        ),
        Rule(re.compile(rf"(?<={operand})\s?(?:\^|\*\*)\s?\(?(?P<exponent>-?[A-Za-z0-9]+)\)?"), _power, again=True),
        Rule(re.compile(r"(?<![^\W_])([a-zA-Z])!(?=\s*[^\s\w]|\s+(?:time|steps|is|ways))"), lambda match: f"{match[1]} factorial"),
        Rule(re.compile(r"(?<![^\W_])log_?([0-9]+)(?=\s?\(|\s+[a-z](?!\w))"), lambda match: f"log base {match[1]}"),
        Rule(re.compile(r"select\s+\*", re.IGNORECASE), _star),
        Rule(re.compile(r"\*(?=\.\w)|(?<=\.)\*"), lambda _: "star"),
        Rule(re.compile(rf"(?<={operand})\s*\*\s*(?=[\w(])"), lambda _: "times"),
        Rule(re.compile(r"~\s?(?=[$€£]?[0-9])"), lambda _: "about"),
        Rule(re.compile(r"(?<=[0-9)])\s-\s(?=[\w(])|(?<=\b[a-zA-Z])\s-\s(?=[0-9]|[a-zA-Z]\b)"), lambda _: "minus"),
        Rule(re.compile(r"(?<=[0-9)])\s/\s(?=[\w(])|(?<=\b[a-zA-Z])\s/\s(?=[0-9]|[a-zA-Z]\b)"), lambda _: "divided by"),
        Rule(re.compile(r"(?<=[\w)])\s%\s(?=[\w(])"), lambda _: "mod"),
        Rule(re.compile(r"!(?=[\w(])"), lambda _: "not"),
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


def name_rules() -> list[Rule]:
    """Names of functions, variables, files and flags: their words, with a dot where there is one."""
    return [
        Rule(re.compile(r"(?<![^\W_])__([a-z0-9]+(?:_[a-z0-9]+)*)__(?![^\W_])"), _dunder, again=True),
        Rule(re.compile(rf"(?<!\w)(?P<name>[A-Za-z_]\w*){_INSIDE}"), _call, again=True),
        Rule(re.compile(rf"(?<=\w)(?P<name>){_INSIDE}"), _call, again=True),  # of a name that was said by another rule
        Rule(re.compile(r"(?<![\w-])--(?=[a-z])"), lambda _: "dash dash"),
        Rule(
            re.compile(r"(?<![\w\-–])-([a-zA-Z]{1,2})(?!\w)"),  # noqa: RUF001
            lambda match: f"dash {'.'.join(match[1].upper()) if match[1][1:] else match[1]}",
        ),
        # "U.S." and "Ph.D." are left to the phonemiser.
        Rule(re.compile(r"(?<![\w.])(?=\.[a-z])\.|(?<=[\w)\]])\.(?=[^\W\d_]\w|_)|(?<=\w\w)\.(?=[^\W_])(?<![0-9]\.(?=[0-9]))"), _dot),
        Rule(re.compile(r"(?<![\w])_+(?=\w)"), lambda _: "underscore"),
        Rule(re.compile(r"_+"), lambda _: ""),
        Rule(
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


def sign_rules(lexicon: Lexicon) -> list[Rule]:
    """Whatever is left: parentheses are pauses, other signs have names, and what has none is not said."""
    return [
        Rule(re.compile(r"(?<=[\w.,;:!?%])\s+\((?=\S)"), lambda _: ","),
        Rule(re.compile(r"\)(?=\s+\w)"), lambda _: ","),
        Rule(re.compile(r"(?<=\w)\s+/\s+(?=\w)|(?<=\S)\s+(?:--?|---)\s+(?=\S)|(?<=\w)\s*(?:—|--)\s*(?=\w)"), lambda _: ","),
        Rule(re.compile(r"(?<=\w)/(?=\w)"), lambda _: ""),
        # The phonemiser takes the hyphen of "UTF-8" for a minus.
        Rule(re.compile(r"(?<=[^\W\d_])-(?=[0-9])|(?<=[A-Z][A-Z])-(?=[A-Z](?!\w))"), lambda _: ""),
        Rule(re.compile(r"(?<=[0-9])[%°]"), lambda match: match[0]),
        Rule(re.compile(alternatives(lexicon.signs)), lambda match: lexicon.signs[match[0]]),
        Rule(re.compile(rf"{alternatives(lexicon.greek)}"), lambda match: _greek(match, lexicon)),
        Rule(re.compile(r"-{2,}|(?<![\w.,;:!?…])-(?![\w$€£.])"), lambda _: ""),
        Rule(re.compile(r"[^\w\s]|[^\W_]", re.UNICODE), _unknown),
    ]


def _greek(match: re.Match[str], lexicon: Lexicon) -> str | None:
    """A Greek letter by itself is a symbol; in a word it is one of the word's letters."""
    around = match.string[max(match.start() - 1, 0) : match.end() + 1].replace(match[0], "", 1)
    return None if any(unicodedata.name(sign, "").startswith("GREEK") for sign in around) else lexicon.greek[match[0]]


def _unknown(match: re.Match[str]) -> str | None:
    sign = match[0]
    if sign in _SAID_BY_THE_VOICE or sign.isascii() and sign.isalnum():
        return None
    kind = unicodedata.category(sign)
    if kind in {"Nd", "No"}:
        value = unicodedata.numeric(sign)
        return str(int(value)) if value.is_integer() else ""
    return None if kind[0] in "LM" else ""
