"""What the judge learns from: pairs and answers fit their packs, variations keep claims, what is held out stays out."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.judging.contradictions.checks import differs
from graph.judging.pair_labels import LABELS
from graph.judging.text.stems import negations
from rag import load_packs
from tests.graph.fakes import tea_pack
from training.judge.answers import REALISTIC_DIR, SKILLED_DIR, all_answers, answers_beyond, examples_of
from training.judge.examples import (
    FOLDS,
    Material,
    fold_of_pack,
    fold_of_question,
    of_pairs,
)
from training.judge.perturbations import misheard, varied
from training.judge.public_datasets import MissingSetError, graded_answers
from training.judge.synthetic_answers import compose
from training.judge.viva_pairs import LABEL_OF, PAIRS_DIR, Pair, PairsError, all_pairs, read_pairs

seeds = st.integers(0, 2**31)


@cache
def pairs_by_question() -> dict[tuple[str, str], list[Pair]]:
    """Viva's own pairs."""
    found: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in all_pairs(load_packs()):
        found[pair.pack, pair.question_id].append(pair)
    return found


def test_every_key_point_has_pairs_of_every_label() -> None:
    """Over ten thousand pairs: each key point is covered, half made, contradicted and only resembled."""
    by_question = pairs_by_question()
    assert sum(map(len, by_question.values())) >= 10_000
    for pack in load_packs().values():
        for question in pack.questions:
            pairs = by_question[pack.id, question.id]
            for number in range(1, len(question.key_points) + 1):
                labels = {pair.label for pair in pairs if pair.number == str(number)}
                assert labels == set(LABELS), (pack.id, question.id, number)


def test_no_clause_is_given_two_labels_for_one_point() -> None:
    """The same words beside the same point teach one thing."""
    said: dict[tuple[str, str], str] = {}
    for pairs in pairs_by_question().values():
        for pair in pairs:
            assert said.setdefault((pair.said.lower(), pair.point), pair.label) == pair.label, pair


@pytest.mark.parametrize("folder", [PAIRS_DIR, SKILLED_DIR, REALISTIC_DIR])
def test_whole_answers_belong_to_questions_and_carry_their_words(folder: Path) -> None:
    """One for nearly every question, and nearly every verdict with the words it rests on."""
    answers = all_answers(load_packs(), folder)
    assert len({(answer.pack, answer.question_id) for answer in answers}) >= 230
    claimed = sum(status != "missing" for answer in answers for status in answer.points.values())
    quoted = sum(not number.startswith("m") for answer in answers for number in answer.spans)
    assert quoted >= 0.97 * claimed


def test_answers_to_questions_of_no_pack_come_with_their_questions() -> None:
    """Over a hundred and fifty, three answers to each, in the words that they are labelled by."""
    asked = answers_beyond()
    of_question = Counter(question.id for _, question in asked)
    assert len(of_question) >= 150
    assert set(of_question.values()) == {3}
    for answer, question in asked:
        points, wrong = question.targets.points, question.targets.misconceptions
        assert set(answer.points) == {str(number) for number in range(1, len(points) + 1)}, question.id
        assert set(answer.stated) == {f"m{number}" for number in range(1, len(wrong) + 1)}, question.id
        assert all(number in answer.spans for number, status in answer.points.items() if status != "missing")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("no-such-question: {1: {covered: [words]}}", "no-such-question"),
        ("leaves-storage: {9: {covered: [words]}}", "'9'|9"),
        ("leaves-storage: {1: {sideways: [words]}}", "sideways"),
    ],
)
def test_pairs_that_do_not_fit_their_pack_are_refused(text: str, part: str, tmp_path: Path) -> None:
    """The message names the question, the point or the kind."""
    path = tmp_path / "tea.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PairsError, match=part):
        read_pairs(path, tea_pack())


@given(seeds, st.sampled_from(["it is 3 times faster than before", "you can not cache a write", "more data lowers it"]))
def test_a_variation_keeps_the_claim(seed: int, clause: str) -> None:
    """Numbers, negations and directions are never varied."""
    choice = random.Random(seed)
    other = varied(clause, choice)
    assert differs(clause, other) == ""
    assert negations(clause.split()) % 2 == negations(other.split()) % 2
    assert misheard(clause, choice, share=1.0)


@given(seeds)
def test_a_composed_answer_says_what_it_is_labelled_with(seed: int) -> None:
    """Every point but a missing one has a span of words; spans lie in the answer and do not overlap."""
    choice = random.Random(seed)
    pairs = choice.choice(list(pairs_by_question().values()))
    answer = compose(pairs, choice)
    for number, status in answer.points.items():
        assert number in answer.spans or status == "missing"
    spans = sorted(answer.spans.values())
    assert all(0 <= first <= last < len(answer.words) for first, last in spans)
    assert all(former[1] < later[0] for former, later in pairwise(spans))


@pytest.mark.slow
def test_an_answer_teaches_its_verdicts_and_the_words_that_carry_them() -> None:
    """Beside each point stands the label that the author gave, and the characters of the quote."""
    material = Material.load([])
    for answer, question in list(material.asked)[::50]:
        for number, point in enumerate(question.targets.points, start=1):
            for example in examples_of(answer, question, random.Random(1)):
                status = answer.points.get(str(number))
                if example.texts[1] != point or status is None:
                    continue
                own = {"missing": "unrelated"}.get(status, status)
                assert example.allowed == (LABELS.index(own),)  # type: ignore[arg-type]
                if str(number) in answer.spans:
                    first, last = answer.spans[str(number)]
                    ((start, end),) = example.marked or ((0, 0),)
                    assert example.texts[0][start:end] == " ".join(answer.words[first : last + 1])


@pytest.mark.slow
def test_a_fold_and_what_is_left_without_it_are_everything() -> None:
    """Nothing is in both, and nothing in neither."""
    material = Material.load([])
    for fold in range(FOLDS):
        inside, outside = material.of_fold(fold), material.without(fold)
        assert {pair.pack for pair in inside.pairs}.isdisjoint({pair.pack for pair in outside.pairs})
        assert len(inside.pairs) + len(outside.pairs) == len(material.pairs)
        assert len(inside.answers) + len(outside.answers) == len(material.answers)
    assert material.taught.questions.keys().isdisjoint(material.kept_back.questions)
    assert len(material.taught.answers) + len(material.kept_back.answers) == len(material.answers)
    assert {pack for pack, _ in material.kept_back.questions} == set(material.packs)


@given(st.text(min_size=1))
def test_a_question_is_held_out_by_one_fold(question_id: str) -> None:
    """Its fold depends on its id alone."""
    assert 0 <= fold_of_question(question_id) < FOLDS


def test_every_fold_holds_a_pack_out() -> None:
    """Each pack belongs to one fold, and no fold is empty."""
    packs = list(load_packs())
    assert {fold_of_pack(pack, packs) for pack in packs} == set(range(FOLDS))


def test_variations_of_pairs_keep_their_labels() -> None:
    """Each kind teaches its label, whatever is varied; words for one point are nothing to another."""
    pairs = next(iter(pairs_by_question().values()))
    examples = of_pairs(pairs, varied_share=1.0, seed=3)
    written = {(pair.said, pair.point): LABELS.index(LABEL_OF[pair.kind]) for pair in pairs}
    assert sum(example.texts not in written for example in examples) >= len(pairs) / 2
    assert all(example.allowed == (written[example.texts],) for example in examples if example.texts in written)  # type: ignore[index]


def test_a_public_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With where it comes from."""
    with pytest.raises(MissingSetError, match=r"docs/judging\.md"):
        graded_answers(tmp_path)
