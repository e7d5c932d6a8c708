"""The built-in judge: what it makes of an encoder's reading, with an encoder that is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.question import KeyPoints, Question
from graph.encoders import EncoderError
from graph.encoders.runtime import Marked
from graph.judging import BuiltInJudge
from graph.judging.entailment import LONGEST, Odds, Reading, read_answer, reading_of
from graph.judging.evidence import LONGEST_QUOTE, quote
from graph.judging.non_claims import EncoderTagger, claims, neighbourhoods
from graph.judging.pair_labels import LABELS, PairLabel
from graph.judging.scoring import evaluation_of
from graph.judging.stacking import FEATURES, STATUSES, Stacker, Weights
from rag.embedding.embedder import Embedder, Vectors

POINTS = ("A cache keeps copies of data.", "Copies may be out of date.", "Every entry needs a time to live.")
WRONG = ("A cache always has the newest data.",)

LONGEST_SEEN = 3 * 24
"""Words of three clauses."""

Script = Callable[[str, str], tuple[PairLabel, str]]
"""What some words do about a point, and which word it is."""


class ScriptedReader:
    """Gives each pair the label that the script has for it, nearly sure, and marks the word that the script names."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.read_pairs: list[tuple[str, str]] = []

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        self.read_pairs += pairs
        return [self._reading(said, point) for said, point in pairs]

    def _reading(self, said: str, point: str) -> Reading:
        label, word = self._script(said, point)
        odds = np.full(len(LABELS), 0.02)
        odds[LABELS.index(label)] = 0.94
        return Reading(odds, np.array([0.9 if word and word in each else 0.1 for each in said.split()]))


class ScriptedTagger:
    """Some words are fillers, wherever they stand, and others talk."""

    def __init__(self, *fillers: str, talk: str = "") -> None:
        self._fillers = fillers
        self._talk = talk.split()

    def talk(self, words: Sequence[str]) -> Odds:
        """Quite sure of each word."""
        return np.array([0.9 if word in (*self._talk, *self._fillers) else 0.1 for word in words])

    def fillers(self, words: Sequence[str]) -> list[bool]:
        """Known as such."""
        return [word in self._fillers for word in words]


def plain_stacker() -> Stacker:
    """Goes by the encoder's surest label alone."""
    verdicts = np.zeros((len(FEATURES) + 1, len(STATUSES)))
    for label, status in zip(LABELS, ("covered", "partly", "contradicted", "missing"), strict=True):
        verdicts[FEATURES.index(label), STATUSES.index(status)] = 5  # type: ignore[arg-type]
    misconceptions = np.zeros((len(FEATURES) + 1, 2))
    misconceptions[FEATURES.index("covered"), 1] = 20
    return Stacker(Weights(features=FEATURES, verdicts=verdicts.tolist(), misconceptions=misconceptions.tolist()))


def question(parts: tuple[str, ...] = ()) -> Question:
    """On caches; with `parts` it asks for a story."""
    return Question(
        id="cache", text="What is a cache for?", kind="retrieved", source="plan", topic="caching", difficulty="easy",
        targets=KeyPoints(points=POINTS, misconceptions=WRONG, parts=parts),  # type: ignore[arg-type]
        expected_answer="", concepts=("caching",), minutes=2,
    )  # fmt: skip


def judge(script: Script) -> BuiltInJudge:
    """A judge whose encoder follows a script."""
    return BuiltInJudge(ScriptedReader(script), plain_stacker(), ScriptedTagger())


def by_word(said: str, point: str) -> tuple[PairLabel, str]:
    """`copies` covers the first point, `stale` contradicts the second, `newest` states the misconception."""
    if point == POINTS[0] and "copies" in said:
        return "covered", "copies"
    if point == POINTS[1] and "stale" in said:
        return "contradicted", "stale"
    if point == WRONG[0] and "newest" in said:
        return "covered", "newest"
    return "unrelated", ""


ANSWER = (
    "well a cache keeps copies of data near you, and they are never stale at all, it has the newest data always".split()
)


async def test_each_verdict_rests_on_the_words_that_carry_it() -> None:
    """What covers a point and what contradicts one are quoted; a point nothing was said about has no words."""
    found = await judge(by_word).verdicts(question(), ANSWER)
    points = [verdict for verdict in found if verdict.kind == "key_point"]
    assert [verdict.status for verdict in points] == ["covered", "contradicted", "missing"]
    assert [verdict.quote is None for verdict in points] == [False, False, True]
    for verdict in points[:2]:
        assert verdict.quote
        assert " ".join(ANSWER[verdict.quote.first_word : verdict.quote.last_word + 1]) == verdict.quote.text


async def test_the_same_answer_is_read_once_however_many_ask() -> None:
    """In a pause two ask about the same words; other words, or another question, are read anew."""
    reader = ScriptedReader(by_word)
    each = BuiltInJudge(reader, plain_stacker(), ScriptedTagger())
    one, other = await asyncio.gather(each.verdicts(question(), ANSWER), each.verdicts(question(), list(ANSWER)))
    read = len(reader.read_pairs)
    assert one is other
    await each.verdicts(question(), ANSWER[:4])
    assert len(reader.read_pairs) > read
    again = await each.verdicts(question(), ANSWER)
    assert again == one
    assert again is not one


async def test_a_failed_reading_is_no_answer_for_who_asks_next() -> None:
    """Whoever asks again gets a reading of their own."""
    failures = [EncoderError("damaged")]

    def script(said: str, point: str) -> tuple[PairLabel, str]:
        if failures:
            raise failures.pop()
        return by_word(said, point)

    each = judge(script)
    with pytest.raises(EncoderError):
        await each.verdicts(question(), ANSWER)
    assert await each.verdicts(question(), ANSWER)


async def test_a_stated_misconception_has_a_verdict_of_its_own() -> None:
    """It is contradicted, with the words that state it; one that was not stated has none."""
    wrong = [v for v in await judge(by_word).verdicts(question(), ANSWER) if v.kind == "misconception"]
    assert [(v.point, v.status) for v in wrong] == [(WRONG[0], "contradicted")]
    assert "newest" in (wrong[0].quote.text if wrong[0].quote else "")
    none = await judge(by_word).verdicts(question(), "it keeps copies of data".split())
    assert all(verdict.kind == "key_point" for verdict in none)


async def test_a_check_lowers_what_the_encoder_believed() -> None:
    """The encoder takes "never out of date" for the point; a wrong number or direction takes the credit away."""
    wrong = question().model_copy(update={"targets": KeyPoints(points=("A lookup takes constant time.",))})
    found = await judge(lambda _said, _point: ("covered", "lookup")).verdicts(
        wrong, "a lookup takes linear time".split()
    )
    assert found[0].status in ("partly", "contradicted")
    assert "constant" in found[0].rule


async def test_nothing_said_is_missing() -> None:
    """An answer without words misses every point, and states nothing."""
    found = await judge(by_word).verdicts(question(), [])
    assert [verdict.status for verdict in found] == ["missing"] * len(POINTS)


@pytest.mark.parametrize("corrections", [("Some of its data may be old.",), ()])
def test_a_misconception_is_read_beside_what_holds_instead_and_what_is_said_of_the_same(
    corrections: tuple[str, ...],
) -> None:
    """Words that state it speak against its correction, and against a key point that they rest on as well."""

    def script(said: str, point: str) -> tuple[PairLabel, str]:
        if point in corrections:
            return "contradicted", "newest"
        if point == POINTS[1] and "newest" in said:
            return "contradicted", "newest"
        return by_word(said, point)

    asked = question()
    asked = asked.model_copy(update={"targets": asked.targets.model_copy(update={"corrections": corrections})})
    read = {each.point: dict(zip(FEATURES, each.features, strict=True)) for each in judge(script).read(asked, ANSWER)}
    wrong = read[WRONG[0]]
    assert wrong["contradicted beside"] == pytest.approx(0.94)
    assert read[POINTS[1]]["covered beside"] == pytest.approx(0.94)
    assert read[POINTS[0]]["covered beside"] == read[POINTS[0]]["contradicted beside"] == 0
    assert bool(wrong["no correction"]) == (not corrections)
    assert (wrong["correction is contradicted"] > 0) == bool(corrections)


@pytest.mark.parametrize(("suspected", "praised"), [("copies", False), ("newest", True)])
async def test_nobody_is_praised_for_words_that_perhaps_state_a_misconception(suspected: str, praised: bool) -> None:
    """It is not held against them either; words elsewhere take nothing away."""

    class Unsure(ScriptedReader):
        def _reading(self, said: str, point: str) -> Reading:
            if point != WRONG[0]:
                return super()._reading(said, point)
            marked = np.array([0.9 if suspected in each else 0.1 for each in said.split()])
            return Reading(np.array([0.5, 0.2, 0.2, 0.1]), marked)

    judging = BuiltInJudge(Unsure(by_word), plain_stacker(), ScriptedTagger())
    found = await judging.verdicts(question(), ANSWER)
    assert all(verdict.kind == "key_point" for verdict in found)
    assert found[0].status == "covered"
    assert found[0].told is praised


async def test_what_states_a_misconception_gets_no_credit_for_the_same_words() -> None:
    """Words that state a misconception more surely than they make a point do not make the point."""

    def script(said: str, point: str) -> tuple[PairLabel, str]:
        return ("partly", "newest") if point == POINTS[1] else by_word(said, point)

    found = await judge(script).verdicts(question(), "well it has the newest data always".split())
    assert [verdict.status for verdict in found if verdict.kind == "key_point"] == ["missing"] * 3
    assert [verdict.point for verdict in found if verdict.kind == "misconception"] == list(WRONG)


async def test_a_long_answer_is_read_in_parts() -> None:
    """Nothing of it is left out, no part is longer than the encoder reads, and a quote keeps its place in the whole."""
    reader = ScriptedReader(by_word)
    words = [*("so " + "we talked about other things at work, " * 60).split(), *"a cache keeps copies of data".split()]
    found = await BuiltInJudge(reader, plain_stacker(), ScriptedTagger()).verdicts(question(), words)
    said = {said for said, _ in reader.read_pairs}
    assert len(said) > 1
    assert all(len(part.split()) <= LONGEST for part in said)
    assert found[0].status == "covered"
    quote = found[0].quote
    assert quote
    assert words[quote.first_word : quote.last_word + 1] == quote.text.split()
    assert "copies" in quote.text


said_words = ["cache", "copies", "data,", "stale.", "newest", "time", "because", "and", "so", "you know", ""]
spoken = st.lists(st.sampled_from(said_words), max_size=600)


@given(spoken.filter(any))
def test_every_word_is_read_however_long_the_answer(words: list[str]) -> None:
    """The parts cover the answer, and what is marked in one of them is marked at its place in the answer."""
    reader = ScriptedReader(lambda said, _point: ("covered", "newest") if "newest" in said else ("unrelated", ""))
    (reading,) = read_answer(reader, words, POINTS[:1])
    assert len(reading.words) == len(words)
    marked = [place for place, mark in enumerate(reading.words) if mark > 0.5]
    assert all("newest" in words[place] for place in marked)
    assert bool(marked) == any("newest" in word for word in words)


@given(spoken.filter(any), st.data())
def test_a_quote_is_a_run_of_what_was_said(words: list[str], data: st.DataObject) -> None:
    """It is never empty, never longer than 45 words, and holds the words that were marked most surely."""
    marks = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(words), max_size=len(words))))
    proof = quote(words, marks)
    assert 0 <= proof.first_word <= proof.last_word < len(words)
    assert proof.text == " ".join(words[proof.first_word : proof.last_word + 1])
    assert proof.last_word - proof.first_word < LONGEST_QUOTE


def test_a_quote_ends_where_its_clause_ends() -> None:
    """A marked word brings the clause it stands in."""
    words = "I like tea a lot, a cache keeps copies of data near you, and I like cakes".split()
    marks = np.array([0.9 if word in ("cache", "keeps", "copies", "of", "data") else 0.05 for word in words])
    assert quote(words, marks).text == "a cache keeps copies of data near you,"


@pytest.mark.parametrize(
    ("said", "pieces", "likely"),
    [
        ("a cache", [(0, 1), (2, 7)], [0, 1]),
        ("a  cache", [(0, 1), (3, 8)], [0, 1]),
        ("c++, naïvely", [(0, 1), (1, 2), (2, 3), (3, 4), (5, 9), (9, 12)], [1]),
        ("it keeps copies", [(0, 2), (3, 8)], [1]),
    ],
)
def test_marks_of_word_pieces_are_marks_of_words(said: str, pieces: list[tuple[int, int]], likely: list[int]) -> None:
    """A word is as likely as its likeliest piece; what was cut off is not likely at all."""
    words = said.split()
    marks = np.full(len(pieces), -4.0, np.float32)
    for word in likely:
        start = next(index for index, piece in enumerate(pieces) if _word_of(said, piece) == word)
        marks[start] = 4.0
    read = reading_of(said, Marked(np.zeros(len(LABELS), np.float32), marks, pieces))
    assert [place for place, mark in enumerate(read.words) if mark > 0.5] == likely
    assert len(read.words) == len(words)
    assert read.odds.sum() == pytest.approx(1)


def _word_of(said: str, piece: tuple[int, int]) -> int:
    return len(said[: piece[1]].split()) - 1


async def test_a_check_counts_as_surely_as_a_rule_does() -> None:
    """A verdict that is lowered is not one that the judge is unsure of: the answer keeps its score."""
    wrong = question().model_copy(update={"targets": KeyPoints(points=("A lookup takes constant time.",))})
    found = await judge(lambda _said, _point: ("covered", "lookup")).verdicts(
        wrong, "a lookup takes linear time".split()
    )
    assert evaluation_of("x", wrong, found).scores is not None


async def test_without_anything_to_judge_by_there_is_no_verdict() -> None:
    """A question without key points gets none, instead of an error in mid-interview."""
    bare = question().model_copy(update={"targets": KeyPoints(points=())})
    assert await judge(by_word).verdicts(bare, ANSWER) == ()


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("I have read something about that once but I cannot really explain it", "missing"),
        ("usually I would look it up or ask somebody on my team", "missing"),
        ("it is about copies of something, I am not sure", "partly"),
    ],
)
async def test_to_say_that_one_does_not_know_makes_no_half_of_a_point(said: str, status: str) -> None:
    """Whatever the encoder makes of it; words that are about the point keep what they got."""
    word = "copies" if "copies" in said else "it"
    found = await judge(lambda _said, point: ("partly", word) if point == POINTS[0] else ("unrelated", "")).verdicts(
        question(), said.split()
    )
    assert found[0].status == status


def test_words_that_claim_nothing_are_not_judged_but_quoted_where_they_stand() -> None:
    """The encoder never sees them; the quote is what was said, from its first word to its last."""
    reader = ScriptedReader(
        lambda said, point: ("covered", "copies") if "copies" in said and "keeps" in point else ("unrelated", "")
    )
    judge = BuiltInJudge(reader, plain_stacker(), ScriptedTagger("um", "please", "agree"))

    covered, *_ = judge.judge(question(), "please agree a cache keeps um copies of data".split())

    assert {said for said, _ in reader.read_pairs} == {"a cache keeps copies of data"}
    assert covered.status == "covered"
    assert covered.quote is not None
    assert covered.quote.text == "a cache keeps um copies of data"
    assert (covered.quote.first_word, covered.quote.last_word) == (2, 8)


def test_an_answer_of_talk_alone_is_judged_as_it_is() -> None:
    """Something must be judged."""
    tagger = ScriptedTagger("um", "please")
    assert claims(["um", "please"], tagger) == [0, 1]
    assert claims(["copies"], tagger) == [0]


def test_talk_goes_as_a_whole_and_fillers_one_by_one() -> None:
    """A word that stands alone between talk goes with it; a single word among claims stays, unless it is a filler."""
    tagger = ScriptedTagger("um", talk="let me think about it for a moment")
    said = "um let me just think about it caches keep um copies around for a moment".split()
    assert " ".join(said[place] for place in claims(said, tagger)) == "caches keep copies around for a moment"


def test_a_negation_stays_with_what_it_negates() -> None:
    """Without it the claim would be the opposite; before talk it goes with the talk."""
    tagger = ScriptedTagger("no", "well")
    said = "no well a cache shows no stale copies".split()
    assert " ".join(said[place] for place in claims(said, tagger)) == "a cache shows no stale copies"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I don't think it blocks", "don't think it blocks"),
        ("I wouldn't really say it blocks", "wouldn't really say it blocks"),
        ("I doubt it blocks", "doubt it blocks"),
        ("I don't know it blocks", "it blocks"),
        ("I'm not sure it blocks", "it blocks"),
    ],
)
def test_a_hedge_that_turns_a_claim_round_is_judged(said: str, left: str) -> None:
    """Even when the tagger takes it for talk: without it the claim would be the opposite of what was said."""
    words = said.split()
    tagger = ScriptedTagger(*(set(words) - {"it", "blocks"}))
    assert " ".join(words[place] for place in claims(words, tagger)) == left


@given(st.lists(st.sampled_from(["um", "please", "so", "a cache", "", "keeps", "copies"]), min_size=1, max_size=60))
def test_claims_are_places_in_their_order(words: list[str]) -> None:
    """Each at most once, within the answer, and never none."""
    places = claims(words, ScriptedTagger("um", "please"))
    assert places
    assert places == sorted(set(places))
    assert places[-1] < len(words)


@given(st.lists(st.sampled_from([*"abcdefgh", "and", "because", "end.", "pause,"]), min_size=1, max_size=120))
def test_the_tagger_sees_each_clause_once_with_its_neighbours(words: list[str]) -> None:
    """In order, every word once; and of the whole answer no more than three clauses."""
    seen = neighbourhoods(words)
    assert [place for each in seen for place in range(each.first, each.end)[each.middle]] == list(range(len(words)))
    assert all(each.end - each.first <= LONGEST_SEEN for each in seen)


@pytest.mark.slow
def test_the_tagger_tells_talk_from_claims() -> None:
    """Viva's own, on words that nobody wrote for it: most of the talk goes, the claim stays."""
    said = (
        "um let me think for a second so well I guess the index makes every write slower because it has to be updated "
        "too and please be kind with my score today I slept badly"
    ).split()
    left = " ".join(said[place] for place in claims(said, EncoderTagger()))
    assert "index makes every write slower because it has to be updated" in left
    assert "score" not in left
    assert "let me think" not in left
    assert len(left.split()) < len(said) * 0.6


def test_a_verdict_counts_for_more_than_its_status() -> None:
    """In parts that make one, the likeliest the largest; a misconception counts by how far it is from even odds."""
    found = judge(by_word).judge(question(), "copies go stale and, um, one day it always has the newest data".split())
    assert {verdict.kind for verdict in found if verdict.counts} == {"key_point", "misconception"}
    for verdict in found:
        if verdict.counts is None:  # a rule settled it
            continue
        counted = verdict.counts.model_dump()
        assert sum(counted.values()) == pytest.approx(1, abs=0.01)
        assert max(counted, key=lambda status: counted[status]) == verdict.status


def test_who_does_not_know_gets_no_part_of_a_point() -> None:
    """An honest zero: what the judge is unsure of is no credit when somebody says that they do not know."""
    unsure: Script = lambda said, point: ("unrelated", "")  # noqa: E731
    found = evaluation_of("x", question(), judge(unsure).judge(question(), "I do not know that at all sorry".split()))
    assert found.scores is not None
    assert found.scores.overall == 0


@pytest.mark.parametrize(("said", "statuses"), [("full", ["contradicted"]), ("empty", [])])
async def test_a_question_that_only_asks_back_is_judged_by_its_misconception(said: str, statuses: list[str]) -> None:
    """Without a key point there is a verdict where the misconception is said again, and none where it is not."""
    back = question().model_copy(update={"targets": KeyPoints(points=(), misconceptions=("The pot is full.",))})
    reader = judge(lambda words, _point: ("covered" if "full" in words else "unrelated", "pot"))
    found = await reader.verdicts(back, f"the pot is {said} I say".split())
    assert [verdict.status for verdict in found] == statuses


class Nearness(Embedder):
    """Everything is as near to every point as it is told."""

    def __init__(self, cosine: float) -> None:
        self._cosine = cosine
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Points lie along the first axis."""
        self.embedded += 1
        along = [1.0 if text in POINTS else self._cosine for text in texts]
        return np.array([[each, (1 - each * each) ** 0.5] for each in along], dtype=np.float32)


@pytest.mark.parametrize(("cosine", "other"), [(0.1, True), (0.6, False)])
async def test_an_answer_to_another_question_earns_nothing(cosine: float, other: bool) -> None:
    """Though the encoder finds a little of one point in it; how near it is to all points tells the two apart."""

    def a_little(said: str, point: str) -> tuple[PairLabel, str]:
        return ("covered", "copies") if point == POINTS[0] and "copies" in said else ("unrelated", "")

    each = BuiltInJudge(ScriptedReader(a_little), plain_stacker(), ScriptedTagger(), embedder=Nearness(cosine))
    found = await each.verdicts(question(), ANSWER)
    assert [verdict.status for verdict in found] == (["missing"] * 3 if other else ["covered", "missing", "missing"])
    assert (found[0].rule == "all in all it is about something else") == other


async def test_nobody_asks_what_else_an_answer_is_about_that_states_a_misconception_or_tells_a_story() -> None:
    """The misconception is about the matter; and a story comes near no key point by its words."""
    for script, parts in ((by_word, ()), (lambda _said, _point: ("unrelated", ""), ("situation", "action", "result"))):
        nearness = Nearness(0.1)
        each = BuiltInJudge(ScriptedReader(script), plain_stacker(), ScriptedTagger(), embedder=nearness)
        await each.verdicts(question(parts), ANSWER)
        assert nearness.embedded == 0
