"""Noise: silence that a recogniser made words of, sounds, and the same syllable over and over."""

from __future__ import annotations

import re
from collections import Counter

from graph.intents.normalize import Stretch

_INVENTED = re.compile(
    r"^(?:and |so |okay |well ){0,8}(?:"
    r"(?:thank you|thanks)(?: so much| very much| a lot| all| guys| everyone){0,8} for (?:watching|listening|viewing|tuning in)"
    r"(?: \w+){0,8}|"
    r"(?:please |and |do not forget to |remember to |make sure to |like |comment |share |hit |the |smash |click ){0,20}"
    r"(?:subscribe|subscribed|bell icon|like button|notification bell)(?: \w+){0,6}|"
    r"(?:i will )?see you (?:all |guys )?(?:in the |on the |in my )?next (?:video|episode|one|time)(?: \w+){0,4}|"
    r"(?:subtitles?|subs|captions?|captioned|captioning|transcribed|transcript|transcription|translated|translation|"
    r"closed captioning|closed captions)(?: \w+){0,2} (?:by|from)(?: \w+){0,8}|"
    r"(?:amara org|www \w+|copyright|all rights reserved)(?: \w+){0,8}|"
    r"(?:\w+ )?(?:music|applause|laughter|silence|inaudible|noise|blank audio|coughing|sighs?|beeping|static)"
    r"(?: playing| stops| ends| continues)?"
    r")$"
)
"""What Whisper writes for silence and noise, learned from the subtitles it was trained on."""

_WORDLESS = frozenset("the a an of to in on at by and or is it as for that be with".split())
"""Words that say nothing by themselves, however many of them there are."""
_REPETITIONS = 3
_SHARE_REPEATED = 0.75
_LONGEST_PHRASE = 4
_NO_WORD = re.compile(r"^(?![aeiouy])[^\Waeiouy\d]{3,}$")
"""Three or more consonants and no vowel."""
_KNOWN_WITHOUT_VOWELS = frozenset(
    "http https html css sql xml tcp dns tls ssl ssh jwt nlp svm pdf ftp npm kpi grpc rpc".split()
)


def is_noise(said: Stretch) -> bool:
    """True when a whole utterance holds nothing that could be understood."""
    tokens = said.tokens
    if not tokens or _INVENTED.match(said.text):
        return True
    if all(token in _WORDLESS for token in tokens):
        return True
    if all(_NO_WORD.match(token) and token not in _KNOWN_WITHOUT_VOWELS for token in tokens):
        return True
    return _is_stuttered(tokens)


def _is_stuttered(tokens: tuple[str, ...]) -> bool:
    if len(tokens) < _REPETITIONS:
        return len(tokens) == _REPETITIONS - 1 and tokens[0] == tokens[1] and tokens[0] in _WORDLESS
    for size in range(1, min(_LONGEST_PHRASE, len(tokens)) + 1):
        phrases = [tokens[index : index + size] for index in range(0, len(tokens) - size + 1, size)]
        phrase, count = Counter(phrases).most_common(1)[0]
        if count >= _REPETITIONS and count * size >= _SHARE_REPEATED * len(tokens):
            return not (size == 1 and phrase[0] in {"no", "yes", "wait", "stop", "help", "repeat", "slower", "faster"})
    return False
