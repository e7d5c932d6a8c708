"""Other words for a query: the strategies, their turns, and no query twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag.embedding.embedder import Embedder
from rag.packs.pack import Pack
from rag.retrieval.query_rewriting import TOO_SIMILAR, Rephrase, Situation, propose, refine


@pytest.fixture
def situation(kitchen: Pack) -> Situation:
    """A search for soup found the question about clear stock, which was not good enough."""
    soup = [question for question in kitchen.questions if question.topic == "soup"]
    bread = [question for question in kitchen.questions if question.topic == "bread"]
    return Situation(
        query="Cooking soup and noodles",
        earlier=("Cooking soup and noodles",),
        topic_title="Cooking soup and noodles",
        rejected=soup,
        of_topic=[*soup, *bread],
        of_pack=kitchen.questions,
    )


def model(answer: str | None) -> Rephrase:
    """A model that always gives the same query."""

    async def rephrase(query: str, earlier: Sequence[str]) -> str | None:
        return answer

    return rephrase


def test_topic_pivot_turns_to_ideas_that_were_not_found(situation: Situation) -> None:
    """The topic's other concepts, the most frequent first."""
    assert propose("topic-pivot", situation) == ["yeast, gluten"]


def test_topic_pivot_has_nothing_to_turn_to_when_all_was_found(situation: Situation) -> None:
    """Without another idea of the topic it proposes nothing."""
    assert propose("topic-pivot", replace(situation, of_topic=situation.rejected)) == []


def test_simplify_takes_the_title_apart(situation: Situation) -> None:
    """The title without other words, then its parts."""
    assert propose("simplify", situation) == ["Cooking soup and noodles", "Cooking soup", "noodles"]


def test_forced_takes_any_idea_of_the_pack(situation: Situation) -> None:
    """The last resort is whatever is still to be asked."""
    assert propose("forced", situation) == ["yeast", "gluten", "stock", "sharpening"]


@pytest.mark.parametrize(
    ("attempt", "rephrase", "expected"),
    [
        (0, None, ("topic-pivot", "yeast, gluten")),
        (1, None, ("simplify", "Cooking soup")),
        (2, None, ("forced", "yeast")),
        (3, None, ("topic-pivot", "yeast, gluten")),
        (0, model("noodle broth"), ("llm-refine", "noodle broth")),
        (1, model("noodle broth"), ("topic-pivot", "yeast, gluten")),
        (0, model(None), ("topic-pivot", "yeast, gluten")),
        (0, model("  "), ("topic-pivot", "yeast, gluten")),
    ],
)
async def test_strategies_take_turns(
    situation: Situation, embedder: Embedder, attempt: int, rephrase: Rephrase | None, expected: tuple[str, str]
) -> None:
    """Each attempt begins with the next strategy; a model takes part only when there is one and it answers."""
    refined = await refine(situation, embedder, attempt, rephrase)

    assert refined is not None
    assert (refined.strategy, refined.query) == expected


@pytest.mark.parametrize("repeated", ["cooking soup AND noodles!", "Cooking soup and noodles"])
async def test_a_query_that_says_the_same_again_is_passed_over(
    situation: Situation, embedder: Embedder, repeated: str
) -> None:
    """The next strategy takes over when a query is too near to an earlier one."""
    refined = await refine(situation, embedder, 0, model(repeated))

    assert refined is not None
    assert refined.strategy == "topic-pivot"
    rows = embedder.embed([refined.query, *situation.earlier])
    assert float(rows[0] @ rows[1]) <= TOO_SIMILAR


async def test_there_may_be_no_other_words(situation: Situation, embedder: Embedder) -> None:
    """With everything asked and every title tried, there is no refined query."""
    exhausted = replace(
        situation,
        earlier=("Cooking soup and noodles", "Cooking soup", "noodles"),
        rejected=[],
        of_topic=[],
        of_pack=[],
    )

    assert await refine(exhausted, embedder, 0, None) is None
