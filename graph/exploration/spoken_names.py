"""Spoken names: how the interviewer speaks of what a résumé has as a heading: "the billing migration"."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from graph.templates import in_mid_sentence

_THINGS = frozenset(
    "api app application assistant backend bot calculator catalogue chatbot checkout compiler console crawler "
    "dashboard database editor engine extension feature forecast framework frontend game gateway generator import "
    "integration interface library marketplace migration model module monitor monitoring network overhaul parser "
    "pipeline platform plugin portal process processor program project prototype rebuild recommender redesign "
    "refactoring relaunch report reporting rewrite robot rollout scheduler search server service shop simulation "
    "simulator site store study suite system telemetry thesis tool tracker upgrade warehouse website wiki "
    "workflow".split()
)
"""What a name ends with that is a thing, not a brand: "Billing migration", not "Viva"."""
_NO_THINGS = frozenset("behavior cancer color error fiber honor labor paper power rubber silver water weather".split())
"""What ends like a thing that does something, and is none."""
_NAMES = frozenset(
    "american arabic asian british chinese english european french german greek italian latin spanish".split()
)
"""Subjects and parts of them that keep their capital."""
_WRITTEN = frozenset("thesis dissertation".split())
"""What somebody has written, and nobody uses."""
_ARTICLES = ("the ", "a ", "an ", "my ", "our ")
_PREPOSITIONS = frozenset("for of with in on to at using from and by".split())
_MOST_WORDS = 8


def spoken_project(title: str, proper: Collection[str] = ()) -> str:
    """A project in a sentence: "the billing migration", "your work on fraud detection", "your project Orbit".

    Args:
        title: as the résumé has it.
        proper: words that are names of their own, in small letters ("kafka").
    """
    title = _short(title)
    for article in _ARTICLES:
        if title.lower().startswith(article):
            return f"the {title[len(article) :]}"
    words = title.split()
    if words and {words[0].lower(), words[-1].lower()} & _WRITTEN:
        return f"your {_small(title, proper)}"
    if _head(words).lower() in _THINGS or _does_something(words):
        return f"the {_small(title, proper)}"
    if len(words) > 1 and all(word.islower() for word in words[1:]):
        first = title if words[0].lower() in proper else in_mid_sentence(title)
        return f"your work on {first}"
    return f"your project {title}"


def _does_something(words: Sequence[str]) -> bool:
    """It is named by what it does ("Home energy meter", "Ray tracer"), and not a brand ("Docker")."""
    last = words[-1] if words else ""
    return len(words) > 1 and last.islower() and last.endswith(("er", "or")) and last not in _NO_THINGS


def _head(words: Sequence[str]) -> str:
    """The word that says what it is: "API" of "REST API for partners"."""
    end = next((place for place, word in enumerate(words) if place and word.lower() in _PREPOSITIONS), len(words))
    return words[end - 1] if words else ""


def spoken_skill(skill: str) -> str:
    """A skill in a sentence: "Kafka", "demand forecasting"."""
    first, *others = skill.split()
    is_plain = others and all(word.islower() for word in others) and first[1:].islower()
    return in_mid_sentence(skill) if is_plain and first.lower() not in _NAMES else skill


def spoken_position(employer: str, role: str) -> str:
    """A position in a sentence: "your time at Contoso", "your work as a tutor"."""
    if employer:
        return f"your time at {_short(employer)}"
    role = _small(_short(role))
    article = "an" if role[:1] in "aeiou" else "a"
    return f"your work as {article} {role}"


def spoken_degree(degree: str, subject: str, school: str) -> str:
    """A degree in a sentence: "your degree in physics", "your time at the Northwind Institute"; empty for none."""
    if subject:
        return f"your studies in {_small(_short(subject), _NAMES)}"
    if school:
        return f"your time at {_short(school)}"
    return f"your {_short(degree)}" if degree else ""


def _short(name: str) -> str:
    """What comes before a bracket, a dash or a colon, and no more words than can be said in one breath."""
    for mark in ("(", "[", " - ", " \u2013 ", " \u2014 ", ": ", " | ", ", "):
        name = name.partition(mark)[0] or name
    return " ".join(name.split()[:_MOST_WORDS]).strip(" .,;:")


def _small(title: str, proper: Collection[str] = ()) -> str:
    """A heading in capitals ("Order Portal") as it stands in a sentence; names of its own ("iOS", "REST") stay."""
    return " ".join(
        word.lower() if word[:1].isupper() and word[1:].islower() and word.lower() not in proper else word
        for word in title.split()
    )
