"""Dates and times of day."""

from __future__ import annotations

import re

from speech.text_normalization.lexicon import Lexicon
from speech.text_normalization.quantities import as_year
from speech.text_normalization.rules import RewriteRule

_YEAR = r"(?:1[1-9]|20)[0-9]{2}"
_BEFORE_YEAR = r"(?:[Ii]n|[Oo]f|[Ss]ince|[Uu]ntil|[Tt]ill|[Yy]ear|[Ee]arly|[Ll]ate|©|SQL Server|Windows|ES|ECMAScript)"
_AFTER_YEAR = (
    r"(?=\s*(?:$|[.,;:!?)]|[-–—]\s)"
    r"|\s(?:and|to|or|when|we|I|the|it|was|is|as|with|for|by|at|there|they|he|she|my|a|an|on|of|release|edition|version"
    r"|standard|through|until|because|but|that|this|you|our)\b)"
)
"""What follows a year; "in 2000 requests" is no year."""
_HALF = r"(?:\s?(?P<half>[aApP])(?:\.[mM](?:\.(?=\s+[a-z]))?|[mM])(?!\w))"
_CLOCK = r"(?:[T ](?P<hour>[01][0-9]|2[0-4]):(?P<minute>[0-5][0-9])(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
_NOON = 12
_TEENS = range(11, 14)


def time_rules(lexicon: Lexicon) -> list[RewriteRule]:
    """The rules, the more particular ones first."""
    return [*_date_rules(lexicon), *_clock_rules(), *_year_rules(lexicon)]


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …, which the phonemiser says as words."""
    ending = "th" if number % 100 in _TEENS else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _date_rules(lexicon: Lexicon) -> list[RewriteRule]:
    months = lexicon.months.split()
    by_start = {month[:3]: month for month in months}
    name = rf"(?P<month>(?:{'|'.join(months)})|(?:{'|'.join(by_start)}|Sept)\.?)"
    year = rf"(?:,?\s(?P<year>{_YEAR}))?(?![\w:])(?!\.[0-9])"
    iso = r"(?P<year>[12][0-9]{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01])"

    def named(month: str, day: int, year: str | None) -> str:
        return f"{month} {ordinal(day)}" + (f", {as_year(year)}" if year else "")

    def iso_date(match: re.Match[str]) -> str:
        said = named(months[int(match["month"]) - 1], int(match["day"]), match["year"])
        return f"{said}, {_clock(match['hour'], match['minute'])}" if match["hour"] else said

    def written_date(match: re.Match[str]) -> str:
        return named(by_start[match["month"][:3]], int(match["day"]), match["year"])

    return [
        RewriteRule(re.compile(rf"(?<![\w-]){iso}{_CLOCK}(?![\w-])"), iso_date),
        RewriteRule(re.compile(rf"(?<!\w){name}\s(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?{year}"), written_date),
        RewriteRule(re.compile(rf"(?<![\w.])(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\s{name}{year}"), written_date),
        RewriteRule(
            re.compile(rf"(?<!\w){name}\s(?P<year>{_YEAR})(?!\w)"),
            lambda match: f"{by_start[match['month'][:3]]} {as_year(match['year'])}",
        ),
        # Whether day or month comes first, nobody can tell.
        RewriteRule(
            re.compile(r"(?<![\w./])([0-9]{1,2})([/.])([0-9]{1,2})\2([12][0-9]{3})(?![\w/])"),
            lambda match: f"{int(match[1])}, {int(match[3])}, {as_year(match[4])}",
        ),
    ]


def _clock_rules() -> list[RewriteRule]:
    return [
        RewriteRule(
            re.compile(
                r"(?<![\w.:])(?P<hour>[01]?[0-9]|2[0-4]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?"
                rf"{_HALF}?(?![\w:])"
            ),
            lambda match: _clock(match["hour"], match["minute"], match["half"], match["second"]),
        ),
        RewriteRule(
            re.compile(rf"(?<![\w.:])(?P<hour>1[0-2]|0?[1-9]){_HALF}"),
            lambda match: f"{int(match['hour'])} {match['half'].upper()}.M",
        ),
    ]


def _clock(hour: str, minute: str, half: str | None = None, second: str | None = None) -> str:
    said = str(int(hour))
    if minute != "00":
        said += f" oh {minute[1]}" if minute[0] == "0" else f" {minute}"
    elif not half:
        said += " o'clock" if 0 < int(hour) <= _NOON else " hundred"
    if second:
        said += f" and {int(second)} seconds"
    return f"{said} {half.upper()}.M" if half else said


def _year_rules(lexicon: Lexicon) -> list[RewriteRule]:
    def decade(match: re.Match[str]) -> str | None:
        century, years = match["century"], match["years"]
        if years == "10" and century:
            return f"{century} tens"
        said = lexicon.decades.get(years)
        return said and f"{century or ''} {said}".strip()

    return [
        RewriteRule(re.compile(r"(?<![\w.])['’]?(?P<century>1[1-9]|20)?(?P<years>[1-9]0)['’]?s(?!\w)"), decade),
        RewriteRule(
            re.compile(rf"(?<!\w)(?P<before>{_BEFORE_YEAR})\s?(?P<year>{_YEAR}){_AFTER_YEAR}"),
            lambda match: f"{match['before']} {as_year(match['year'])}",
            again=True,
        ),
    ]
