"""Dates of résumés: "Apr 2021 – Present", "2022-09 → today", "since 10.2021", as ISO years and months.

Read are: a month's name or number with a year, a day beside it (which is dropped), a year alone, two digits of a year
behind a month's number and a stroke ("09/15 – 04/20"), a season or a quarter with a year (of which only the year is
kept: seasons differ by country). Between two dates stands a dash, an arrow or a word such as "to"; the first may leave
out the year that the second has ("Mar – Nov 2021"); the second may be "present" or another word for it, or be missing
("2019 –"). Years are those of a working life, 1950 to 2059; what is outside is a number of something else.

A general parser of dates (dateparser, dateutil) is not used: it finds dates in numbers of any kind, knows no stretches
of time, and takes longer for a line than this for a résumé.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = (
    r"jan(?:uary|uar|vier)?|enero|ene|gen(?:naio)?|januari|janeiro",
    r"feb(?:ruary|ruar|brero|braio|ruari)?|f[ée]v(?:rier|r|ereiro)?",
    r"mar(?:ch|s|zo|ço)?|m[äa]rz|mrz|maart|mrt",
    r"apr(?:il|ile)?|avr(?:il)?|abr(?:il)?",
    r"may|mai|mayo|maggio|mag|mei|maio",
    r"june?|juni|juin|junio|giugno|giu|junho", r"july?|juli|juil(?:let)?|julio|luglio|lug|julho",
    r"aug(?:ust|ustus)?|ao[ûu]t|ago(?:sto)?", r"sept?(?:ember|embre|iembre)?|set(?:tembre|embro)?",
    r"o[ck]t(?:ober|obre|ubre)?|ott(?:obre)?|out(?:ubro)?", r"nov(?:ember|embre|iembre|embro)?",
    r"de[czs](?:ember)?|d[ée]c(?:embre)?|dic(?:iembre|embre)?|dez(?:embro)?",
)  # fmt: skip
_MONTH = [re.compile(month, re.IGNORECASE) for month in _MONTHS]
_NAMES = "|".join(_MONTHS)
_YEAR = r"(?:19[5-9]\d|20[0-5]\d)"
_DATE = (
    rf"(?:(?:[0-3]?\d(?:st|nd|rd|th)?\.?\s{{{{1,2}}}})?(?P<name{{0}}>{_NAMES})\b\.?,?\s{{{{0,3}}}}(?:of\s)?"
    rf"(?:[0-3]?\d(?:st|nd|rd|th)?,\s{{{{0,2}}}})?(?:(?P<y1{{0}}>{_YEAR})|['’](?P<yy{{0}}>\d\d))"
    rf"|(?:[0-3]?\d[./-])?(?P<m2{{0}}>0?[1-9]|1[0-2])\s?[./-]\s?(?P<y2{{0}}>{_YEAR})"
    rf"|(?P<y3{{0}}>{_YEAR})[-./](?P<m3{{0}}>0[1-9]|1[0-2])(?:[-./][0-3]\d)?(?!\d)"
    rf"|(?:(?:early|mid|late|spring|summer|autumn|fall|winter|q[1-4]|ss|ws)[\s/-]{{{{1,3}}}})?(?P<y4{{0}}>{_YEAR})"
    rf"(?:/\d\d(?!\d))?)(?![\d])"
)


_FIRST_MONTH = re.compile(rf"(?<![\w/.-]){_YEAR}-(?:0[1-9]|1[0-2])(?!\d)")
"""A year and a month in ISO form, which looks like a year and two digits of another."""


def _date(number: int) -> str:
    return _DATE.replace("{0}", str(number)).replace("{{", "{").replace("}}", "}")


_NOW = (
    r"(?P<now>(?:the\s)?present(?:\sday)?|now(?:adays)?|today|(?:to|till|until|up\sto)\s{0,2}(?:date|now|today)|date|"
    r"current(?:ly)?|on-?going|still\s(?:there|employed)|heute|jetzt|laufend|aujourd.hui|actual(?:idad|idade|mente)?|hoy|"
    r"oggi|presente?|in\scorso|heden|nu|hoje|atual|obecnie|dziś|teraz)(?!\w)"
)
_SEPARATOR = (
    r"\s{0,4}(?:-{0,2}>|--?|[\u2010-\u2015\u2192\u279c\u27f6\u2212~…]|\b(?:to|until|till|til|through|thru|up\sto|bis|au|à|a|al|tot|do|até)\b)\s{0,4}"
    r"(?:\b(?:to|till)\b\s{1,3})?"
)
_MAY_HAVE_A_YEAR = re.compile(rf"{_YEAR}|['’/]\d\d")
_RANGE = re.compile(rf"(?<![\d/.]){_date(1)}{_SEPARATOR}(?:{_date(2)}|{_NOW})", re.IGNORECASE)
_SHORT_YEARS = re.compile(
    r"(?<![\d/.])(?P<m1>0[1-9]|1[0-2])/(?P<a>\d\d)\s{0,3}[-\u2010-\u2015\u2192]\s{0,3}"
    rf"(?:(?P<m2>0[1-9]|1[0-2])/(?P<b>\d\d)(?![\d/])|{_NOW})",
    re.IGNORECASE,
)
_SHORT_END = re.compile(
    rf"(?<![\w/.-])(?P<year>{_YEAR})\s{{0,2}}[\u2010-\u2015/-]\s{{0,2}}(?P<end>[0-5]\d)(?![\w/.-])", re.IGNORECASE
)
_ONE_YEAR = re.compile(
    rf"\b(?P<first>{_NAMES})\b\.?\s{{0,3}}(?:[-\u2010-\u2015\u2192]|to|until|till|bis)\s{{0,3}}{_date(2)}",
    re.IGNORECASE,
)
_TO_DATE = re.compile(rf"(?<![\w/.]){_date(1)}\s{{1,4}}(?:to|till|until)\s{{1,4}}(?:date|now)\b", re.IGNORECASE)
_SINCE = re.compile(rf"\b(?:since|seit|ab|from|depuis|desde|dal|od|as\sof|starting)\s{{1,3}}{_date(1)}", re.IGNORECASE)
_OPEN = re.compile(rf"(?<![\w/.]){_date(1)}\s{{0,3}}[-\u2010-\u2015\u2192](?=\s{{0,3}}(?:$|\t|\)))", re.IGNORECASE)
_SINGLE = re.compile(rf"(?<![\w/.,-]){_date(1)}(?![\w/%])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time in a line, and where it stands."""

    start: str
    end: str
    """ISO year, or year and month; "present"; empty where the line does not say."""
    at: int
    to: int
    is_range: bool
    """False for a single date, which is kept as the end."""


def find_period(line: str) -> Period | None:
    """The first stretch of time that a line names; of a single date only when there is none with two ends."""
    if not _MAY_HAVE_A_YEAR.search(line):
        return None
    for read in (_to_date, _between, _of_short_years, _of_one_year, _open):
        if period := read(line):
            return period
    if match := _SINGLE.search(line):
        return Period("", _iso(match, 1), *match.span(), is_range=False)
    return None


def _to_date(line: str) -> Period | None:
    match = _TO_DATE.search(line)
    return Period(_iso(match, 1), "present", *match.span(), is_range=True) if match else None


def _between(line: str) -> Period | None:
    if not (match := _RANGE.search(line)):
        return None
    return Period(_iso(match, 1), "present" if match["now"] else _iso(match, 2), *match.span(), is_range=True)


def _of_short_years(line: str) -> Period | None:
    """Years of two digits: "09/15 – 04/20", "2016–19"."""
    if match := _SHORT_YEARS.search(line):
        end = "present" if match["now"] else f"{_century(match['b'])}-{match['m2']}"
        return Period(f"{_century(match['a'])}-{match['m1']}", end, *match.span(), is_range=True)
    if (match := _SHORT_END.search(line)) and match["end"] > match["year"][2:] and not _FIRST_MONTH.search(line):
        end = f"{match['year'][:2]}{match['end']}"
        return Period(match["year"], end, *match.span(), is_range=True)
    return None


def _of_one_year(line: str) -> Period | None:
    """Two months of a year: "Mar – Nov 2021"."""
    if not (match := _ONE_YEAR.search(line)):
        return None
    end = _iso(match, 2)
    return Period(f"{end[:4]}-{_month(match['first']):02}", end, *match.span(), is_range=True)


def _open(line: str) -> Period | None:
    """What has not ended: "since 2019", "2019 –"."""
    match = _SINCE.search(line) or _OPEN.search(line)
    return Period(_iso(match, 1), "present", *match.span(), is_range=True) if match else None


def _month(name: str) -> int:
    return next(index for index, each in enumerate(_MONTH, 1) if each.fullmatch(name))


def _iso(match: re.Match[str], number: int) -> str:
    part = match.groupdict()
    if year := part[f"y4{number}"]:
        return str(year)
    if month := part[f"name{number}"]:
        return f"{part[f'y1{number}'] or _century(part[f'yy{number}'])}-{_month(month):02}"
    year, month = part[f"y2{number}"] or part[f"y3{number}"], part[f"m2{number}"] or part[f"m3{number}"]
    return f"{year}-{int(month):02}"


def _century(digits: str) -> str:
    """The year of two digits: of a working life, which no résumé has before it."""
    return f"19{digits}" if int(digits) >= 60 else f"20{digits}"  # noqa: PLR2004
