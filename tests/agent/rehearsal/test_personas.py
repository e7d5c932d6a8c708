from __future__ import annotations

from pathlib import Path

import pytest

from agent.rehearsal.persona import Persona, PersonaError, load_persona, persona_names
from agent.settings import PROJECT_DIR

DOCUMENTATION = (PROJECT_DIR / "docs" / "personas.md").read_text(encoding="utf-8")

SPEAKING = "name: mine\ndescription: Somebody for a test.\nunsure: [Yes.]\n"


def write(folder: Path, text: str) -> str:
    """A persona file; its path."""
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_documented_personas_are_there() -> None:
    """The names that `--persona` takes."""
    wanted = {"strong", "weak", "wrong", "rambling", "silent", "interrupting", "repeats", "asking"}
    assert wanted <= set(persona_names())


@pytest.mark.parametrize("name", persona_names())
def test_every_persona_loads_under_its_own_name(name: str) -> None:
    """File name and name agree, so that a result says which file it was."""
    assert load_persona(name).name == name


def test_lines_may_be_a_list_or_go_by_question(tmp_path: Path) -> None:
    """A list is numbered from 1; keys that YAML reads as numbers count the same."""
    in_order = load_persona(write(tmp_path, SPEAKING + "answers: model_answer\nlines: [First words., Second words.]"))
    assert in_order.lines == {"1": "First words.", "2": "Second words."}
    keyed = load_persona(write(tmp_path, SPEAKING + "answers: model_answer\nlines: {kneading: Knead it., 2: Bake.}"))
    assert keyed.lines == {"kneading": "Knead it.", "2": "Bake."}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SPEAKING + "answers: loud", "answers: input should be 'model_answer', 'vague', 'misconceptions'"),
        (SPEAKING + "answers: model_answer\nvioce: {pitch: 1}", "vioce: there is no such field; did you mean voice?"),
        (
            SPEAKING + "answers: model_answer\nvoice: {speed: 1}",
            "voice.speed: there is no such field; the fields are pitch, pace",
        ),
        (SPEAKING + "answers: model_answer\nvoice: {pitch: 3}", "voice.pitch: input should be less than or equal to"),
        (SPEAKING + "answers: vague", "answers is vague, so vague_answers must have at least one line"),
        (SPEAKING + "answers: rambling", "answers is rambling, so digressions must have at least one line"),
        (
            "name: mine\ndescription: Somebody.\nanswers: model_answer",
            "unsure must have at least one line, for when no question was recognised",
        ),
        (
            SPEAKING + "answers: silence\nrequests: [{turn: 1, wants: skip, say: Skip.}]",
            "answers is silence, so lines, requests, interruptions and leaves must be left out",
        ),
        (
            SPEAKING + "answers: model_answer\nrequests: [{turn: 1, wants: tea, say: Tea.}]",
            "requests.0.wants: input should be 'repeat', 'rephrase', 'clarify', 'hint', 'skip'",
        ),
        (
            SPEAKING + "answers: model_answer\nrequests: [{turn: 2, wants: hint, say: Hint., announces: true}]",
            "requests.0: correction and announces are for correct_myself only",
        ),
        (
            SPEAKING
            + "answers: model_answer\nrequests: [{turn: 2, wants: correct_myself, say: No., after_answer: true}]",
            "requests.0: correct_myself is about an earlier answer; after_answer must be left out",
        ),
        (
            SPEAKING + "answers: model_answer\nrequests: [{turn: 1, wants: correct_myself, say: No.}]",
            "turn 1 corrects an answer, so one must be given before it",
        ),
        (
            SPEAKING
            + "answers: model_answer\nrequests: [{turn: 2, wants: correct_myself, say: No., announces: true}, "
            + "{turn: 3, wants: skip, say: Skip.}]",
            "turn 3 is for the correction that the turn before it announces",
        ),
        (
            SPEAKING + "answers: model_answer\nrequests: [{turn: 2, wants: hint, say: Hint., after_anwser: true}]",
            "requests.0.after_anwser: there is no such field; did you mean after_answer?",
        ),
        (SPEAKING + "answers: model_answer\nlines: Hello", "lines: must be a list of answers in order, or a mapping"),
        (SPEAKING, "answers: field required"),
        ("", "it is empty or not a mapping"),
        ("name: [", "line 1: it is not YAML"),
    ],
)
def test_a_wrong_file_gets_a_sentence_that_names_the_field(tmp_path: Path, text: str, sentence: str) -> None:
    """Whoever writes a persona learns which field is wrong and what it takes."""
    path = write(tmp_path, text)
    with pytest.raises(PersonaError) as caught:
        load_persona(path)
    assert any(fault.startswith(sentence) for fault in caught.value.faults), caught.value.faults
    assert path in str(caught.value)


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    """A mistyped name costs one look, not a search."""
    with pytest.raises(PersonaError, match=r"it is not one of .*strong.*weak"):
        load_persona("storng")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The sentence says which file could not be read."""
    with pytest.raises(PersonaError, match="cannot be read"):
        load_persona(str(tmp_path / "nobody.yaml"))


def test_whether_an_interview_must_hold_a_judged_answer(tmp_path: Path) -> None:
    """Not when the persona is silent, or asks to stop before it answers anything."""
    assert load_persona("strong").answers_questions
    assert load_persona("leaving").answers_questions
    assert not load_persona("silent").answers_questions
    requests = SPEAKING + "answers: model_answer\nrequests: "
    for unanswered in (
        "[{turn: 1, wants: stop, say: Stop.}]",
        "[{turn: 1, wants: repeat, say: Again.}, {turn: 2, wants: stop, say: Stop.}]",
        "[{turn: 1, wants: hint, say: Hint., after_answer: true}, {turn: 2, wants: stop, say: Stop.}]",
    ):
        assert not load_persona(write(tmp_path, requests + unanswered)).answers_questions
    last_words = "[{turn: 1, wants: stop, say: Stop., after_answer: true}]"
    assert load_persona(write(tmp_path, requests + last_words)).answers_questions


def test_the_documented_persona_loads(tmp_path: Path) -> None:
    """Whoever copies the example has a persona."""
    example = DOCUMENTATION.partition("```yaml\n")[2].partition("```")[0]
    assert load_persona(write(tmp_path, example)).name == "nervous"


def test_every_field_and_every_persona_is_documented() -> None:
    """The page and the code say the same."""
    assert [name for name in [*Persona.model_fields, *persona_names()] if f"`{name}`" not in DOCUMENTATION] == []
