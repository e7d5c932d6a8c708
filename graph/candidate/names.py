"""Name of the person whom a résumé is about.

It is what a label says ("Name: …"), else the first of the first lines, and of headings of the highest rank, that
consists of words a name is made of: no greeting, no title of a document, no role, no place. Of several, the one whose
words stand in the e-mail address. A large name may run over two lines. A name in capitals is written as it is elsewhere
in the text, else with small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.candidate.headings import heading_kind
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.lines import Line
from graph.candidate.vocabulary import DEGREE, ORGANISATION, PLACE, WEAK_ORGANISATION, label, names_role

_TITLES = re.compile(
    r"(?:curriculum\s{1,3}vitae|resum[eé]|résumé|cv|lebenslauf|bewerbung|vita|bio-?data|profile|currículum)(?:\s(?:of|for|von|de)\b)?",
    re.IGNORECASE,
)
_CONTACT = re.compile(r"@|\d{3}|https?:|www\.|\b(?:tel|phone|e-?mail|address|mobile|linkedin|github)\b", re.IGNORECASE)
_LABEL = label(
    "(?:full |first and last |my )?name(?: and surname)?|nome|nombre|nom|naam|imię i nazwisko", value=r".{3,60}"
)
_PARTS = tuple(
    label(words, value=r"[^\t]{2,40}")
    for words in (
        "(?:first|given) names?|forename|vorname|prénom|nombre|imię",
        "surname|(?:last|family) name|nachname|nom(?: de famille)?|apellidos?|nazwisko",
    )
)
_INTRODUCED = re.compile(
    r"\b(?:I['’]m|I am|[Mm]y name is|[Ii]ch bin|[Jj]e suis)\s"
    r"((?:[A-ZÀ-Þ][^\W\d_'’-]{1,30}|van|von|de|der|da)(?:[\s'’-](?:[A-ZÀ-Þ][^\W\d_]{1,30}|van|von|de|der|da)){1,4})"
)
_GREETING = re.compile(
    r"(?:hi|hello|dear|hey|good|thanks?|regards|best|sincerely|kind|page|to|from|as|the|my|about)\b", re.IGNORECASE
)
_PARTICLES = "van|von|de|der|den|da|di|dos|das|do|del|della|al|el|bin|bint|ibn|la|le|y|e|zu|ter|ten|st|mac|af|av"
_WORD = re.compile(
    rf"(?:[^\W\d_]\.|[^\W\d_]{{1,3}}['’])?[^\W\d_][^\W\d_'’.-]{{0,30}}(?:['’-][^\W\d_]{{1,30}}){{0,2}}\.?|{_PARTICLES}",
    re.IGNORECASE,
)
_PARTICLE = re.compile(_PARTICLES, re.IGNORECASE)
_LETTERS_BEHIND = re.compile(
    r"(?:,\s{0,3}|\s{1,3})(?:[A-Z]{2,6}|Ph\.?\s?D\.?|[BM]\.?\s?(?:Sc|Eng|Tech|A|Ed)\.?|MBA|Jr\.?|Sr\.?|(?:he|she|they)/\w{2,5})$"
    r"|\s{0,3}\([^()]{1,30}\)$"
)
_BEFORE = re.compile(
    r"^(?:(?:dr|prof|mr|mrs|ms|mx|miss|herr|frau|ing|dipl|mag|rer|nat|med)\b\.?(?:-ing\b\.?|-[^\W\d_]{2,8}\b\.?)?\s{0,3}(?:\([^()]{1,8}\)\s{0,3})?)+",
    re.IGNORECASE,
)
_APART = re.compile(r"\t|\s[|·•]\s|\s[\N{EN DASH}\N{EM DASH}-]\s|,\s(?=[^\W\d_]{3,30}\s)")
_EMAIL = re.compile(r"([\w.+-]{1,64})@\w")
_FIRST_LINES = 25
_LONGEST, _LONGEST_LINE = 5, 80
_SHORTEST_IN_EMAIL = 3


def read_name(lines: Sequence[Line], text: str) -> str:
    """The name of whom a résumé is about; empty when no line looks like one.

    Args:
        lines: all of it.
        text: the same, as it was read.
    """
    said = [line for line in lines if line.kind != "blank"]
    for line in said:
        if (match := _LABEL.fullmatch(line.text)) and (name := _name(match[1].split("\t")[0])):
            return _spelled(name, text)
    parts = [next((match[1] for line in said if (match := part.fullmatch(line.text))), "") for part in _PARTS]
    if all(parts) and (name := _name(" ".join(parts))):
        return _spelled(name, text)
    first = [
        *said[:_FIRST_LINES],
        *(line for line in said[_FIRST_LINES:] if line.kind == "heading" and line.level == 1),
    ]
    found = list(_candidates(first))
    address = match[1].casefold() if (match := _EMAIL.search(text)) else ""
    best = [name for name in found if any(word in address for word in _long_words(name))] or found
    return _spelled(best[0], text) if best else ""


def _candidates(lines: Sequence[Line]) -> Iterator[str]:
    for index, line in enumerate(lines):
        if (match := _INTRODUCED.search(line.text)) and (name := _name(match[1])):
            yield name
        following = lines[index + 1] if index + 1 < len(lines) else None
        if line.kind == "heading" and following and (following.kind, following.level) == ("heading", line.level):
            whole = f"{line.text} {following.text}"
            if name := "" if heading_kind(following.text) else _name(whole):
                yield name
        if line.kind != "bullet" and len(line.text) <= _LONGEST_LINE and not line.text.endswith((",", "!")):
            yield from filter(None, [_name(_APART.split(line.text, maxsplit=1)[0])])


def _name(text: str) -> str:
    """The name that a text is; empty when it is none."""
    candidate = text.strip(" ,|*")
    if _TITLES.fullmatch(candidate):
        return ""
    candidate = (
        _TITLES.sub("", candidate, count=1).strip(" ,:|-\N{EN DASH}\N{EM DASH}")
        if _TITLES.match(candidate)
        else candidate
    )
    candidate = _BEFORE.sub("", candidate).strip()
    while (match := _LETTERS_BEHIND.search(candidate)) and len(candidate[: match.start()].split()) > 1:
        if candidate.isupper() and match[0][:1].isspace():
            break  # The whole name is in capitals: these are no letters of a degree.
        candidate = candidate[: match.start()]
    words = candidate.split()
    if not 1 < len(words) <= _LONGEST or _is_something_else(candidate):
        return ""
    is_name = all(map(_WORD.fullmatch, words)) and words[-1][0].isupper()
    return candidate if is_name and all(word[0].isupper() or _PARTICLE.fullmatch(word) for word in words) else ""


def _is_something_else(text: str) -> bool:
    """True for a role, an address, a greeting, a heading, a skill, a place, an organisation or a degree."""
    patterns = (_CONTACT, ORGANISATION, WEAK_ORGANISATION)
    is_known = bool(heading_kind(text) or lexicon().skills.exact(text) or PLACE.fullmatch(text))
    begins_so = bool(_GREETING.match(text) or DEGREE.match(text))
    return is_known or begins_so or names_role(text) or any(pattern.search(text) for pattern in patterns)


def _long_words(name: str) -> list[str]:
    words = (re.sub(r"[^\w]", "", word).casefold() for word in name.split())
    return [word for word in words if len(word) >= _SHORTEST_IN_EMAIL]


def _spelled(name: str, text: str) -> str:
    """A name in capitals as it is written elsewhere, else with small letters."""
    if not name.isupper():
        return name
    pattern = r"\s{1,3}".join(map(re.escape, name.split()))
    elsewhere = [match[0] for match in re.finditer(pattern, text, re.IGNORECASE) if not match[0].isupper()]
    mixed = next((each for each in elsewhere if each[:1].isupper()), "")
    return " ".join(mixed.split()) if mixed else " ".join(map(_small, name.split()))


def _small(word: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda match: match[0].capitalize(), word)
