"""Endpointing policy: how long to wait in a silence before the answer counts as over. Pure: signals in, seconds out.

Waiting is weighed by one rule. More will come when the sentence is not over, which words and melody tell, or when the
answer is not, which is told by how much of what was asked it has touched (`Signals`; what each signal counts is in
`weights.json`). The candidate's own pauses say how probable it is that a pause in mid-answer lasts this long
(`Pauses`). While nobody speaks, the chance that more will come falls, by Bayes:

    chance(t) = p * longer(t) / (p * longer(t) + 1 - p)

and the answer is over when it has fallen to `risk`, the policy's one knob. An answer that sounds complete is thereby
taken after a second, an unfinished clause gets three, and whoever pauses long is given longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log

from agent.endpointing.endings import are_doubtful, ending_of
from agent.endpointing.melody import Melody
from agent.endpointing.pauses import Pauses
from agent.endpointing.weights import SentenceWeights, Weights, load_weights
from domain.vocabulary import Ending, PatienceLevel

AN_ORDINARY_ANSWER = 25
"""Words of an answer to a question that nothing is known about."""

_SHORTEST_S, _LONGEST_S = 0.3, 3.5
_LONGEST_FOR: Mapping[Ending, float] = {"hold": 4.0, "complete": 2.5, "unpunctuated": 2.5}
"""Somebody who says "let me think" and nothing more is told to take their time after this, not asked anything. And
whoever has said a whole sentence may have no more to say, however little of what was asked it touched: a candidate of
short answers, who had once gone on after one, sat in 3.5 s of silence after each."""

FULL = 0.6
"""An answer with this share of the words that are expected is not short any more."""

_SUREST = 0.6
"""The chance of another sentence is taken to be no higher, however little was touched: some say no more than that, and
the judge does not see all that was said. In a rehearsal of nine rambling answers, hardly any of which touched what was
asked, the interviewer stayed silent for 3.5 s after each; with this it is 2.2 s, and more for who pauses longer."""
_MAY_END_AN_ANSWER: frozenset[Ending] = frozenset({"complete", "unpunctuated", "counting", "trailing", "open"})
"""The others say themselves whether more comes."""

_LONG_S, _A_LITTLE_S = 1.5, 0.15
"""Who has gone on twice after pauses of so many seconds is not taken for finished in one that is no longer, and a
little: even when all of what was asked has been touched, one more sentence often follows (docs/voice.md). Whoever asked
for less patience is."""

_FALLS = 0.9
"""Who sounds as much as this as if all was said is believed it, where the words alone would not be."""
_STOPS = (".", "!", "?")


RISKS: Mapping[PatienceLevel, float] = {"unhurried": 0.025, "relaxed": 0.05, "normal": 0.11, "quick": 0.2}
"""Chance that more would have come at which an answer is taken, by the interviewer's patience (docs/voice.md).
`unhurried`, for whoever asks for more than `relaxed`, takes half of its chance."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known when the candidate falls silent."""

    text: str
    """All words of the turn so far, as they were recognised."""
    expected_words: int = AN_ORDINARY_ANSWER
    """How long a full answer to the open question is about; 0 where a word is enough."""
    pauses: Pauses = field(default_factory=Pauses)
    """The candidate's own."""
    end_of_turn: float | None = None
    """What the sound of the pause says of the chance that the turn is over (`speech.end_of_turn`), 0 to 1; None when
    nobody judged it."""
    confidence: float = 1.0
    """The recogniser's, mean over the words, 0 to 1."""
    touched: float | None = None
    """How much of what was asked the answer has touched so far, rightly or not, 0 to 1; None when nobody can say."""
    cut_offs: int = 0
    """How often this candidate went on after an answer of theirs had been taken as over."""
    melody: Melody = field(default_factory=Melody)
    """How this candidate sounded in the pauses after which they went on."""


@dataclass(frozen=True, slots=True)
class Wait:
    """How long to wait, and why."""

    seconds: float
    """From the end of the candidate's voice."""
    ending: Ending
    chance_of_more: float
    """Before any silence, 0 to 1."""


def wait(signals: Signals, *, risk: float, weights: Weights | None = None) -> Wait:
    """How long this silence may last before the answer is over.

    Args:
        signals: what is known.
        risk: the chance of cutting off that is taken, between 0 and 1; smaller waits longer.
        weights: other ones than those of the file, to compare them.
    """
    ending = ending_of(signals.text)
    chance = _chance_of_more(signals, ending, weights or load_weights())
    risk /= 1 + signals.cut_offs  # whoever was cut off is given more time for the rest
    enough = risk * (1.0 - chance) / (chance * (1.0 - risk))
    doubtful = are_doubtful(len(signals.text.split()), signals.confidence)
    longest_s = _LONGEST_S if doubtful else _LONGEST_FOR.get(ending, _LONGEST_S)
    seconds = min(signals.pauses.exceeded_by(enough), longest_s)
    if _stops_to_think(signals, ending) and risk <= RISKS["relaxed"]:
        seconds = max(seconds, min(signals.pauses.gone_on_after_s + _A_LITTLE_S, _LONGEST_S))
    return Wait(max(seconds, _SHORTEST_S), ending, chance)


def _stops_to_think(signals: Signals, ending: Ending) -> bool:
    """Whether this may be one more of this candidate's long pauses, whatever else speaks for an end."""
    known = signals.touched is not None and ending in _MAY_END_AN_ANSWER
    return known and signals.pauses.gone_on_after_s >= _LONG_S


def _chance_of_more(signals: Signals, ending: Ending, weights: Weights) -> float:
    in_mid_sentence = _probability(_log_odds_of_more(signals, ending, weights.sentence))
    if signals.touched is None or ending not in _MAY_END_AN_ANSWER:
        return in_mid_sentence
    told = weights.answer.untouched + weights.answer.touched * signals.touched
    in_mid_answer = min(_probability(told), _SUREST)
    return 1.0 - (1.0 - in_mid_sentence) * (1.0 - in_mid_answer)


def _probability(log_odds: float) -> float:
    return 1.0 / (1.0 + exp(-log_odds))


def _log_odds_of_more(signals: Signals, ending: Ending, weights: SentenceWeights) -> float:
    if ending == "open" and signals.text.rstrip().endswith(_STOPS) and (signals.end_of_turn or 0.0) >= _FALLS:
        ending = "unpunctuated"  # "Which zip code are you located in.": some sentences do end so, and sound like it
    odds = weights.endings[ending]
    words = len(signals.text.split())
    if are_doubtful(words, signals.confidence):
        odds = max(odds, weights.endings["trailing"])  # how words end that were not said tells nothing: "let me sing."
    elif ending == "closing" and words == 1 and signals.expected_words > 1:
        odds = weights.endings["counting"]  # "Yes." may be the whole answer, or how one begins
    elif ending in ("complete", "unpunctuated", "counting") and signals.expected_words and signals.touched is None:
        odds += weights.short * max(0.0, 1.0 - words / signals.expected_words / FULL)
    if signals.end_of_turn is not None:
        likely = min(max(signals.end_of_turn, 0.01), 0.99)
        told = log(likely / (1.0 - likely))
        if told > 0.0:
            # Who was cut off, or went on after they had sounded finished, will sound finished again where they are not.
            told *= signals.melody.trust / (1 + signals.cut_offs)
        odds += weights.sound * told
    else:
        odds += weights.no_sound
    return odds
