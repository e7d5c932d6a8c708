"""Hearing: words that may not have been said are marked, so that nobody hears them back.

The recogniser says of each word how sure it is; and what it is sure of and still made up ("the Alchem hangs on timing")
is told by a vocabulary of English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from functools import cache

from domain.question import Question
from domain.verdict import Evaluation, Verdict
from domain.vocabulary import FILLERS
from graph.encoders.runtime import TOKENIZER, EncoderError
from graph.judging.quote_matching import plain

FILLING = FILLERS | frozenset("ah basically actually obviously honestly".split())
UNHEARD = "\N{REPLACEMENT CHARACTER}"
"""Stands before a word that may not be what was said."""
_STOP = re.compile(r"[^,.;:?!…]")
_PARTS = re.compile(r"[^\W\d_]+")
_ENDINGS = ("", "s", "es", "d", "ed", "r", "er", "rs", "ers", "ly", "ing", "ings", "able", "ation")
_SHORTEST_STEM = 4


def surely_heard(
    evaluation: Evaluation, unsure_words: Mapping[int, Collection[int]], about: Question | None = None
) -> Evaluation:
    """The evaluation as it can be spoken of: what a word stands in that may not have been said, is not said back.

    Args:
        evaluation: with verdicts whose quotes count words from the first of its spans.
        unsure_words: which words of a turn may not be what was said, by its number.
        about: the question, when words were heard: one that neither English nor the question has is a mishearing,
            however sure the recogniser was.
    """
    said = [(span.turn, word) for span in evaluation.spans for word in range(span.first_word, span.last_word + 1)]
    unsure = frozenset(place for place, (turn, word) in enumerate(said) if word in unsure_words.get(turn, ()))
    if not unsure and about is None:
        return evaluation
    known = words_of(about) if about else None
    verdicts = tuple(_blotted(each, unsure, known) for each in evaluation.verdicts)
    return evaluation if verdicts == evaluation.verdicts else evaluation.model_copy(update={"verdicts": verdicts})


def _blotted(verdict: Verdict, unsure: frozenset[int], known: Collection[str] | None) -> Verdict:
    quote = verdict.quote
    if quote is None:
        return verdict
    words = quote.text.split()
    placed = len(words) == quote.last_word - quote.first_word + 1
    # Where it is not known which of them it is, it may be any.
    anywhere = not placed and not unsure.isdisjoint(range(quote.first_word, quote.last_word + 1))

    def is_sure(place: int, word: str) -> bool:
        if plain(word) in FILLING:
            return True
        return not anywhere and not (placed and place in unsure) and (known is None or is_known(word, known))

    marked = " ".join(
        word if is_sure(place, word) else UNHEARD + _STOP.sub("", word)
        for place, word in enumerate(words, start=quote.first_word)
    )
    if marked == quote.text:
        return verdict
    return verdict.model_copy(update={"quote": quote.model_copy(update={"text": marked})})


def words_of(question: Question) -> frozenset[str]:
    """Words that belong to a question and its answer, in small letters, whether or not a vocabulary has them."""
    rubric = question.rubric or question.targets
    texts = (question.text, question.expected_answer, *question.concepts, *rubric.points, *rubric.misconceptions)
    return frozenset(_PARTS.findall(" ".join((*texts, question.topic_title)).casefold()))


def is_known(word: str, about: Collection[str]) -> bool:
    """True for a word of English or of the question, an inflected form of one, or what joins such words or has figures.

    Args:
        word: as it was recognised, with or without its punctuation.
        about: `words_of` the question.

    Raises:
        EncoderError: the vocabulary is missing or damaged.
    """
    return all(_is_word(part, about) for part in _PARTS.findall(word.casefold()))


def _is_word(part: str, about: Collection[str]) -> bool:
    known = _vocabulary()
    stems = (part.removesuffix(ending) for ending in _ENDINGS if part.endswith(ending))
    bases = [stem for stem in stems if stem == part or len(stem) >= _SHORTEST_STEM]
    return any(base in known or base in about or f"{base}e" in known or base[:-1] in about for base in bases)


@cache
def _vocabulary() -> frozenset[str]:
    try:
        pieces = json.loads(TOKENIZER.read_bytes())["model"]["vocab"]
    except (OSError, ValueError, KeyError) as error:
        raise EncoderError(f"{TOKENIZER} is missing or damaged ({error}). Install Viva again.") from error
    return frozenset(piece for piece in pieces if not piece.startswith("##"))
