"""Lint of the lexicon: spellings of two skills, flags of nothing, spellings that a rule makes, and plain words.

A spelling needs no entry where `graph.candidate.lexicon.spellings` makes it, and all that it would make, of the others
of its skill. A single word that is plain English has to be called ambiguous, or to count only in lists, unless
`plain-words.yaml` says that it means the skill wherever it stands ("statistics").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from graph.candidate.lexicon.schema import HERE, PLAIN_WORDS_FILE, LexiconFiles, SkillFile, content_of, key_of
from graph.candidate.lexicon.spellings import Key, other_spellings


def faults(files: LexiconFiles) -> list[str]:
    """What is wrong with the lexicon, a sentence each; nothing when it can be used."""
    found = _doubled((name, aliases) for each in files.skills for name, aliases in each.skills.items())
    found += _doubled((name, aliases) for fields in files.domains.values() for name, aliases in fields.items())
    categories = [each.category for each in files.skills]
    found += [f"category {name!r} has two files" for name in sorted(set(categories)) if categories.count(name) > 1]
    for each in files.skills:
        known = {key_of(spelling) for spelling in _spellings(each)}
        flagged = _flagged(each)
        found += [
            f"{word!r} is called ambiguous in {each.category!r}, and is no spelling there"
            for word in (*each.ambiguous, *each.in_lists)
            if key_of(word) not in known
        ]
        found += [
            f"{alias!r} of {name!r} needs no entry: a rule makes it of another spelling"
            for name, aliases in each.skills.items()
            for alias in needless(name, aliases, flagged=flagged)
        ]
    return found


def plain_words(files: LexiconFiles, words: Container[str]) -> list[str]:
    """Single words that are plain English and count wherever they stand, a sentence each.

    Args:
        files: of the lexicon.
        words: plain words of English, in lower case.
    """
    allowed = {key_of(word) for group in _allowed().values() for word in group}
    return [
        f"{spelling!r} in {each.category!r} is a plain word: ambiguous, only in lists, or in {PLAIN_WORDS_FILE}"
        for each in files.skills
        for spelling in sorted(_plain(each, words, allowed | _flagged(each)))
    ]


def _plain(file: SkillFile, words: Container[str], told: Container[Key]) -> Iterator[str]:
    for spelling in _spellings(file):
        key = key_of(spelling)
        if len(key) == 1 and key[0].isalpha() and key[0] in words and key not in told:
            yield spelling


def needless(name: str, aliases: Sequence[str], *, flagged: frozenset[Key]) -> list[str]:
    """Other spellings of a skill that rules make of the rest, with all that they would add.

    Args:
        name: canonical.
        aliases: its other spellings.
        flagged: spellings of its file that are ambiguous or count only in lists: of these rules make nothing, or
            something else.
    """
    kept = [name, *aliases]
    found: list[str] = []
    for alias in aliases:
        rest = [_made(other) for other in kept if other != alias and key_of(other) not in flagged]
        if key_of(alias) not in flagged and _made(alias) <= set(chain.from_iterable(rest)):
            kept.remove(alias)
            found.append(alias)
    return found


@cache
def _made(spelling: str) -> frozenset[tuple[Key, bool]]:
    """All that one spelling stands for, each with whether it has to be written as a name."""
    return frozenset({(key_of(spelling), False), *other_spellings(spelling)})


def _spellings(file: SkillFile) -> Iterator[str]:
    return (spelling for name, aliases in file.skills.items() for spelling in (name, *aliases))


def _flagged(file: SkillFile) -> frozenset[Key]:
    return frozenset(map(key_of, (*file.ambiguous, *file.in_lists)))


def _allowed() -> Mapping[str, list[str]]:
    content = content_of(HERE / PLAIN_WORDS_FILE)
    assert isinstance(content, dict)
    return content


def _doubled(entries: Iterable[tuple[str, tuple[str, ...]]]) -> list[str]:
    """Spellings that stand for two names, or twice for one."""
    owners: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, aliases in entries:
        for spelling in (name, *aliases):
            owners[key_of(spelling)].append(name)
    return [f"{' '.join(key)!r} is a spelling of {' and of '.join(of)}" for key, of in owners.items() if len(of) > 1]
