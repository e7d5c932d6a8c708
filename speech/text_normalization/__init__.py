"""TextNormalizer: text made speakable before it is synthesised, with the way back to the words as written.

Numbers with units, dates, versions, code, addresses, formulas and acronyms are said as people in the field say them.
What Piper's phonemiser (espeak-ng) says right by itself is left to it: whole numbers, decimals, ordinals, most words.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from speech.text_normalization.lexicon import capital_rules, english, term_rules
from speech.text_normalization.markup import address_rules, markup_rules
from speech.text_normalization.maths import complexity_rules, maths_rules, sign_rules
from speech.text_normalization.names import name_rules
from speech.text_normalization.quantities import quantity_rules
from speech.text_normalization.rules import RewriteRule, RewrittenPiece, SpokenText, apply
from speech.text_normalization.times import time_rules

__all__ = ["RewrittenPiece", "SpokenText", "TextNormalizer"]

_DEEPEST = 4
"""How often what a rule says is looked at again; every rule takes signs away, so that three times have been enough."""


class TextNormalizer:
    """How an interview's texts are said.

    Args:
        pronunciations: terms of the interview's own and how they are said ("nginx": "engine X"). They come before
            everything else. One with a capital letter is found as it is written, one without in any case.
        language: language of the voice, as espeak-ng calls it. Words for signs and numbers are English: a voice of
            another language gets the pronunciations alone.
    """

    def __init__(self, pronunciations: Mapping[str, str] | None = None, *, language: str = "en") -> None:
        is_english = language.split("-", maxsplit=1)[0] == "en"
        self._rules = [*markup_rules(), *term_rules(pronunciations or {}), *(_english_rules() if is_english else ())]

    def say(self, text: str) -> SpokenText:
        """How a text is said. Any text will do."""
        return self._say(text, _DEEPEST)

    def _say(self, text: str, depth: int) -> SpokenText:
        return apply(text, self._rules, lambda words: self._say(words, depth - 1).text if depth else words)


@functools.cache
def _english_rules() -> tuple[RewriteRule, ...]:
    lexicon = english()
    return (
        *address_rules(),
        *time_rules(lexicon),
        *complexity_rules(),
        *quantity_rules(lexicon),
        *term_rules(lexicon.say),
        *maths_rules(),
        *name_rules(),
        *capital_rules(lexicon),
        *sign_rules(lexicon),
    )
