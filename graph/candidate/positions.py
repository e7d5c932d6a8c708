"""Position: which of the lines around a stretch of time is the employer, and which the role. This is the one place.

The lines are cut into parts at tabs, bars, dashes, dots, "@" and "at". Then, in this order:

1. Labels say it themselves ("Employer: …", "Position: …"); so do the columns of a table, which become labels
   (`graph.candidate.tables`), and sentences ("Worked as an accountant at Contoso").
2. Of several parts, the role is the one that looks most like one, and the employer the one of the others that looks
   most like an organisation: by words for what people are ("engineer", "nurse") at the end of the part or before "of",
   by legal forms ("Ltd", "GmbH"), by words for organisations ("hospital", "bank"). What is only a place, a remark
   ("remote") or a description in small letters is neither. Where nothing tells, the first is the employer and the
   second the role.
3. A single part with commas is divided: "Account Executive, Contoso, Chicago". Behind a role, the name of a department
   ("Director, Infrastructure Operations") belongs to the role, and there is no employer.

Of the employer's name its place and remarks in brackets are dropped, unless what follows a comma belongs to it
("Fabrikam, Inc.") or names the whole of which it is a part ("School of Samples, University of Northwind").
Without an employer, the caller takes the one of the entry before, whose heading stands above both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph.candidate.vocabulary import (
    CONTRACT,
    DEPARTMENT_WORDS,
    DURATION,
    IS_LEGAL,
    KNOWN_PLACE,
    LEGAL_FORM,
    NO_POSITION,
    ORGANISATION,
    PART_OF_ORGANISATION,
    PLACE,
    ROLE,
    SELF_EMPLOYED,
    WEAK_ORGANISATION,
    label,
    names_role,
)

_EMPLOYER_LABEL = label(
    r"(?:name (?:and address )?of )?(?:the )?employer|company(?: name)?|organi[sz]ation|firm|institution|hospital|"
    r"arbeitgeber|firma"
)
_CLIENT_LABEL = label("client|customer|kunde")
_ROLE_LABEL = label(
    r"occupation or position held|position(?: held)?|(?:job |project )?role|(?:job )?title|designation|occupation|job|"
    r"function|beruf|tätigkeit"
)
_SENTENCE = re.compile(
    r"(?:(?:am |i am |was |have )?(?:currently |presently |previously )?"
    r"(?:work(?:ed|ing)|employed|serv(?:ed|ing)|engaged|associated)\s)"
    r"(?:as|in the role of)\s(?:an?\s|the\s)?(?P<role>[^,.;]{3,60}?)\s"
    r"(?:in|at|with|for|by)\s(?:the\s)?(?P<employer>.{2,120}?)"
    r"(?:,?\s(?:from|since|between|until|till|during|for)\b.{0,80})?\.?$",
    re.IGNORECASE,
)
APART = re.compile(r"\t|\s\|\s|\s[\N{EN DASH}\N{EM DASH}]\s|\s-{1,2}\s|\s[@·•∙⋅►>]\s|\s//?\s|;\s")
_AT = re.compile(r"\s(?:at|bei|chez|@)\s(?:the\s)?(?=[A-ZÀ-Þ0-9])")
COMMA = re.compile(r",\s{1,5}")
_BOTH_ROLES = re.compile(r"(?<=\w) / (?=\w)")
MOST_PARTS = 12
EDGES = " \t,;:|-\N{EN DASH}\N{EM DASH}·•→()"
IN_BRACKETS = re.compile(r"\s{0,3}\(([^()]{0,120})\)\s{0,3}$")
_HEAD_OF = re.compile(r"(?:of|for|in|to|on|-|/|\(|,|:|I{1,3}V?|[1-5])$|(?:of|for|in|to|on)\s|[,(:/–]", re.IGNORECASE)
_LONGEST_NAME = 10


@dataclass(frozen=True, slots=True)
class Position:
    """What the head of an experience says."""

    employer: str
    role: str
    is_certain: bool = True
    """False where nothing but a comma tells the employer from the role."""
    is_one: bool = True
    """False for what is none: a career break, a stay abroad."""


def read_position(pieces: list[str]) -> Position:
    """Employer and role of a head.

    Args:
        pieces: its lines, without their dates.
    """
    if labelled := _labelled([cell for piece in pieces for cell in (piece, *piece.split("\t"))]):
        return labelled
    for piece in pieces:
        if match := _SENTENCE.match(piece):
            return Position(employer_name(match["employer"]), match["role"].strip())
    parts = parts_of(pieces)
    if any(NO_POSITION.search(part) for part in parts[:2]) and not any(_role_points(part) > 0 for part in parts):
        return Position("", "", is_one=False)
    return _of_parts(parts)


def _labelled(pieces: list[str]) -> Position | None:
    employers, clients, roles = (
        [match[1].strip() for piece in pieces if (match := pattern.fullmatch(piece))]
        for pattern in (_EMPLOYER_LABEL, _CLIENT_LABEL, _ROLE_LABEL)
    )
    if not (employers or clients):
        return None
    return Position(employer_name((employers or clients)[0]), _role(roles[0]) if roles else "")


def _of_parts(parts: list[str]) -> Position:
    named = [part for part in parts if not _is_neither(part)] or parts
    roles = sorted((part for part in named if _role_points(part) > 0), key=_role_points, reverse=True)
    if not named:
        return Position("", "")
    if not roles:
        employer = max(named, key=lambda part: (_organisation_points(part), -named.index(part)))
        rest = [part for part in named if part != employer]
        return Position(employer_name(employer), _role(rest[0]) if rest else "")
    role = roles[0]
    others = [part for part in named if part != role]
    if not others:
        named_so = (part for part in parts if part != role and not KNOWN_PLACE.fullmatch(part))
        alone = next((part for part in named_so if SELF_EMPLOYED.fullmatch(part) or PLACE.fullmatch(part)), "")
        divided = _divided(role)
        return divided if divided.employer or not alone else Position(employer_name(alone), _role(role))
    employer = max(others, key=lambda part: (_organisation_points(part) - _role_points(part), -others.index(part)))
    divided = _divided(role)
    if divided.employer and _organisation_points(divided.employer) > max(0, _organisation_points(employer)):
        return divided  # "Nurse, Contoso Hospital" with a remark beside it
    if _organisation_points(employer) <= 0 and _role_points(employer) > 0:
        return (
            _divided(max(roles[:2], key=lambda part: "," in part))
            if any("," in each for each in roles)
            else Position("", role)
        )
    return Position(employer_name(employer), _role(role))


def _role_points(part: str) -> int:
    """How much a part looks like a role: 2 with the word for it at its end or before "of", 1 with it anywhere."""
    return max(map(_points_of_piece, COMMA.split(part, maxsplit=MOST_PARTS)))


def _points_of_piece(piece: str) -> int:
    piece = piece.split("(", maxsplit=1)[0]
    matches = list(ROLE.finditer(piece))
    if not matches:
        return 0
    after = piece[matches[-1].end() :].strip()
    if not after or _HEAD_OF.match(after):
        return 2 - 2 * bool(LEGAL_FORM.search(piece))
    return 1 - 2 * _is_organisation(piece)


def _organisation_points(part: str) -> int:
    points = (
        3 * bool(LEGAL_FORM.search(part)) + 2 * bool(ORGANISATION.search(part)) + bool(WEAK_ORGANISATION.search(part))
    )
    return (
        points - (1 if part[:1].islower() or len(part.split()) > _LONGEST_NAME else 0) - 2 * bool(PLACE.fullmatch(part))
    )


def looks_like_organisation(text: str) -> bool:
    """True for a line that has a legal form or a word for organisations, and is no role."""
    return _organisation_points(text) > 0 and _role_points(text) <= 0


def _is_organisation(part: str) -> bool:
    return bool(ORGANISATION.search(part) or LEGAL_FORM.search(part))


def _is_neither(part: str) -> bool:
    bare = part.strip("()")
    return bool(
        PLACE.fullmatch(part) or CONTRACT.fullmatch(bare) or SELF_EMPLOYED.fullmatch(bare) or DURATION.fullmatch(part)
    )


def _divided(part: str) -> Position:
    """Employer and role of a part that has both, with commas between them."""
    pieces = _joined(COMMA.split(part, maxsplit=MOST_PARTS))
    of_role = [index for index, piece in enumerate(pieces) if _points_of_piece(piece) > 0]
    of_role = [index for number, index in enumerate(of_role) if index == of_role[0] + number]
    if len(pieces) == 1 or not of_role:
        return Position("", _role(part))
    before, after = pieces[: of_role[0]], pieces[of_role[-1] + 1 :]
    if before:
        return Position(employer_name(", ".join(before)), _role(", ".join(pieces[of_role[0] :])), is_certain=False)
    known = next((at for at, piece in enumerate(after) if _is_organisation(piece) and not _is_ward(piece)), None)
    of_department = next((at for at, piece in enumerate(after) if not _is_department(piece)), len(after))
    cut = of_department if known is None or PART_OF_ORGANISATION.match(after[0]) else known
    role = ", ".join(pieces[: len(pieces) - len(after) + cut])
    places = [piece for piece in after[cut:] if not PLACE.fullmatch(piece)]
    return Position(employer_name(", ".join(places)), _role(role), is_certain=known is not None)


def _is_ward(piece: str) -> bool:
    """True for the name of a part of a hospital or a firm, which is none of the whole."""
    return bool(re.search(r"\b(?:unit|ward|department|dept|group)$", piece, re.IGNORECASE)) and not LEGAL_FORM.search(
        piece
    )


def _is_department(piece: str) -> bool:
    words = re.findall(r"[^\W\d_]+", piece.lower())
    return bool(words) and not _is_organisation(piece) and all(word in DEPARTMENT_WORDS for word in words)


def employer_name(part: str) -> str:
    """The name without the place behind it and without remarks."""
    pieces = _joined(COMMA.split(IN_BRACKETS.sub("", part), maxsplit=MOST_PARTS))
    kept = pieces[:1]
    for piece in pieces[1:]:
        if not ORGANISATION.search(piece) or not PART_OF_ORGANISATION.match(kept[-1]):
            break
        kept.append(piece)
    return IN_BRACKETS.sub("", ", ".join(kept)).strip(EDGES)


def _role(part: str) -> str:
    """The role without remarks on the contract."""
    if (match := IN_BRACKETS.search(part)) and CONTRACT.search(match[1]):
        part = part[: match.start()]
    pieces = COMMA.split(part, maxsplit=MOST_PARTS)
    while len(pieces) > 1 and (CONTRACT.fullmatch(pieces[-1]) or PLACE.fullmatch(pieces[-1])):
        pieces.pop()
    return ", ".join(pieces).strip(EDGES if "(" not in part else EDGES.replace("()", ""))


def parts_of(pieces: list[str]) -> list[str]:
    """What stands apart in lines; two roles with a stroke between them are one part."""
    whole = (_whole_roles(piece.replace("\0", " ")) for piece in pieces)
    cut = [part for piece in whole for part in APART.split(piece, maxsplit=MOST_PARTS)]
    parts = [part for piece in cut for part in _AT.split(piece, maxsplit=MOST_PARTS)]
    stripped = (
        part.replace("\0", " / ").strip(EDGES if "(" not in part else EDGES.replace("()", "")) for part in parts
    )
    return [part for part in stripped if part]


def _whole_roles(piece: str) -> str:
    sides = _BOTH_ROLES.split(piece, maxsplit=MOST_PARTS)
    return "\0".join(sides) if len(sides) > 1 and all(map(names_role, sides)) else piece


def _joined(pieces: list[str]) -> list[str]:
    """Pieces between commas; "Inc." belongs to what is before it."""
    joined: list[str] = []
    for piece in filter(None, (each.strip() for each in pieces)):
        if joined and IS_LEGAL.fullmatch(piece):
            joined[-1] = f"{joined[-1]}, {piece}"
        else:
            joined.append(piece)
    return joined
