"""Listening signal: when a pause is met by a quiet "mm-hm", which takes no turn. Pure rules.

People who listen show it at about every pause at the end of a clause (Yngve, "On getting a word in edgewise", Chicago
Linguistic Society 1970; Ward and Tsukahara, Journal of Pragmatics 2000, who heard it 0.7 s after its cue). It says
"I am with you, go on or end": whoever had finished hears that they were heard, and whoever had not is not stopped.
"""

from __future__ import annotations

from dataclasses import replace

from agent.endpointing.policy import Signals, Wait, wait
from domain.vocabulary import Ending

AFTER_S = 0.7
"""Of silence: one of about a second is heard as trouble (Roberts, Francis and Morgan, Speech Communication 2006)."""
_LATEST_S = 1.1
"""… after which it is none: words that are known later leave no room for it, and whoever only paused goes on about
then. Of 13 signals in a rehearsal three came after 1.3 s, and two of them with the candidate's next word."""
_LASTS_S = 0.45
"""What is said in words does not follow sooner: the signal would be heard as its beginning."""
REPLY_S = 0.25
"""The first word of a reply is heard at least so long after the answer was taken."""
BEFORE_WORDS_S = _LASTS_S - REPLY_S
"""So long after a signal no answer is taken."""
_FEWEST_WORDS = 8
"""Before so many new words there was nothing to listen to: two short clauses do not get one each."""
_GRANTED_S = 2.2
"""How long a silence that a signal has met may be made in all."""
_GRANTED_RISK = 0.5
"""… for this share of the chance of cutting off: who has heard that somebody listens loses little by waiting."""
_LEFT_ALONE: frozenset[Ending] = frozenset({"hold", "closing", "request", "open", "trailing"})
"""Who asked for time, looks for a word or asks something is not hurried; who says that they are done is answered."""


def signal_in_s(decided: Wait, *, silent_s: float, new_words: int) -> float | None:
    """In how many seconds from now the candidate is to hear that somebody listens; None for not at all.

    Args:
        decided: how long the silence may last before the answer is over.
        silent_s: how long it has lasted.
        new_words: how many were said in the turn since the last signal.
    """
    due_s = meanwhile_in_s(decided.ending, silent_s=silent_s, new_words=new_words)
    if due_s is None or decided.seconds - (silent_s + due_s) < _LASTS_S:
        return None
    return due_s


def meanwhile_in_s(ending: Ending, *, silent_s: float, new_words: int) -> float | None:
    """The same while it is still being judged whether the answer is over; None for not at all.

    Judging takes longer than a signal lasts, and what is said to the answer comes after it: whoever had finished is
    shown as well that they were heard.

    Args:
        ending: how the words end.
        silent_s: how long nobody has spoken.
        new_words: how many were said in the turn since the last signal.
    """
    at_s = max(AFTER_S, silent_s)
    if ending in _LEFT_ALONE or new_words < _FEWEST_WORDS or at_s > _LATEST_S:
        return None
    return at_s - silent_s


def granted(decided: Wait, signals: Signals, *, risk: float) -> Wait:
    """The wait of a silence that a listening signal meets: longer, because it is no silence any more."""
    if signals.touched is None:
        return decided
    longer_s = min(wait(signals, risk=risk * _GRANTED_RISK).seconds, _GRANTED_S)
    return replace(decided, seconds=max(decided.seconds, longer_s))
