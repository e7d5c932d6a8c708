"""Packs: what ships is whole, and what is broken is refused with a sentence that names the place."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.vocabulary import DIFFICULTIES
from rag.packs.pack import PACKS_DIR, PackError, load_pack, load_packs
from tests.examples import examples
from tests.rag.fakes import KITCHEN

KITCHEN_TEXT = KITCHEN.read_text(encoding="utf-8")
PACKS = load_packs()


def faults_of(path: Path) -> str:
    """What is said about a pack that is refused."""
    with pytest.raises(PackError) as refused:
        load_pack(path)
    assert str(refused.value).startswith(f"{path.name} was not loaded: ")
    return "\n".join(refused.value.faults)


def without(text: str, pattern: str, replacement: str = "") -> str:
    """The small pack with one thing changed."""
    changed, count = re.subn(pattern, replacement, text, count=1, flags=re.MULTILINE)
    assert count == 1
    return changed


def line_of(text: str, part: str) -> int:
    """The line, from 1, in which a part of the file begins."""
    return text[: text.index(part)].count("\n") + 1


SHIPPED = (
    "backend", "behavioural", "databases-sql", "devops-sre", "front-end", "machine-learning", "python", "system-design",
)  # fmt: skip


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_pack_is_whole(name: str) -> None:
    """Each shipped pack has 30 questions, every topic several, and every difficulty enough for an interview."""
    pack = PACKS[name]

    assert len(pack.questions) == 30
    difficulties = Counter(question.difficulty for question in pack.questions)
    assert min(difficulties[difficulty] for difficulty in DIFFICULTIES) >= 8
    assert min(Counter(question.topic for question in pack.questions).values()) >= 3
    assert any(topic.fundamental for topic in pack.topics)
    assert {concept for question in pack.questions for concept in question.concepts} <= {c.id for c in pack.concepts}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_question_can_be_helped_with_and_asked_on(name: str) -> None:
    """Each has three hints, and for each key point one natural question that asks for it."""
    for question in PACKS[name].questions:
        assert len(question.hints) == 3, question.id
        asked = sorted(number for seed in question.follow_ups for number in seed.points)
        assert asked == list(range(1, len(question.key_points) + 1)), question.id


def test_there_are_concepts_enough_and_each_has_examples() -> None:
    """At least 150 ideas, each explained twice, with two concrete cases."""
    concepts = [concept for pack in PACKS.values() for concept in pack.concepts]
    assert len(concepts) >= 150
    assert all(len(concept.examples) == 2 for concept in concepts)


def test_behavioural_questions_ask_for_whole_stories() -> None:
    """Each names the parts of the story that its key points tell."""
    assert all(question.parts for question in PACKS["behavioural"].questions)


@pytest.mark.parametrize("name", ["n-plus-one", "N plus one queries", "n PLUS one  queries?", "N-plus-one"])
def test_a_concept_is_found_by_id_or_spoken_name(name: str) -> None:
    """In any case, with hyphens or spaces, whatever the punctuation."""
    concept = PACKS["backend"].concept(name)
    assert concept is not None
    assert concept.id == "n-plus-one"


@pytest.mark.parametrize("name", ["", "one", "queries"])
def test_a_concept_is_not_found_by_a_part_of_its_name(name: str) -> None:
    """What the pack does not have is none."""
    assert PACKS["backend"].concept(name) is None


def test_a_topic_may_come_more_often_than_others(tmp_path: Path) -> None:
    """Its author gives it a weight; without one all topics weigh the same."""
    path = tmp_path / "kitchen.yaml"
    path.write_text(KITCHEN_TEXT.replace("title: Cooking soup", "title: Cooking soup\n    weight: 2"), encoding="utf-8")

    assert [topic.weight for topic in load_pack(path).topics] == [1, 2, 1]


def test_packs_come_by_their_ids() -> None:
    """The folder of packs is read whole, in the order of file names."""
    assert list(load_packs(PACKS_DIR)) == list(SHIPPED)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A wrong path is said to be one."""
    assert "no such file" in faults_of(tmp_path / "absent.yaml")


def test_a_folder_is_not_a_pack(tmp_path: Path) -> None:
    """A folder whose name ends in .yaml cannot be read, and the system's reason is given."""
    (tmp_path / "folder.yaml").mkdir()
    assert "cannot be read (Is a directory)" in faults_of(tmp_path / "folder.yaml")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is empty"),
        (b"# only a comment\n", "it is empty"),
        (b"- a\n- b\n", "not a mapping of keys to values"),
        (b"id: kitchen\ntitle: [unclosed\n", "line 2: it is not YAML"),
        (b"id: kitchen\n\ttitle: tab\n", "line 2: it is not YAML"),
        ("title: K\xfcche\n".encode("latin-1"), "not UTF-8 text (byte 8)"),
        (b"\x00\x01\x02", "it is not text"),
        (b"id: !!python/object:os.system {}\n", "line 1: it is not YAML"),
    ],
)
def test_a_file_that_is_no_pack_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    """Whatever the file holds, one sentence says why it is no pack."""
    path = tmp_path / "pack.yaml"
    path.write_bytes(content)
    assert sentence in faults_of(path)


@pytest.mark.parametrize(
    ("pattern", "replacement", "marker", "sentence"),
    [
        (r"^title: Kitchen\n", "", "id: kitchen", "title: is missing"),
        (r"^language: en", "colour: red", "colour: red", "colour: is not a key that is known here; known are: id"),
        (r"    minutes: 5", "    minuets: 5", "minuets", "question flat-loaf, minuets: is not a key"),
        (r"id: why-yeast", "id: Why yeast", "id: Why", "must be lower-case words joined by hyphens, like"),
        (r"topic: soup", "topic: soups", "topic: soups", "'soups' is not a topic of the pack; it has: bread, knives"),
        (r"id: kneading", "id: why-yeast", "id: why-yeast\n    topic: bread\n    difficulty: medium", "used before"),
        (r"difficulty: hard", "difficulty: brutal", "difficulty: brutal", "'easy', 'medium' or 'hard' (found: 'bru"),
        (r"key_points: &points\n.*\n.*\n.*\n", "key_points: &points []\n", "key_points: &", "at least 3 items, not 0"),
        (r"misconceptions: &wrong\n.*\n", "misconceptions: &wrong\n", "misconceptions: &", "must be a valid list"),
        (r"minutes: 5", "minutes: 50", "minutes: 50", "question flat-loaf, minutes: must be less than or equal to 10"),
        (r"minutes: 5", "minutes: some", "minutes: some", "minutes: must be a valid number"),
        (r"dough\?$", "dough", "text: What does yeast", "must end with a question mark or a full stop"),
        (r"concepts: \[stock\]", "concepts: [stew]", "concepts: [stew]", "'stew' is not a concept of the pack"),
        (r"topic: knives", "topic: soup", "- id: knives", "topic knives: no question is about this topic"),
        (r"  - id: clear-stock\n", "", "topic: soup", "'topic' is given twice; is the hyphen of an item missing?"),
        (r"(?s)^questions:.*", "questions: []", "questions: []", "questions: must have at least 1 item, not 0"),
        (
            r"(?s)^questions:.*",
            "questions: [one]",
            "questions: [one]",
            "question 1: must be a mapping of keys to values",
        ),
        (r"name: Gluten", "name: yeast", "name: yeast", "concept gluten, name: 'yeast' was used before in this pack"),
        (r"fundamental: true", "weight: 0", "weight: 0", "topic bread, weight: must be greater than 0"),
        (r"      - It gives off.*", "      - no", "      - no\n", "question why-yeast, key_points, item 2: must"),
    ],
)
def test_a_fault_is_named_with_its_line(
    tmp_path: Path, pattern: str, replacement: str, marker: str, sentence: str
) -> None:
    """An author reads the line, the question, the key, and what is accepted there."""
    text = without(KITCHEN_TEXT, pattern, replacement)
    path = tmp_path / "kitchen.yaml"
    path.write_text(text, encoding="utf-8")

    faults = faults_of(path)

    assert sentence in faults
    fault = next(fault for fault in faults.splitlines() if sentence in fault)
    assert re.match(rf"line {line_of(text, marker)}[,:] ", fault), fault


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    """An author with three mistakes learns of three."""
    path = tmp_path / "kitchen.yaml"
    path.write_text(KITCHEN_TEXT.replace("minutes: 5", "minutes: 50").replace("title: Kitchen\n", ""), encoding="utf-8")

    assert len(faults_of(path).splitlines()) == 2


def test_a_folder_without_packs_is_refused(tmp_path: Path) -> None:
    """No pack at all is a sentence, not an empty list that fails later."""
    with pytest.raises(PackError, match=r"no pack in this folder.*ends in \.yaml"):
        load_packs(tmp_path)


def test_two_packs_with_one_id_are_refused(tmp_path: Path) -> None:
    """The second file is the one that is named."""
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(KITCHEN_TEXT, encoding="utf-8")

    with pytest.raises(PackError, match=r"^b\.yaml was not loaded: its id 'kitchen' is already taken"):
        load_packs(tmp_path)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_pack_loads_or_is_refused(tmp_path: Path, data: st.DataObject) -> None:
    """However the file is cut or overwritten, nothing but a pack or a PackError comes out."""
    raw = KITCHEN_TEXT.encode()
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 200)))
    path = tmp_path / "kitchen.yaml"
    path.write_bytes(raw[:start] + data.draw(st.binary(max_size=20)) + raw[end:])

    with suppress(PackError):
        load_pack(path)


def test_a_pack_says_how_its_terms_are_pronounced(tmp_path: Path) -> None:
    """With words or letters; what no voice can say is refused with its line."""
    path = tmp_path / "pack.yaml"
    path.write_text(without(KITCHEN_TEXT, "^topics:", "pronunciations: {wok: walk, AWS: A.W.S}\ntopics:"))
    assert load_pack(path).pronunciations == {"wok": "walk", "AWS": "A.W.S"}
    text = without(KITCHEN_TEXT, "^topics:", "pronunciations:\n  wok: walk\n  k8s: k8s\ntopics:")
    path.write_text(text)
    line = line_of(text, "k8s: k8s")
    assert f"line {line}, pronunciations, k8s: must be said with words" in faults_of(path)
