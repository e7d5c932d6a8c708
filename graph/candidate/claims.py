"""Claims: what a résumé says of its writer's strengths, weaknesses and traits, under headings of that name.

Each bullet is a claim, and each item of a list that is divided by commas, semicolons or bars; a sentence is one as it
stands. Nothing is concluded from anything else: who writes "led a team" has not said that leading is a strength.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graph.candidate.lines import Line
from graph.candidate.skills import once

MOST_CLAIMS = 10
"""Of one kind; a longer list says nothing."""
MOST_WORDS = 20
"""Of one claim; what is longer is a story."""
_LIST = re.compile(r"\s*(?:[;|•·]|,(?!\d))\s*")
_LONGEST_ITEM = 4
"""Words of an item of a list; with longer ones between the commas it is a sentence."""
_AND = re.compile(r"(?:^|\s)(?:and|und|&)\s", re.IGNORECASE)
"""Before the last item of a list."""
_LABEL = re.compile(r"^[A-Za-z ]{2,30}:\s+(?=\S)")


def claims(lines: Iterable[Line]) -> tuple[str, ...]:
    """What is claimed in the lines of a section, each once, in their order."""
    return few_and_short(claim for line in lines if line.kind != "blank" for claim in _of_line(line))


def few_and_short(said: Iterable[str]) -> tuple[str, ...]:
    """What of this may be claims: the first `MOST_CLAIMS`, each once, of at most `MOST_WORDS`."""
    return once(claim for claim in said if 0 < len(claim.split()) <= MOST_WORDS)[:MOST_CLAIMS]


def _of_line(line: Line) -> Sequence[str]:
    text = line.text.strip(" .\t")
    *items, last = (item.strip(" .") for item in _LIST.split(_LABEL.sub("", text)))
    items += [part for part in _AND.split(last) if part] if items else []
    is_list = len(items) > 1 and all(len(item.split()) <= _LONGEST_ITEM for item in items)
    return items if is_list else [text]
