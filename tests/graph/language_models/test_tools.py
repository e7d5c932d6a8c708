"""The tools: what they find, what they say of what they cannot find, and that they run nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ValidationError

from graph.language_models.tools import check_code, make_tools
from rag.packs.pack import PACKS_DIR, load_packs
from tests.graph.fakes import tea_pack

TOOLS: dict[str, BaseTool] = {each.name: each for each in make_tools({"tea": tea_pack()})}


def use(name: str, **arguments: object) -> dict[str, Any]:
    """What a tool answers."""
    answer: dict[str, Any] = TOOLS[name].invoke(arguments)
    return answer


def test_there_are_three_that_a_model_can_be_given() -> None:
    """Each has a name, a description and typed arguments, in the form that every provider takes."""
    forms = {name: convert_to_openai_tool(each)["function"] for name, each in TOOLS.items()}

    assert set(forms) == {"rubric_lookup", "code_validator", "concept_lookup"}
    assert all(form["description"] for form in forms.values())
    assert forms["rubric_lookup"]["parameters"]["required"] == ["question_id"]
    assert forms["code_validator"]["parameters"]["required"] == ["code"]
    assert forms["concept_lookup"]["parameters"]["properties"]["concept_name"]["type"] == "string"


def test_a_rubric_has_what_an_answer_is_judged_by() -> None:
    """Key points, misconceptions and difficulty are the pack's own."""
    question = tea_pack().questions[0]
    rubric = use("rubric_lookup", question_id=question.id)

    assert rubric["found"]
    assert rubric["key_points"] == question.key_points
    assert (rubric["topic"], rubric["difficulty"]) == (question.topic, question.difficulty)


def test_every_question_and_concept_of_the_packs_is_found() -> None:
    """Nothing in the packs that Viva brings is out of reach."""
    packs = {pack.id: pack for pack in load_packs(PACKS_DIR).values()}
    tools = {each.name: each for each in make_tools(packs)}
    for pack in packs.values():
        assert all(tools["rubric_lookup"].invoke({"question_id": each.id})["found"] for each in pack.questions)
        assert all(tools["concept_lookup"].invoke({"concept_name": each.name})["found"] for each in pack.concepts)


def test_what_is_not_there_is_said_with_what_comes_nearest() -> None:
    """A model that misspells an id can correct itself."""
    right = tea_pack().questions[0].id
    answer = use("rubric_lookup", question_id=right + "x")

    assert not answer["found"]
    assert right in answer["nearest"]
    assert not use("concept_lookup", concept_name="quantum gravity")["found"]


def test_a_concept_is_found_by_id_and_by_name() -> None:
    """Both explanations come along."""
    concept = tea_pack().concepts[0]
    for name in (concept.id, concept.name, concept.name.upper()):
        assert use("concept_lookup", concept_name=name)["simple_explanation"] == concept.simple_explanation


@pytest.mark.parametrize(
    ("code", "valid", "line"),
    [
        ("def f(x):\n    return x", True, 0),
        ("def f(x)\n    return x", False, 1),
        ("x = [1, 2\n\ny = 3", False, 1),
        ("", True, 0),
        ("x = 1\x00", False, 0),
        ("(" * 3000, False, 0),
    ],
)
def test_python_is_parsed(code: str, valid: bool, line: int) -> None:
    """A fault has its line."""
    answer = use("code_validator", code=code)

    assert answer["is_valid"] is valid
    if not valid and line:
        assert answer["errors"][0]["line"] == line


def test_code_is_not_run(tmp_path: Path) -> None:
    """Parsing has no effects."""
    target = tmp_path / "gone"
    target.touch()

    assert use("code_validator", code=f"import os; os.remove({str(target)!r})")["is_valid"]
    assert target.exists()


def test_a_warning_of_the_parser_is_told() -> None:
    """An invalid escape is no error and worth knowing."""
    answer = use("code_validator", code='x = "\\d"')

    assert answer["is_valid"]
    assert "line 1" in answer["warnings"][0]


@pytest.mark.parametrize("language", ["go", "Java", "SQL", ""])
def test_another_language_is_answered_honestly(language: str) -> None:
    """Neither right nor wrong: it was not checked."""
    answer = use("code_validator", code="x", language=language)

    assert answer["is_valid"] is None
    assert "only Python" in answer["warnings"][0]


@given(st.text(max_size=200))
def test_any_text_is_answered(code: str) -> None:
    """Whatever a candidate dictates, the answer is yes or no."""
    assert check_code(code, "python")["is_valid"] in (True, False)


def test_wrong_arguments_are_refused() -> None:
    """Arguments are typed: a model that invents one is told."""
    with pytest.raises(ValidationError):
        use("rubric_lookup", question="x")
