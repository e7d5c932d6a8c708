"""Noun phrases: names of ideas as they stand in a spoken sentence, where a pack may have a label ("Database index")."""

from __future__ import annotations

import re

from graph.templates import in_mid_sentence

_UNCOUNTABLE = re.compile(
    r"(?:ing|ity|ency|ancy|ness|ism|ics|hood|ship|ance|ence|age|work|ware|ment|ure|[^e]ry|cy|phy)$|"
    r"(?:(?<!func)(?<!ac)(?<!cep)(?<!ques)(?<!condi)(?<!transac)(?<!parti)(?<!excep)(?<!posi)(?<!sta)"
    r"(?<!assump)(?<!connec)(?<!transi)(?<!interac)t|(?<!ses)(?<!mis)(?<!ci)(?<!ver)(?<!men)s)ion$"
)
"""Endings of names that have no plural: "caching", "idempotency", "isolation". Not "function" or "partition"."""
_NO_PLURAL = frozenset(
    "aside recall descent drift fan-out failover delivery trust downtime code data trick analysis python".split()
)
_COUNTABLE = frozenset(
    "network framework key query image message language page stage procedure experiment document statement".split()
)
_IRREGULAR = {"matrix": "matrices", "index": "indexes", "vertex": "vertices", "man": "men"}
_AS_IT_IS = re.compile(
    r"\b(?:the|an?|and|or|of|with|without|in|on|for|from|by|between|versus|to|as|at|one)\b", re.IGNORECASE
)
"""A name with one of these is a phrase already, not a label."""


def as_subject(name: str) -> str:
    """The name of an idea as it is spoken about: "Database index" becomes "database indexes".

    A pack may write its names as they are spoken ("the B tree index", "replication lag"), in small letters: those stay.
    What begins with a capital is a label, and a thing that can be counted is then spoken of in the plural, which needs
    no article. Nothing here has to be right about every word of English: who writes a name as spoken is always safe.
    """
    first, rest = name[:1], in_mid_sentence(name)
    if not first.isupper() or _AS_IT_IS.search(name):
        return rest
    stem, _, last = rest.rpartition(" ")
    return f"{stem} {_plural(last)}".strip()


def _plural(word: str) -> str:
    small = word.lower()
    if small in _IRREGULAR:
        return _IRREGULAR[small]
    if small not in _COUNTABLE and (small in _NO_PLURAL or _UNCOUNTABLE.search(small)):
        return word
    if not small.isalpha() or word.isupper() or (small.endswith("s") and not small.endswith("ss")):
        return word
    if small.endswith(("x", "ch", "sh", "z", "ss")):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", small) else f"{word}s"
