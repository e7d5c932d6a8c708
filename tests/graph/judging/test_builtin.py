"""The built-in judge: what it makes of an encoder's reading, with an encoder that is scripted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graph.judging import BuiltInJudge
from graph.judging.evidence import find, tiles
from graph.judging.pair import LABELS
from graph.judging.stacking import FEATURES, STATUSES, Stacker, Weights
from graph.questions import KeyPoints, Question
from tests.graph.fakes import WordEmbedder

POINTS = ("A cache keeps copies of data.", "Copies may be out of date.", "Every entry needs a time to live.")
WRONG = ("A cache always has the newest data.",)

Reading = Callable[[str, str], str]


class ScriptedReader:
    """Gives each pair the label that the script has for it, nearly sure."""

    def __init__(self, script: Reading) -> None:
        self._script = script
        self.read_pairs: list[tuple[str, str]] = []

    def read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating]:
        self.read_pairs += pairs
        rows = np.full((len(pairs), len(LABELS)), 0.02)
        for row, (said, point) in zip(rows, pairs, strict=True):
            row[LABELS.index(self._script(said, point))] = 0.94  # type: ignore[arg-type]
        return rows


def plain_stacker() -> Stacker:
    """Goes by the encoder's surest label alone."""
    verdicts = np.zeros((len(FEATURES) + 1, len(STATUSES)))
    verdicts[FEATURES.index("covered"), STATUSES.index("covered")] = 5
    verdicts[FEATURES.index("partly"), STATUSES.index("partly")] = 4
    verdicts[FEATURES.index("contradicted"), STATUSES.index("contradicted")] = 6
    misconceptions = np.zeros((len(FEATURES) + 1, 2))
    misconceptions[FEATURES.index("covered"), 1] = 5
    return Stacker(Weights(features=FEATURES, verdicts=verdicts.tolist(), misconceptions=misconceptions.tolist()))


def question(parts: tuple[str, ...] = ()) -> Question:
    """On caches; with `parts` it asks for a story."""
    return Question(
        id="cache", text="What is a cache for?", kind="retrieved", source="plan", topic="caching", difficulty="easy",
        targets=KeyPoints(points=POINTS, misconceptions=WRONG, parts=parts),  # type: ignore[arg-type]
        expected_answer="", concepts=("caching",), minutes=2,
    )  # fmt: skip


def judge(script: Reading) -> BuiltInJudge:
    """A judge whose encoder follows a script."""
    return BuiltInJudge(WordEmbedder(), ScriptedReader(script), plain_stacker())


def by_word(said: str, point: str) -> str:
    """`copies` covers the first point, `stale` contradicts the second, `newest` states the misconception."""
    if point == POINTS[0] and "copies" in said:
        return "covered"
    if point == POINTS[1] and "stale" in said:
        return "contradicted"
    if point == WRONG[0] and "newest" in said:
        return "covered"
    return "unrelated"


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
    found = await judge(lambda _said, _point: "covered").verdicts(wrong, "a lookup takes linear time".split())
    assert found[0].status in ("partly", "contradicted")
    assert "constant" in found[0].rule


async def test_nothing_said_is_missing() -> None:
    """An answer without words misses every point, and states nothing."""
    found = await judge(by_word).verdicts(question(), [])
    assert [verdict.status for verdict in found] == ["missing"] * len(POINTS)


async def test_of_a_story_every_part_is_read() -> None:
    """The parts of a story share no words with it: all of the answer is read for each of them."""
    reader = ScriptedReader(lambda _said, _point: "unrelated")
    story = BuiltInJudge(WordEmbedder(), reader, plain_stacker())
    await story.verdicts(question(("situation", "task", "action")), ANSWER)
    read = {said for said, point in reader.read_pairs if point == POINTS[1]}
    assert " ".join(ANSWER) == " ".join(sorted(read, key=lambda said: " ".join(ANSWER).index(said)))


@given(st.lists(st.sampled_from("cache copies data, stale. newest time because and so".split()), max_size=60))
def test_evidence_is_what_was_said(words: list[str]) -> None:
    """Every stretch is a run of the answer's words, each point has its own, and none is nearly another."""
    found = find(POINTS, words, question="What is a cache for?", embedder=WordEmbedder(), each=4)
    assert len(found) == len(POINTS)
    for stretches in (*found, tiles(POINTS[0], words)):
        for evidence in stretches:
            clause = evidence.clause
            assert " ".join(words[clause.first_word : clause.last_word + 1]) == clause.text
    assert all(len(stretches) <= 4 for stretches in found)
