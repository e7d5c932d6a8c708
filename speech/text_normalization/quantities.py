"""Numbers with what belongs to them: units, money, scales, fractions, ranges, versions. Whole numbers, decimals and
ordinals are left as they are, because the phonemiser says them right.
"""

from __future__ import annotations

import re

from speech.text_normalization.lexicon import Lexicon, alternatives, counted
from speech.text_normalization.rules import RewriteRule

NUMBER = r"(?:0|[1-9][0-9]{0,8})(?:,[0-9]{3})*(?:\.[0-9]+)?"
_START = r"(?<![\w.])(?<![0-9],)"
_TO = r"\s?[-–—]\s?"
_LONG = 10
"""A number of so many digits is a name (a phone number, an account): its digits are said."""
_SMALLEST_YEAR, _LARGEST_YEAR = 1100, 2099


def quantity_rules(lexicon: Lexicon) -> list[RewriteRule]:
    """The rules, the more particular ones first."""
    return [
        *_version_rules(lexicon),
        *_money_rules(lexicon),
        *_unit_rules(lexicon),
        *_part_rules(lexicon),
        *_plain_rules(),
    ]


def as_year(digits: str) -> str:
    """A year in pairs, as it is said: 1999 is 19 99, 1905 is 19 oh 5; 2003 and 1900 stay whole."""
    year = int(digits)
    if not _SMALLEST_YEAR <= year <= _LARGEST_YEAR or digits[1:3] == "00" or digits[2:] == "00":
        return digits
    return f"{digits[:2]} oh {digits[3]}" if digits[2] == "0" else f"{digits[:2]} {digits[2:]}"


def digit_by_digit(digits: str) -> str:
    """Each digit for itself."""
    return " ".join(digits)


def points(version: str) -> str:
    """The parts of a version, whole numbers each: 3.11 is 3 point 11, 2.3.1 is 2 point 3 point 1."""
    parts = (part.lstrip("0") or "0" for part in version.split("."))
    return " point ".join(part if len(part) < _LONG else digit_by_digit(part) for part in parts)


def _version_rules(lexicon: Lexicon) -> list[RewriteRule]:
    names = alternatives(lexicon.versioned.split())
    version = r"[0-9]+(?:\.[0-9]+)*"
    return [
        RewriteRule(
            re.compile(rf"(?<![^\W_])(?P<name>{names})[ /]v?(?P<version>{version})(?![^\W_])(?!\.[0-9])"),
            lambda match: f"{match['name']} {points(match['version'])}",
            again=True,
        ),
        RewriteRule(re.compile(rf"(?<![^\W_])HTTP/({version})(?![^\W_])"), lambda match: f"HTTP {points(match[1])}"),
        RewriteRule(
            re.compile(rf"(?<![\w.])[vV]\.?\s?({version})(?![^\W_])"), lambda match: f"version {points(match[1])}"
        ),
        RewriteRule(re.compile(rf"{_START}([0-9]+(?:\.[0-9]+){{2,}})(?![^\W_])"), lambda match: points(match[1])),
    ]


def _money_rules(lexicon: Lexicon) -> list[RewriteRule]:
    signs, scales = alternatives(lexicon.money), alternatives([*lexicon.scales, *lexicon.scales.values()])
    per = alternatives(lexicon.per)
    after = rf"(?:\s?(?P<scale>{scales}))?(?:\s?/\s?(?P<per>{per}))?(?![^\W_])"

    def say(match: re.Match[str]) -> str:
        number, scale = match["number"], match["scale"]
        name = lexicon.money[match["sign"]]
        if _is_attribute(match):
            return f"{number} {lexicon.scales.get(scale, scale) + ' ' if scale else ''}{counted(name, '1')}"
        whole, _, cents = number.partition(".")
        if scale:
            said = f"{number} {lexicon.scales.get(scale, scale)} {counted(name, number)}"
        elif len(cents) == 2:  # noqa: PLR2004 (cents, and no share of a dollar)
            said = f"{whole} {counted(name, whole)}" + (f" {cents.lstrip('0')}" if cents.strip("0") else "")
        else:
            said = f"{number} {counted(name, number)}"
        return f"{said} per {lexicon.per[match['per']]}" if match["per"] else said

    return [
        RewriteRule(re.compile(rf"(?P<sign>{signs})\s?(?P<number>{NUMBER}){after}"), say),
        RewriteRule(re.compile(rf"{_START}(?P<number>{NUMBER})\s?(?P<sign>{signs}){after}"), say),
    ]


def _unit_rules(lexicon: Lexicon) -> list[RewriteRule]:
    units, per, scales = alternatives(lexicon.units), alternatives(lexicon.per), alternatives(lexicon.scales)
    large = alternatives(unit for unit in lexicon.units if len(unit) > 1 and unit[0].isupper())

    def name(unit: str, number: str, per: str | None) -> str:
        said = counted(lexicon.units[unit], number)
        return f"{said} per {lexicon.per[per]}" if per else said

    def say(match: re.Match[str]) -> str:
        number, to = match["number"], match["to"]
        said = f"{number} to {to}" if to else number
        is_attribute = match["gap"] == "-" or _is_attribute(match)
        return f"{said} {name(match['unit'], '1' if is_attribute else to or number, match['per'])}"

    return [
        # "7B" is seven billion, "7 B" are bytes: what is glued to a number is a scale first.
        RewriteRule(
            re.compile(rf"{_START}(?P<number>{NUMBER})(?P<scale>{scales})(?![^\W_])(?!/)"),
            lambda match: f"{match['number']} {lexicon.scales[match['scale']]}",
        ),
        RewriteRule(
            re.compile(
                rf"{_START}(?P<number>{NUMBER})(?:{_TO}(?P<to>{NUMBER}))?(?P<gap>[ -]?)(?P<unit>{units})"
                rf"(?:/(?P<per>{per}))?(?![^\W_])"
            ),
            say,
        ),
        RewriteRule(
            re.compile(rf"(?<![^\W_])(?P<unit>{large})(?:/(?P<per>{per}))?(?![^\W_])"),
            lambda match: name(match["unit"], "", match["per"]),
        ),
    ]


def _is_attribute(match: re.Match[str]) -> bool:
    """In "a 10 GB file" the unit is in the singular."""
    return re.search(r"(?<!\w)[Aa]n?\s$", match.string[: match.start()]) is not None


def _part_rules(lexicon: Lexicon) -> list[RewriteRule]:
    def fraction(match: re.Match[str]) -> str:
        above, below = match[1].lstrip("0") or "0", match[2].lstrip("0") or "0"
        if int(above) + int(below) == 100 or (above, below) == ("24", "7"):  # noqa: PLR2004 (80/20, 50/50)
            return f"{above} {below}"
        if below in lexicon.fractions and int(above) < int(below):
            return f"{above} {counted(lexicon.fractions[below], above)}"
        return f"{above} over {below}"

    return [
        RewriteRule(re.compile(r"(?<![\w./])([0-9]{1,4})/([0-9]{1,4})(?![\w/])(?!\.[0-9])"), fraction),
        RewriteRule(re.compile(rf"{_START}({NUMBER})[xX](?![^\W_])"), lambda match: f"{match[1]} times"),
        RewriteRule(
            re.compile(r"(?<![\w.])([1-9][0-9]{0,5})[x×]([1-9][0-9]{0,5})(?![\w.])"),
            lambda match: f"{match[1]} by {match[2]}",
        ),
        RewriteRule(re.compile(r"(?<![^\W_])[pP]([1-9][0-9]?(?:\.[0-9]+)?)(?![^\W_])"), lambda match: f"P {match[1]}"),
        RewriteRule(re.compile(r"(?<![^\W_])([1-5])xx(?![^\W_])"), lambda match: f"{match[1]} x x"),
        RewriteRule(re.compile(r"(?:(?<!\w)No\.\s?|#)(?=[0-9])"), lambda _: "number"),
    ]


def _plain_rules() -> list[RewriteRule]:
    years = rf"{_START}((?:1[1-9]|20)[0-9]{{2}})[-–—]((?:1[1-9]|20)[0-9]{{2}})(?![\w-])"
    return [
        RewriteRule(re.compile(years), lambda match: f"{as_year(match[1])} to {as_year(match[2])}"),
        RewriteRule(
            re.compile(rf"{_START}(?<!-)({NUMBER})(?:[-–—]|\s[–—]\s)(\$?{NUMBER})(?![\w-])(?!\.[0-9])"),
            _range,
        ),
        RewriteRule(
            re.compile(rf"{_START}([1-9][0-9]{{0,5}}):([1-9][0-9]{{0,5}})(?![\w:])"),
            lambda match: f"{match[1]} to {match[2]}",
        ),
        RewriteRule(re.compile(rf"{_START}({NUMBER})[eE]([+-]?[0-9]{{1,4}})(?![^\W_])"), _power_of_ten),
        RewriteRule(
            re.compile(r"(?<![^\W_])0x([0-9A-Fa-f]+)(?![^\W_])"), lambda match: f"hex {digit_by_digit(match[1])}"
        ),
        RewriteRule(re.compile(r"(?<![\w.,])(?:([1-5]0[1-9])|([45]29))(?![\w%:]|[.,][0-9]|\s?[-–])"), _status),
        RewriteRule(
            re.compile(rf"(?<![\w.,])(0[0-9]+|[0-9]{{{_LONG},}})(?![^\W_])"), lambda match: digit_by_digit(match[1])
        ),
        RewriteRule(re.compile(r"(?<![\w.])\.([0-9]+)(?![\w.])"), lambda match: f"point {digit_by_digit(match[1])}"),
    ]


def _range(match: re.Match[str]) -> str:
    first, last = (float(part.strip("$").replace(",", "")) for part in (match[1], match[2]))
    return f"{match[1]} {'to' if first < last else 'minus'} {match[2]}"


def _power_of_ten(match: re.Match[str]) -> str:
    exponent = int(match[2])
    said = f"minus {-exponent}" if exponent < 0 else str(exponent)
    return f"10 to the {said}" if match[1] == "1" else f"{match[1]} times 10 to the {said}"


def _status(match: re.Match[str]) -> str | None:
    """404 is four oh four where it is a status: after a word for one, or alone."""
    before = match.string[: match.start()].rstrip()
    is_told = re.search(r"(?:HTTPS?|[Ss]tatus(?: code)?|[Cc]ode|[Ee]rror|[Rr]eturn(?:s|ed)?|[Aa]n?|[Tt]he|^)$", before)
    if is_told is None:
        return None
    code = match[0]
    return f"{code[0]} oh {code[2]}" if code[1] == "0" else f"{code[0]} {code[1:]}"
