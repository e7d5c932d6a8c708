"""Heads of entries: who employed somebody and as what; the school, the degree and the subject.

What stands apart (on lines of its own, behind a tab, a dash, "@" or "at") is a part. A part with a word for what people
are ("engineer", "nurse") is the role, whole when there is another part for the employer; otherwise its commas divide
it: "Account Executive, Contoso, Chicago". What follows the employer behind a comma is its place and is dropped, unless
it belongs to the name ("Fabrikam, Inc.") or names an organisation itself ("School of Samples, University of Northwind").
Labels ("Employer: …", "Position: …") say it themselves. Where nothing tells, the first part is the employer and the
second the role.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROLE_WORDS = frozenset(
    """accountant administrator adviser advisor agent analyst apprentice architect artist assistant
    associate attendant auditor barista biologist bookkeeper broker buyer captain carer cashier chef chemist chief cleaner
    clerk coach consultant controller cook coordinator co-ordinator counsel counsellor dba dentist designer developer
    director dispatcher doctor driver economist editor electrician engineer estimator examiner executive expert
    facilitator fellow firefighter foreman founder freelancer gardener generalist geologist geschäftsführer graduate
    head hygienist illustrator inspector instructor intern interpreter investigator ingenieur journalist lawyer lead
    leader lecturer librarian machinist manager mathematician mechanic mechatroniker member mentor midwife nurse officer
    operator owner paralegal paramedic partner pharmacist photographer physician physicist physiotherapist pilot planner
    plumber police postdoc postdoctoral practitioner president producer professor programmer promoter psychologist
    receptionist recruiter representative researcher resident salesperson scientist secretary
    sergeant server soldier solicitor specialist sre statistician steward student supervisor surgeon surveyor
    sysadmin teacher technician technologist tester therapist trader trainee trainer translator treasurer tutor
    underwriter vet veterinarian volunteer waiter waitress welder worker writer werkstudent entwickler leiter cto ceo cfo
    coo vp""".split()
)
_ROLE = re.compile(rf"\b(?:{'|'.join(sorted(_ROLE_WORDS))})\b", re.IGNORECASE)
_LEGAL = (
    r"(?:inc|ltd|llc|llp|plc|gmbh|ag|kg|corp|co|s\.?a|s\.?r\.?l|b\.?v|n\.?v|a/s|aps|pty|oy|ab|limited|e\.?v|se)\b\.?"
)
_IS_LEGAL = re.compile(rf"{_LEGAL}(?:\s+{_LEGAL})?", re.IGNORECASE)
_ORGANISATION = re.compile(
    rf"\b(?:university|institute|college|school|bank|group|hospital|clinic|council|ministry|department|foundation|"
    rf"academy|laborator(?:y|ies)|agency|company|corporation|universität|hochschule|insurance|{_LEGAL})(?!\w)",
    re.IGNORECASE,
)
_SCHOOL = re.compile(
    r"\b(?:university|college|school|institute|academy|polytechnic|universität|universidad|université|hochschule|"
    r"fachhochschule|gymnasium|conservatory|seminary|eth|mit|tu|lyc[ée]e|faculty)\b",
    re.IGNORECASE,
)
_DEGREE = re.compile(
    r"(?<![\w.])(?:b\.?\s?sc|b\.?s|m\.?s|m\.?\s?sc|b\.?\s?a|m\.?\s?a|b\.?\s?eng|m\.?\s?eng|b\.?\s?tech|m\.?\s?tech|ph\.?\s?d|mba|"
    r"dipl|diplom|bachelor|master|doctor(?:ate)?|diploma|degree|a[- ]levels?|abitur|matura|magister|licen[cs]e|"
    r"certificate|associate|minor|major|hnd|gcse|staatsexamen|baccalaur[ée]at|mphil|dphil|llb|llm|md|"
    r"fachabitur|ausbildung|meister)(?:['’]s)?(?![^\W\d_])",
    re.IGNORECASE,
)
_BESIDE_DEGREE = re.compile(r"\(\w{1,6}\.?\)|\bhons\b\.?|^\.?-ing\.?(?!\w)", re.IGNORECASE)
_EMPLOYER_LABEL = re.compile(
    r"(?:(?:name (?:and address )?of )?employer|company|organi[sz]ation|firm)\s{0,3}:\s{0,5}(.{1,200})", re.IGNORECASE
)
_ROLE_LABEL = re.compile(
    r"(?:occupation or position held|position(?: held)?|role|(?:job )?title|occupation)\s{0,3}:\s{0,5}(.{1,200})",
    re.IGNORECASE,
)
_APART = re.compile(r"\t|\s\|\s|\s[\N{EN DASH}\N{EM DASH}]\s|\s-\s|\s[@·•]\s|\s//?\s|;\s")
_AT = re.compile(r"\s(?:at|bei|chez)\s(?=[A-ZÀ-Þ])")
_COMMA = re.compile(r",\s{1,5}")
_MOST_PARTS = 12
_EDGES = " \t,;:|-\N{EN DASH}\N{EM DASH}·•()"
_IN_BRACKETS = re.compile(r"\s{0,3}\(([^()]{0,80})\)\s{0,3}$")


@dataclass(frozen=True, slots=True)
class Position:
    """What the head of an experience says."""

    employer: str
    role: str


@dataclass(frozen=True, slots=True)
class School:
    """What the head of an education says."""

    name: str
    degree: str
    subject: str


def names_role(text: str) -> bool:
    """True when a text has a word for what people are."""
    return bool(_ROLE.search(text))


def read_position(pieces: list[str]) -> Position:
    """Employer and role of a head.

    Args:
        pieces: its lines, without their dates.
    """
    employers = [match[1].strip() for piece in pieces if (match := _EMPLOYER_LABEL.fullmatch(piece))]
    labelled = [match[1].strip() for piece in pieces if (match := _ROLE_LABEL.fullmatch(piece))]
    if employers:
        return Position(_employer(employers[0]), labelled[0] if labelled else "")
    parts = _parts(pieces, at=True)
    roles = [part for part in parts if names_role(part)]
    others = [part for part in parts if not names_role(part)]
    if roles and others:
        employer = next((part for part in others if _ORGANISATION.search(part)), others[0])
        role = next((part for part in roles if not _ORGANISATION.search(part)), roles[0])
        return Position(_employer(employer), role)
    if roles:
        return _divided(max(roles[:2], key=lambda part: "," in part), roles)
    if not others:
        return Position("", "")
    employer = next((part for part in others if _ORGANISATION.search(part)), others[0])
    rest = [part for part in others if part != employer]
    return Position(_employer(employer), rest[0] if rest else "")


def _divided(part: str, roles: list[str]) -> Position:
    """Employer and role of a part that has both, or whose employer has a word for a role in its name."""
    pieces = _joined(_COMMA.split(part, maxsplit=_MOST_PARTS))
    of_role = [index for index, piece in enumerate(pieces) if names_role(piece) and not _ORGANISATION.search(piece)]
    if len(pieces) == 1 or not of_role:
        rest = [each for each in roles if each != part]
        return Position(_employer(rest[0]), part) if rest else Position("", part)
    role_at = of_role[0]
    after, before = pieces[role_at + 1 :], pieces[:role_at]
    if before:
        return Position(_employer(", ".join(before)), ", ".join(pieces[role_at:]))
    return Position(_employer(", ".join(after)), pieces[role_at])


def _employer(part: str) -> str:
    """The name without the place behind it."""
    pieces = _joined(_COMMA.split(part, maxsplit=_MOST_PARTS))
    kept = pieces[:1]
    for piece in pieces[1:]:
        if not _ORGANISATION.search(piece):
            break
        kept.append(piece)
    return _IN_BRACKETS.sub("", ", ".join(kept)).strip(_EDGES)


def read_school(pieces: list[str]) -> School:
    """School, degree and subject of a head. A course without a school has its name for one."""
    parts = [piece for part in _parts(pieces, at=True) for piece in _joined(_COMMA.split(part, maxsplit=_MOST_PARTS))]
    schools = [part for part in parts if _SCHOOL.search(part)]
    degrees = [part for part in parts if _DEGREE.search(part) and part not in schools]
    rest = [part for part in parts if part not in schools and part not in degrees]
    school = schools[0] if schools else rest[0] if rest else degrees[0] if degrees else ""
    if len(schools) > 1 and not degrees:
        degrees = [part for part in schools[1:] if _DEGREE.search(part)]
    degree = next((part for part in degrees if part != school), "")
    _, is_named, subject = re.sub(r"\s(?:of|in)\s", "\0", degree).rpartition("\0")
    if not is_named:
        subject = _BESIDE_DEGREE.sub("", _DEGREE.sub("", degree)).strip(_EDGES + ".'’")
    return School(school, degree, subject)


def _parts(pieces: list[str], *, at: bool) -> list[str]:
    parts = [part for piece in pieces for part in _APART.split(piece, maxsplit=_MOST_PARTS)]
    if at:
        parts = [part for piece in parts for part in _AT.split(piece, maxsplit=_MOST_PARTS)]
    return [text for part in parts if (text := part.strip(_EDGES if "(" not in part else _EDGES.replace("()", "")))]


def _joined(pieces: list[str]) -> list[str]:
    """Pieces between commas; "Inc." belongs to what is before it."""
    joined: list[str] = []
    for piece in filter(None, (each.strip() for each in pieces)):
        if joined and _IS_LEGAL.fullmatch(piece):
            joined[-1] = f"{joined[-1]}, {piece}"
        else:
            joined.append(piece)
    return joined
