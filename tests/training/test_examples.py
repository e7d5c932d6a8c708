"""Examples for the judge's encoder: what public sets, whole answers and their quotes teach."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from domain.question import Question
from domain.vocabulary import VerdictStatus
from graph.judging.pair_labels import LABELS
from graph.planning.questions import from_bank
from tests.graph.fakes import WordEmbedder, tea_pack
from training.judge import examples, public_datasets
from training.judge.answers import model_answers, quotes_of
from training.judge.augmentation import Dressed
from training.judge.examples import (
    Material,
    nearest_references,
    of_entailment,
    of_graded,
    of_lifelike_answers,
    of_strays,
)
from training.judge.public_datasets import GradedAnswer, SentencePair
from training.judge.synthetic_answers import Composed, Span

COVERED, PARTLY, CONTRADICTED, UNRELATED = range(len(LABELS))


def questions() -> dict[tuple[str, str], Question]:
    """Those of the pack about tea."""
    return {
        ("tea", bank.id): from_bank(bank, topic_title="", concepts=(), grade="high", attempts=1)
        for bank in tea_pack().questions
    }


def answer_to(question_id: str, words: str, points: Mapping[str, VerdictStatus], spans: Mapping[str, Span]) -> Composed:
    """A labelled answer without a word about misconceptions."""
    return Composed("tea", question_id, tuple(words.split()), points, {}, spans)


def graded(label: public_datasets.ThreeWay, answer: str, *references: str) -> GradedAnswer:
    """An answer of a public set."""
    return GradedAnswer("set", "set/1", "What is it?", references, answer, label)


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """A file with a JSON object a line, and an empty line."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")


def test_public_sets_are_read_as_they_lie_in_their_folder(tmp_path: Path) -> None:
    """Questions carry the name of their set, so that no two sets share one; tutors' points come along."""
    pair = {"premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}
    write_lines(tmp_path / public_datasets.ENTAILMENT, [pair, pair])
    of_set = {"set": "beetle", "question_id": "7", "question": "Why?", "answer": "So.", "label": "correct"}
    write_lines(tmp_path / public_datasets.GRADED, [{**of_set, "references": [{"text": "Thus."}, {"text": "Hence."}]}])
    of_tutor = {"question_id": "7", "question": "How?", "references": ["Like this."], "answer": "Well.", "score": 0.5}
    write_lines(tmp_path / public_datasets.NETWORKS, [{**of_tutor, "label": "Partially correct"}])

    assert public_datasets.sentence_pairs(tmp_path) == [SentencePair("It rains.", "It is wet.", "entailment")] * 2
    (answer,) = public_datasets.graded_answers(tmp_path)
    assert (answer.question_id, answer.references, answer.score) == ("beetle/7", ("Thus.", "Hence."), None)
    (tutored,) = public_datasets.networks_answers(tmp_path)
    assert (tutored.question_id, tutored.label, tutored.score) == ("networks/7", "incorrect", 0.5)


def test_further_pairs_are_taken_from_each_set_and_label_alike(tmp_path: Path) -> None:
    """So many of a set, divided among its labels, always the same; without such sets, none."""
    assert public_datasets.further_pairs(tmp_path, 4) == []
    labels = ["entailment"] * 9 + ["neutral"]
    pairs = [{"premise": f"{number}", "hypothesis": "It is.", "label": label} for number, label in enumerate(labels)]
    for name, rows in (("one", pairs), ("other", pairs[:1])):
        (tmp_path / "entailment").mkdir(exist_ok=True)
        write_lines(tmp_path / public_datasets.FURTHER / f"{name}.jsonl", rows)

    found = public_datasets.further_pairs(tmp_path, 4)
    assert [pair.label for pair in found] == ["entailment", "entailment", "neutral", "entailment"]
    write_lines(tmp_path / public_datasets.FURTHER / "one.jsonl", pairs[::-1])
    assert public_datasets.further_pairs(tmp_path, 4)[-1] == found[-1]
    assert {pair.premise for pair in public_datasets.further_pairs(tmp_path, 4)} == {pair.premise for pair in found}


@pytest.mark.parametrize(
    ("label", "classes"),
    [("entailment", (COVERED,)), ("contradiction", (CONTRADICTED,)), ("neutral", (PARTLY, UNRELATED))],
)
def test_a_neutral_sentence_may_be_half_of_it_or_beside_it(label: str, classes: tuple[int, ...]) -> None:
    """A set with fewer labels than the judge teaches what it knows, and nothing else."""
    (example,) = of_entailment([SentencePair("It rains.", "It is wet.", label)])  # type: ignore[arg-type]
    assert example.texts == ("It rains.", "It is wet.")
    assert example.allowed == classes


def test_a_graded_answer_is_read_beside_the_reference_that_is_nearest_to_it() -> None:
    """A grade of "incorrect" may mean half of it or something else, "contradictory" one thing."""
    references = ("The lamp burns out.", "The switch opens the circuit.")
    answers = [
        graded("correct", "it opens the circuit", *references),
        graded("contradictory", "the lamp never burns out", *references),
        graded("incorrect", "a switch", *references),
    ]
    assert nearest_references(answers, WordEmbedder()) == [references[1], references[0], references[1]]
    examples = of_graded(answers, WordEmbedder())
    assert [each.texts[1] for each in examples] == [references[1], references[0], references[1]]
    assert [each.allowed for each in examples] == [(COVERED,), (CONTRADICTED,), (PARTLY, UNRELATED)]


def test_an_answer_makes_no_point_of_another_question() -> None:
    """However well somebody speaks: each stray example is unrelated, without a word that carries anything."""
    asked = questions()
    answers = [
        (answer_to(question_id, "Black tea is oxidised.", {"1": "covered"}, {"1": (0, 3)}), question)
        for (_, question_id), question in asked.items()
    ]
    material = Material([], [], [answer for answer, _ in answers], [], [], [], asked)
    strays = of_strays(answers, material, random.Random(1))
    own_points = {point for _, question in answers[:1] for point in question.targets.points}
    assert strays
    assert all(each.allowed == (UNRELATED,) and each.marked == () for each in strays)
    of_first = of_strays(answers[:1], material, random.Random(1))
    assert of_first
    assert own_points.isdisjoint(each.texts[1] for each in of_first)


def test_lifelike_answers_are_read_beside_a_quarter_as_many_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are drawn, anew for each seed; what was learned before is learned of those alone."""
    monkeypatch.setattr(examples, "dress", lambda answer, *_: Dressed(answer, ()))
    key, question = next(iter(questions().items()))
    made: dict[str, VerdictStatus] = {"1": "covered"}
    skilled = [answer_to(question.id, f"Skilled {each}.", made, {"1": (0, 1)}) for each in range(4)]
    realistic = [answer_to(question.id, f"Realistic {each}.", made, {"1": (0, 1)}) for each in range(4)]
    others = [answer_to(question.id, f"Other {each}.", made, {"1": (0, 1)}) for each in range(20)]
    beyond = [(answer_to("elsewhere", f"Beyond {each}.", made, {"1": (0, 1)}), question) for each in range(2)]
    material = Material([], [], others, skilled, realistic, beyond, {key: question})

    def read(seed: int) -> set[str]:
        return {each.texts[0] for each in of_lifelike_answers(material, seed)}

    lifelike = [*skilled, *realistic, *(answer for answer, _ in beyond)]
    assert {" ".join(each.words) for each in lifelike} <= read(1)
    assert len(read(1)) == len(lifelike) + round(len(lifelike) / 4)
    assert read(1) != read(2)
    assert list(material.asked) == [(each, question) for each in others]


def test_each_verdict_is_learned_from_its_own_words_as_well() -> None:
    """A point that is missing is learned from words about another one, which do not make it."""
    question = next(iter(questions().values()))
    words = "Black leaves are fully oxidised but green ones too"
    points: dict[str, VerdictStatus] = {"1": "covered", "2": "contradicted", "3": "missing"}
    answer = answer_to(question.id, words, points, {"1": (0, 4), "2": (5, 8)})
    first, second, third = quotes_of(answer, question, random.Random(1))
    targets = question.targets.points
    assert (first.texts, first.allowed) == (("Black leaves are fully oxidised", targets[0]), (COVERED,))
    assert (second.texts, second.allowed) == (("but green ones too", targets[1]), (CONTRADICTED,))
    assert third.texts[0] in {first.texts[0], second.texts[0]}
    assert (third.texts[1], third.allowed) == (targets[2], (UNRELATED,))


def test_a_model_answer_makes_every_point_and_a_story_has_none() -> None:
    """It counts for less than what people say; what a story has to tell can be read out nowhere."""
    question = next(iter(questions().values()))
    examples = model_answers(question)
    assert [each.texts for each in examples] == [(question.expected_answer, each) for each in question.targets.points]
    assert all(each.allowed == (COVERED,) and each.weight < 1 for each in examples)
    told = question.targets.model_copy(update={"parts": ("situation",) * len(question.targets.points)})
    assert model_answers(question.model_copy(update={"targets": told})) == []
