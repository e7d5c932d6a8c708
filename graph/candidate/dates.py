"""Dates of résumés: "Apr 2021 – Present", "03/2016 - 11/2019", "since 2019", as ISO years and months.

Read are: a month's name or number with a year, a day before them (which is dropped), a year alone, a season with a
year (of which only the year is kept: seasons differ by country). Between two dates stands a dash or "to", "until",
"bis"; the second may be "present" or another word for it. Years are those of a working life, 1950 to 2059; what is
outside is a number of something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = (
    r"jan(?:uary|uar|vier)?", r"feb(?:ruary|ruar)?|f[ée]v(?:rier)?", r"mar(?:ch|s)?|m[äa]rz|mrz", r"apr(?:il)?|avril",
    r"may|mai", r"june?|juni|juin", r"july?|juli|juillet", r"aug(?:ust)?|ao[ûu]t", r"sept?(?:ember|embre)?",
    r"o[ck]t(?:ober|obre)?", r"nov(?:ember|embre)?", r"de[cz](?:ember)?|d[ée]c(?:embre)?",
)  # fmt: skip
_MONTH = [re.compile(month, re.IGNORECASE) for month in _MONTHS]
_YEAR = r"(?:19[5-9]\d|20[0-5]\d)"
_DATE = (
    rf"(?:(?P<name{{0}}>{'|'.join(_MONTHS)})\b\.?,?\s{{{{0,3}}}}(?:(?P<y1{{0}}>{_YEAR})|['’](?P<yy{{0}}>\d\d))"
    rf"|(?:[0-3]?\d[./])?(?P<m2{{0}}>0?[1-9]|1[0-2])[./](?P<y2{{0}}>{_YEAR})"
    rf"|(?P<y3{{0}}>{_YEAR})[-./](?P<m3{{0}}>0[1-9]|1[0-2])(?:[-./][0-3]\d)?(?!\d)"
    rf"|(?:(?:spring|summer|autumn|fall|winter)\s{{{{1,3}}}})?(?P<y4{{0}}>{_YEAR}))(?![\d])"
)


def _date(number: int) -> str:
    return _DATE.replace("{0}", str(number)).replace("{{", "{").replace("}}", "}")


_NOW = r"(?P<now>present|now|today|to\s{0,2}date|date|current(?:ly)?|ongoing|heute|jetzt|aujourd.hui|actual(?:idad)?)\b"
_SEPARATOR = r"\s{0,4}(?:[-\u2010-\u2015~]|\b(?:to|until|till|through|bis|au)\b)\s{0,4}"
_RANGE = re.compile(rf"(?<![\d/.]){_date(1)}{_SEPARATOR}(?:{_date(2)}|{_NOW})", re.IGNORECASE)
_TO_DATE = re.compile(rf"(?<![\w/.]){_date(1)}\s{{1,4}}to\s{{1,4}}date\b", re.IGNORECASE)
_SINCE = re.compile(rf"\b(?:since|seit|from|depuis)\s{{1,3}}{_date(1)}", re.IGNORECASE)
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
    if match := _TO_DATE.search(line):
        return Period(_iso(match, 1), "present", *match.span(), is_range=True)
    if match := _RANGE.search(line):
        return Period(_iso(match, 1), "present" if match["now"] else _iso(match, 2), *match.span(), is_range=True)
    if match := _SINCE.search(line):
        return Period(_iso(match, 1), "present", *match.span(), is_range=True)
    if match := _SINGLE.search(line):
        return Period("", _iso(match, 1), *match.span(), is_range=False)
    return None


def _iso(match: re.Match[str], number: int) -> str:
    part = match.groupdict()
    if year := part[f"y4{number}"]:
        return str(year)
    if month := part[f"name{number}"]:
        index = next(index for index, each in enumerate(_MONTH, 1) if each.fullmatch(month))
        return f"{part[f'y1{number}'] or _century(part[f'yy{number}'])}-{index:02}"
    year, month = part[f"y2{number}"] or part[f"y3{number}"], part[f"m2{number}"] or part[f"m3{number}"]
    return f"{year}-{int(month):02}"


def _century(digits: str) -> str:
    """The year of two digits: of a working life, which no résumé has before it."""
    return f"19{digits}" if int(digits) >= 60 else f"20{digits}"  # noqa: PLR2004
