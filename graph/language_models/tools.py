"""Tools for models, as LangChain has them: rubrics and concepts of the question packs, syntax of code.

They read; they change nothing and run nothing. Every answer is a dictionary, an unknown name is answered with the names
that come nearest, and a language that cannot be checked is answered as such.
"""

from __future__ import annotations

import ast
import difflib
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.tools import BaseTool, tool
from pydantic import BaseModel, ConfigDict, Field

from rag.packs.pack import BankQuestion, Concept, Pack

_LONGEST_CODE = 20_000
_NEAREST = 3


class RubricArguments(BaseModel):
    """Which question's rubric is wanted."""

    model_config = ConfigDict(extra="forbid")

    question_id: str = Field(description="Id of a question from the question pack", min_length=1, max_length=200)


class CodeArguments(BaseModel):
    """Code to check."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(description="Source code", max_length=_LONGEST_CODE)
    language: str = Field(default="python", description="Programming language; only python can be checked")


class ConceptArguments(BaseModel):
    """Which concept is wanted."""

    model_config = ConfigDict(extra="forbid")

    concept_name: str = Field(description="Name or id of a concept", min_length=1, max_length=200)


def make_tools(packs: Mapping[str, Pack]) -> list[BaseTool]:
    """The tools over these question packs: `rubric_lookup`, `code_validator`, `concept_lookup`.

    Args:
        packs: question packs by id. Where two packs use the same id, the first one's is found.
    """
    questions: dict[str, tuple[Pack, BankQuestion]] = {}
    for pack in packs.values():
        for question in pack.questions:
            questions.setdefault(question.id, (pack, question))

    @tool(args_schema=RubricArguments)
    def rubric_lookup(question_id: str) -> dict[str, Any]:
        """Look up what a good answer to a question makes clear: key points, misconceptions, and a model answer."""
        found = questions.get(question_id.strip())
        if found is None:
            return _unknown("question", question_id, questions)
        return _rubric(*found)

    @tool(args_schema=CodeArguments)
    def code_validator(code: str, language: str = "python") -> dict[str, Any]:
        """Check the syntax of source code without running it. Only Python can be checked."""
        return check_code(code, language)

    @tool(args_schema=ConceptArguments)
    def concept_lookup(concept_name: str) -> dict[str, Any]:
        """Look up an idea behind the questions: its explanation, and a simple one."""
        concept = next((each for pack in packs.values() if (each := pack.concept(concept_name)) is not None), None)
        if concept is None:
            return _unknown("concept", concept_name, [each.name for pack in packs.values() for each in pack.concepts])
        return _explained(concept)

    return [rubric_lookup, code_validator, concept_lookup]


def check_code(code: str, language: str) -> dict[str, Any]:
    """Whether code can be parsed, with the place of every fault; `is_valid` is None for what cannot be checked."""
    name = language.strip().lower()
    if name not in {"python", "python3", "py"}:
        why = f"{language.strip() or 'an unnamed language'} cannot be checked, only Python"
        return {"is_valid": None, "language": name, "errors": [], "warnings": [why]}
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        try:
            ast.parse(code)
        except SyntaxError as error:
            errors = [{"line": error.lineno or 0, "column": error.offset or 0, "message": error.msg}]
        except (ValueError, RecursionError, MemoryError) as error:
            # Null bytes, and brackets nested deeper than the parser goes.
            errors = [{"line": 0, "column": 0, "message": str(error) or "too deeply nested"}]
        else:
            errors = []
    said = [f"line {each.lineno}: {each.message}" for each in noticed]
    if not code.strip():
        said.append("there is no code")
    return {"is_valid": not errors, "language": "python", "errors": errors, "warnings": said}


def _rubric(pack: Pack, question: BankQuestion) -> dict[str, Any]:
    return {
        "found": True,
        "pack": pack.id,
        "question": question.text,
        "topic": question.topic,
        "difficulty": question.difficulty,
        "minutes": question.minutes,
        "key_points": question.key_points,
        "misconceptions": question.misconceptions,
        "model_answer": question.model_answer,
        "concepts": question.concepts,
    }


def _explained(concept: Concept) -> dict[str, Any]:
    return {
        "found": True,
        "id": concept.id,
        "name": concept.name,
        "explanation": concept.explanation,
        "simple_explanation": concept.simple_explanation,
    }


def _unknown(kind: str, name: str, known: Iterable[str]) -> dict[str, Any]:
    by_lower = {each.lower(): each for each in known}
    nearest = difflib.get_close_matches(name.strip().lower(), by_lower, n=_NEAREST, cutoff=0.5)
    return {"found": False, "message": f"there is no {kind} {name!r}", "nearest": [by_lower[each] for each in nearest]}
