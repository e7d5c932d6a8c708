"""What makes a pack that can be loaded a poor one, rule by rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.model_files.prepare import ModelPaths
from rag.duplicates.minimal_pairs import contrast
from rag.embedding.embedder import MiniLM
from rag.packs.lint import RULES, SAME_POINT_COSINE, LintRemark, coverage, helps, lengths, said_aloud, same_points
from rag.packs.pack import Pack, load_pack, load_packs
from tests.rag.fakes import KITCHEN


def told(remarks: Iterable[LintRemark]) -> list[str]:
    """Place and sentence of each remark, as one line."""
    return [f"{'.'.join(map(str, remark.place))}: {remark.sentence}" for remark in remarks]


def changed(pack: Pack, **values: object) -> Pack:
    """The pack with its first question changed."""
    first = pack.questions[0].model_copy(update=values)
    return pack.model_copy(update={"questions": [first, *pack.questions[1:]]})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("The status is 404, and so on.", "cannot be said aloud: 404"),
        ("It costs O(n) & more than 3 % of 20.", "cannot be said aloud: & 3 % 20"),
        ("Call `close` on it.", "cannot be said aloud: `"),
        ("Use snake_case for names.", "cannot be said aloud: _"),
        ("This is **important** here.", "cannot be said aloud: *"),
        ("This is <b>important</b> here.", "'<b>' is markup or an address"),
        ("See https://example.org for more.", "'https://example.org' is markup or an address"),
        ("Look into main.py for it.", "cannot be said aloud: main.py"),
        ("Of two, e.g. the first one.", "cannot be said aloud: e.g"),
    ],
)
def test_what_a_voice_cannot_say_is_named(kitchen: Pack, text: str, sentence: str) -> None:
    """With the signs that are meant, wherever they are."""
    (found,) = said_aloud(changed(kitchen, model_answer=text))
    assert found.place == ("questions", 0, "model_answer")
    assert found.sentence.startswith(sentence)


@pytest.mark.parametrize(
    "text",
    [
        "O of n log n; isn't that so (or nearly)?",
        "\u201cWell\u201d \u2013 he said\u2026 \u2014 it\u2019s fine: a self-made one!",
        "Le résumé, в Москве, 東京で.",
        "re\u0301sume\u0301 with accents of their own",
    ],
)
def test_what_people_write_to_be_read_aloud_passes(kitchen: Pack, text: str) -> None:
    """Punctuation, quotes, dashes, and letters of any language."""
    assert told(said_aloud(changed(kitchen, model_answer=text))) == []


def test_every_text_that_is_spoken_is_looked_at(kitchen: Pack) -> None:
    """Topics, concepts and all parts of questions."""
    data = kitchen.model_dump()
    data["topics"][0]["title"] = "Bread 2"
    data["concepts"][1] |= {"name": "Glu_ten", "examples": ["It is 5 long."]}
    data["questions"][2] |= {
        "text": "What is 1?",
        "hints": ["Think of 2 things."],
        "follow_ups": [{"points": [1], "text": "What of 3?"}],
    }
    data["questions"][3]["key_points"] = ["It is number 4.", *data["questions"][3]["key_points"][1:]]

    assert [".".join(map(str, each.place)) for each in said_aloud(Pack.model_validate(data))] == [
        "topics.0.title",
        "concepts.1.name",
        "concepts.1.examples.0",
        "questions.2.text",
        "questions.2.hints.0",
        "questions.2.follow_ups.0.text",
        "questions.3.key_points.0",
    ]


@given(text=st.text(min_size=1, max_size=60))
def test_digits_never_pass(text: str) -> None:
    """Whatever else there is, a text with a digit is remarked on."""
    assert list(said_aloud(changed(load_pack(KITCHEN), model_answer=text + "7")))


@pytest.mark.parametrize(("words", "is_fine"), [(59, False), (60, True), (220, True), (221, False)], ids=str)
def test_a_model_answer_is_neither_a_word_nor_a_speech(kitchen: Pack, words: int, is_fine: bool) -> None:
    """60 to 220 words."""
    found = told(lengths(changed(kitchen, model_answer=" ".join(["word"] * words))))
    assert (f"questions.0.model_answer: has {words} words; a good answer has 60 to 220" not in found) == is_fine


def test_a_key_point_of_more_than_35_words_is_two(kitchen: Pack) -> None:
    """35 pass, 36 do not."""
    points = ["word " * 35, "word " * 36, "It is fine."]
    pack = changed(kitchen, key_points=points, model_answer="word " * 100)
    assert [place for place in told(lengths(pack)) if "questions.0" in place] == [
        "questions.0.key_points.1: has 36 words, more than 35; is it two claims?"
    ]


def test_a_question_without_help_is_told(kitchen: Pack) -> None:
    """Hints, follow-ups and corrections each."""
    pack = changed(kitchen, hints=["Think of it."])
    assert [line.partition(";")[0] for line in told(helps(pack))][:5] == [
        "questions.0: has no follow_ups",
        "questions.0: has no corrections",
        "questions.1: has no hints",
        "questions.1: has no follow_ups",
        "questions.1: has no corrections",
    ]


def test_topics_lack_difficulties_and_concepts_questions(kitchen: Pack) -> None:
    """What an interview could not go up or down to, and what nobody is asked about."""
    assert told(coverage(changed(kitchen, concepts=["gluten"]))) == [
        "topics.1: has no hard question",
        "topics.2: has no easy and no hard question",
    ]
    lone = kitchen.model_copy(update={"questions": kitchen.questions[3:]})
    assert "concepts.0: no question is about this concept; use it, or remove it" in told(coverage(lone))


@pytest.mark.parametrize(
    ("cosine", "contrasts", "is_told"), [(0.88, False, True), (0.87, False, False), (1, True, False)]
)
def test_two_key_points_that_say_the_same_are_told_once(
    kitchen: Pack, cosine: float, contrasts: bool, is_told: bool
) -> None:
    """From the limit on, unless something is set against something; the later one of the two is named."""
    pack = kitchen.model_copy(update={"questions": kitchen.questions[:1]})
    rows = [[1.0, 0.1, cosine], [0.1, 1.0, 0.1], [cosine, 0.1, 1.0]]

    found = told(same_points(pack, lambda _: rows, lambda *_: ("one", "two") if contrasts else None))

    sentence = "says nearly the same as item 1 (cosine 0.88): It eats the sugar of the flour."
    assert found == ([f"questions.0.key_points.2: {sentence}"] if is_told else [])


@pytest.mark.parametrize("pack", load_packs().values(), ids=lambda pack: pack.id)
def test_the_shipped_packs_give_no_cause_for_remarks(pack: Pack) -> None:
    """They are the measure."""
    assert [line for rule in RULES for line in told(rule(pack))] == []


def cosines_of(minilm: MiniLM) -> Callable[..., list[list[float]]]:
    """How near texts are, by the real model."""
    return lambda texts: (minilm.embed(texts) @ minilm.embed(texts).T).tolist()  # type: ignore[no-any-return]


@pytest.mark.slow
def test_the_limit_of_sameness_tells_nobody_off_for_two_sides_of_one_thing(model_paths: ModelPaths) -> None:
    """No two key points of the shipped packs are told to be one, and of thirty that were reworded half or more are."""
    minilm = MiniLM.load(model_paths.embedder)
    lines = (Path(__file__).parents[1] / "data" / "same_points.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [(pair["point"], pair["again"]) for pair in map(json.loads, lines)]

    def is_same(one: str, other: str) -> bool:
        return cosines_of(minilm)([one, other])[0][1] >= SAME_POINT_COSINE and contrast(one, other, minilm) is None

    for pack in load_packs().values():
        found = same_points(pack, cosines_of(minilm), lambda one, other: contrast(one, other, minilm))
        assert told(found) == []
    assert sum(is_same(*pair) for pair in pairs) >= len(pairs) / 2 == 15
