"""Hot words: what is likely in the next answer, for a recogniser that can be told. Pure.

Words of wrong answers are among them as much as those of right ones: nobody is to be heard as cleverer than they are.
Measured with Whisper base: a technical term is heard rightly in 17 of 20 sentences when it is among the words that it
is told, and in 12 otherwise; on whole model answers the word error rate stays where it is (`docs/hearing.md`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from domain.question import Question
from graph.judging.text.stems import content_stems

_SHORTEST = 5
"""Letters. Shorter words are common ones, and are heard well anyhow."""
_OF_RESUME = 20
"""So many names of a résumé at most."""
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
_NAME = re.compile(r"\b[A-Za-z]+(?:[A-Z0-9+#]+[A-Za-z0-9+#]*)+")
"""Names of products and techniques as they are written: PostgreSQL, gRPC, AWS, OAuth2."""


def likely_terms(question: Question, resume: str = "", skills: Sequence[str] = ()) -> tuple[str, ...]:
    """What is likely to be said, the likeliest first, each once.

    Args:
        question: what is open.
        resume: text of the candidate's résumé.
        skills: what it says they can do, by name; likely when they are asked about their own work.
    """
    names = list(dict.fromkeys(_NAME.findall(resume)))[:_OF_RESUME]
    known = skills[:_OF_RESUME] if question.source == "resume" else ()
    return tuple(dict.fromkeys([*question.concepts, *_rare_words(question), *known, *names]))


def _rare_words(question: Question) -> Iterator[str]:
    targets = question.targets
    # The points of a question about one's own work name nothing of the matter.
    points = () if question.source == "resume" else (*targets.points, *targets.misconceptions)
    for text in (question.text, *points):
        for word in _WORD.findall(text):
            if len(word) >= _SHORTEST and content_stems(word):
                yield word if any(letter.isupper() for letter in word[1:]) else word.lower()
