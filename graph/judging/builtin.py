"""Built-in judge: no language model, a fraction of a second, the same verdicts for the same words every time.

Words that claim nothing are set aside (`non_claims`). A small encoder reads the answer beside each point
(`entailment`) and marks the words that its verdict rests on, which are quoted (`evidence`) and read once more by
themselves. A linear model makes a verdict with a probability of what was read (`stacking`). Checks on numbers,
direction and negation (`contradictions`) can lower a verdict, never raise one; `selection` says which verdicts are sure
enough to act on. How good it is, and where it fails: `docs/judging.md`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import numpy as np

from domain.question import KeyPoints, Question
from domain.verdict import Counts, Quote, Verdict
from graph.judging.contradictions import checks
from graph.judging.entailment import EncoderReader, Odds, PairReader, Reading, read_answer
from graph.judging.evidence import quote
from graph.judging.no_answer import LONG_ENOUGH, is_about_something_else
from graph.judging.non_claims import EncoderTagger, Tagger, claims
from graph.judging.own_work import by_ways_of_speaking
from graph.judging.pair_labels import pair_texts
from graph.judging.panel import says_unknown
from graph.judging.relevance import relevance
from graph.judging.selection import Limits, load_limits, said_odds, selected
from graph.judging.stacking import FEATURES, STATUSES, Row, Stacker, features, load_stacker
from graph.judging.text.stems import content_stems
from rag.embedding.embedder import Embedder

_STATED_FROM = 0.6
"""A misconception is held against a candidate only when it is more likely than not, with something to spare."""
_SUSPECTED_FROM = 0.2
"""Probability that a misconception was stated from which nobody is praised for the same words. Of key points that might
be praised in 740 answers to questions that the encoder never saw, 67 of 1,002 that were made have such words, and 25 of
255 that were left out or wrong; in 308 answers by other authors 23 of 479, and 29 of 112."""
_PARTLY, _CONTRADICTED = STATUSES.index("partly"), STATUSES.index("contradicted")
_LIKELY_WRONG = 0.2
_SHARPER = 2.0
"""Power of the probabilities in what a verdict counts for: 0.6 against 0.3 counts as 0.8 against 0.2. In proportion,
good answers would be drawn to the middle."""
_ABOUT_IT = 2
"""Words that half a point shares with what a good answer says."""
_SURE_OF_A_CHECK = 0.6
"""What differs was found by rule, whatever the encoder believed; a rule is wrong now and then."""
_SAID_COUNTS, _ABOUT_ANOTHER = 0.47, 0.42
"""An answer is about another question where its relevance, and 0.47 times the mean probability that something of a
point was said, are less than 0.42 together: so are 0.77 of 319 answers to other questions, none of 314 answers to 28
questions that the encoder never saw, from which both were learned, and 1 of 462 that were not."""
_ABOUT_IT_ANYWAY = 0.55
"""Such a mean from which nobody looks, because relevance takes 60 ms: 13 of 320 answers to other questions had it, and
233 of 320 to their own."""


_FIRST = Question(
    id="first", text="Shall we begin?", kind="retrieved", source="plan", topic="", difficulty="easy",
    targets=KeyPoints(points=("We begin.",), misconceptions=("We never begin.",)), expected_answer="Yes.", concepts=(),
    minutes=0.0,
)  # fmt: skip


Asked = tuple[str, str, str, KeyPoints, tuple[str, ...]]
"""All that a judgement depends on: of the question its text, source, answer and points; the words."""


@dataclass(frozen=True, slots=True)
class Read:
    """A point with what the encoder makes of it."""

    point: str
    reading: Reading
    quote: Quote
    """The words that carry its verdict, should there be one."""
    features: Row
    """For the linear model."""


class BuiltInJudge:
    """Verdicts from a small encoder that was trained for it.

    Args:
        reader: reads an answer beside a point; Viva's own encoder by default.
        stacker: puts together what was found; Viva's own by default.
        tagger: finds the words that claim nothing; Viva's own by default.
        limits: from where a verdict is acted on; Viva's own by default.
        embedder: tells an answer to another question; without one, nothing does.
    """

    name = "built-in"

    def __init__(
        self,
        reader: PairReader | None = None,
        stacker: Stacker | None = None,
        tagger: Tagger | None = None,
        limits: Limits | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self._reader = reader or EncoderReader()
        self._stacker = stacker or load_stacker()
        self._tagger = tagger or EncoderTagger()
        self._limits = limits or load_limits()
        self._embedder = embedder
        self._latest: tuple[Asked, Future[tuple[Verdict, ...]]] | None = None
        self._passage = Lock()
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="judge")

    def warm_up(self) -> None:
        """Load the encoder, so that the first candidate does not wait for it.

        Raises:
            EncoderError: the encoder's files are missing or damaged.
        """
        self.judge(_FIRST, ["Yes."])

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """A verdict for each key point of the question, and one for each misconception that was stated.

        Whoever asks about the same answer meanwhile, or next, gets the same verdicts: in a pause the detector of its
        end asks as well as the guess at the turn.

        Raises:
            EncoderError: the encoder's files are missing or damaged.
        """
        return await asyncio.shield(asyncio.wrap_future(self._judging(question, words)))

    def _judging(self, question: Question, words: Sequence[str]) -> Future[tuple[Verdict, ...]]:
        asked = (question.text, question.source, question.expected_answer, question.targets, tuple(words))
        with self._passage:
            latest = self._latest
            if latest is None or latest[0] != asked or (latest[1].done() and latest[1].exception()):
                self._latest = latest = asked, self._threads.submit(self.judge, question, words)
            return latest[1]

    def judge(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """The same, in this thread."""
        points = question.targets.points
        if not (points or question.targets.misconceptions):
            return ()
        if not words:
            return tuple(_missing(point, 1.0, "nothing was said") for point in points)
        if is_about_something_else(question, words):
            return tuple(_missing(point, 1.0, "hardly a word of it is about what was asked") for point in points)
        read = self.read(question, words)
        sure = self._stacker.stated(
            np.array([each.features for each in read[len(points) :]]).reshape(-1, len(FEATURES))
        )
        wrong = [*zip(read[len(points) :], map(float, sure), strict=True)]
        stated = [_stated(each, likely) for each, likely in wrong if likely >= _STATED_FROM]
        odds = self.odds(read[: len(points)])
        if not stated and self._is_about_another(question, words, odds):
            return tuple(_missing(point, _SURE_OF_A_CHECK, "all in all it is about something else") for point in points)
        made = [
            _not_twice(_if_about_it(_made(each, of_it), question), stated)
            for each, of_it in zip(read[: len(points)], odds, strict=True)
        ]
        if question.source == "resume":
            made = list(by_ways_of_speaking(made, question, words))
        if says_unknown(words) and all(verdict.status == "missing" for verdict in made):
            # Who says that they do not know, and makes no point, is taken at their word: no part of it is credit.
            made = [verdict.model_copy(update={"counts": None}) for verdict in made]
        # Of one's own work, ways of speaking have said already what was surely left out.
        all_of_it = (*made, *stated)
        if question.source == "resume":
            return all_of_it
        suspected = [each.quote for each, likely in wrong if likely >= _SUSPECTED_FROM]
        return tuple(_unpraised(each, suspected) for each in selected(all_of_it, odds, self._limits))

    def _is_about_another(self, question: Question, words: Sequence[str], odds: Odds) -> bool:
        """Whether an answer is about another question, by what its words mean and by what was read of it.

        Of a story, of one's own work, and of a follow-up the points name no matter that a good answer must come near.
        """
        is_on_a_matter = question.kind == "retrieved" and question.source != "resume" and not question.targets.parts
        if self._embedder is None or not is_on_a_matter or not len(odds) or len(words) < LONG_ENOUGH:
            return False
        said = float(said_odds(odds).mean())
        if said >= _ABOUT_IT_ANYWAY:
            return False
        return relevance(question, words, self._embedder) + _SAID_COUNTS * said < _ABOUT_ANOTHER

    def odds(self, read: Sequence[Read]) -> Odds:
        """For each key point that was read the probabilities of `STATUSES`."""
        rows = np.array([each.features for each in read]).reshape(len(read), len(FEATURES))
        return self._stacker.verdicts(rows)

    def read(self, question: Question, words: Sequence[str]) -> list[Read]:
        """Every key point and misconception, as the encoder reads an answer of at least one word."""
        points, wrong = question.targets.points, question.targets.misconceptions
        places = claims(words, self._tagger)
        said = [words[place] for place in places]
        readings = read_answer(self._reader, said, (*points, *wrong))
        quotes = [quote(said, reading.words) for reading in readings]
        # Once more, by themselves: what else was said no longer distracts.
        of_quotes = self._read_pairs(quotes, (*points, *wrong))
        of_corrections = self._of_corrections(question, quotes)
        rows = features(
            (*points, *wrong), readings, quotes, of_quotes, of_corrections, count=len(points), length=len(said)
        )
        whole = [_in_full(each, places, words) for each in quotes]
        return [Read(*each) for each in zip((*points, *wrong), readings, whole, rows, strict=True)]

    def _of_corrections(self, question: Question, quotes: Sequence[Quote]) -> list[Odds | None]:
        """What the quotes of misconceptions do about what holds instead, where that is written down."""
        targets = question.targets
        truths = dict(enumerate(map(targets.correction, targets.misconceptions), start=len(targets.points)))
        written = [number for number, truth in truths.items() if truth]
        found = self._read_pairs([quotes[number] for number in written], [truths[number] for number in written])
        read = dict(zip(written, found, strict=True))
        return [read.get(number) for number in range(len(quotes))]

    def _read_pairs(self, quotes: Sequence[Quote], points: Sequence[str]) -> list[Odds]:
        pairs = [pair_texts(quote.text, point) for quote, point in zip(quotes, points, strict=True)]
        return [reading.odds for reading in self._reader.read(pairs)] if pairs else []


def _stated(read: Read, likely: float) -> Verdict:
    return Verdict(
        point=read.point,
        kind="misconception",
        status="contradicted",
        quote=read.quote,
        probability=round(likely, 3),
        rule="these words state the misconception",
        counts=_stated_counts(likely),
    )


def _unpraised(verdict: Verdict, suspected: Sequence[Quote]) -> Verdict:
    """A verdict that nobody is praised for when its words perhaps state a misconception."""
    quote = verdict.quote
    if verdict.status == "covered" and verdict.told and quote and any(map(quote.overlaps, suspected)):
        return verdict.model_copy(update={"told": False})
    return verdict


def _made(read: Read, odds: Odds) -> Verdict:
    place, rule = int(np.argmax(odds)), "the encoder's reading of these words beside the point"
    counts: Counts | None = _counted(odds)
    sure = round(float(odds[place]), 3)
    if STATUSES[place] == "covered" and (why := checks.differs(read.point, read.quote.text)):
        place = _CONTRADICTED if odds[_CONTRADICTED] >= _LIKELY_WRONG else _PARTLY
        sure, rule, counts = _SURE_OF_A_CHECK, f"lowered by a check: {why}", None
    if STATUSES[place] == "missing":
        return _missing(read.point, sure, "none of the words that come near it make the point", counts)
    return Verdict(
        point=read.point, status=STATUSES[place], quote=read.quote, probability=sure, rule=rule, counts=counts
    )


def _counted(odds: Odds) -> Counts:
    """What a verdict counts for: each status by how likely it is, the likelier ones more than in proportion."""
    weights = np.asarray(odds) ** _SHARPER
    shares = weights / weights.sum()
    return Counts(**{status: round(float(share), 3) for status, share in zip(STATUSES, shares, strict=True)})


def _stated_counts(sure: float) -> Counts:
    """A misconception that was as likely stated as not counts for nothing, one that certainly was for a whole point."""
    stated = round(2 * sure - 1, 3)
    return Counts(contradicted=stated, missing=round(1 - stated, 3))


def _in_full(of_claims: Quote, places: Sequence[int], words: Sequence[str]) -> Quote:
    """A quote from the words that may claim something, with what was said between them."""
    first, last = places[of_claims.first_word], places[of_claims.last_word]
    return Quote(text=" ".join(words[first : last + 1]), first_word=first, last_word=last)


def _missing(point: str, probability: float, rule: str, counts: Counts | None = None) -> Verdict:
    return Verdict(point=point, status="missing", probability=probability, rule=rule, counts=counts)


def _if_about_it(verdict: Verdict, question: Question) -> Verdict:
    """Half a point is not made by saying that one does not know, or by words that belong to no answer to it."""
    if verdict.status != "partly" or verdict.quote is None:
        return verdict
    said, of_point = content_stems(verdict.quote.text), content_stems(verdict.point)
    about = content_stems(" ".join((question.text, question.expected_answer, *question.targets.points)))
    # One word in common, "team" or "time", is in any answer to anything.
    if said & of_point or (len(said & about) >= _ABOUT_IT and not says_unknown(verdict.quote.text.split())):
        return verdict
    return _missing(verdict.point, _SURE_OF_A_CHECK, "the words that come near it say nothing of it")


def _not_twice(verdict: Verdict, stated: Sequence[Verdict]) -> Verdict:
    """A verdict without credit for words that state a misconception more surely than they make the point."""
    if verdict.status not in ("covered", "partly") or verdict.quote is None:
        return verdict
    rival = next((wrong for wrong in stated if wrong.quote and _same_words(wrong.quote, verdict.quote)), None)
    if rival is None or rival.probability <= verdict.probability:
        return verdict
    return _missing(verdict.point, rival.probability, "the words that come near it state a misconception")


def _same_words(one: Quote, other: Quote) -> bool:
    """True when two quotes share more than half of the words in either."""
    both = min(one.last_word, other.last_word) - max(one.first_word, other.first_word) + 1
    either = max(one.last_word, other.last_word) - min(one.first_word, other.first_word) + 1
    return both * 2 > either
