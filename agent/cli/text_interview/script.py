"""Scripts: what a candidate says in an interview by text, written down beforehand. YAML or JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agent.cli.text_interview.session import GivenText
from agent.http.text.schemas import LONGEST_TURN_S, QuestionOut, TurnResponse


class ScriptError(ValueError):
    """A script cannot be used; the message names every fault."""


def _a_turn(value: Any) -> Any:
    return {"response": value} if isinstance(value, str) else value


class ScriptedTurn(BaseModel):
    """One thing the candidate says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    response: Annotated[str, Field(min_length=1)]
    after_s: Annotated[float, Field(ge=0, le=LONGEST_TURN_S, allow_inf_nan=False)] | None = None
    """Seconds between the question and the answer; without it, the script's `after_s`."""
    question: str = ""
    """Id of the question that this answers; empty: said in its turn, whatever was asked."""


Turn = Annotated[ScriptedTurn, BeforeValidator(_a_turn)]


class Script(BaseModel):
    """What is said, and when.

    To a question, the first turn that was not said yet and is for it or for none in particular; else `otherwise`. With
    nothing left to say the interview is ended.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: list[Turn]
    otherwise: Turn | None = None
    """Said whenever no turn is left for a question, as often as needed."""
    after_s: Annotated[float, Field(ge=0, le=LONGEST_TURN_S, allow_inf_nan=False)] = 30.0


class ScriptedCandidate:
    """Says what a script says.

    Args:
        script: what there is to say.
        wait: waits for so many seconds before an answer is sent.
    """

    def __init__(self, script: Script, wait: Callable[[float], None]) -> None:
        self._script = script
        self._wait = wait
        self._left: list[ScriptedTurn] = list(script.turns)

    def answer(self, question: QuestionOut, reply: TurnResponse | None) -> GivenText | None:  # noqa: ARG002
        """What is said to this question; None when there is nothing more to say."""
        turn = next((turn for turn in self._left if turn.question in ("", question.id)), None)
        if turn is not None:
            self._left.remove(turn)
        turn = turn or self._script.otherwise
        if turn is None:
            return None
        after_s = self._script.after_s if turn.after_s is None else turn.after_s
        self._wait(after_s)
        return GivenText(turn.response, after_s)

    def wants_to_end(self) -> bool:
        """Ctrl-C stops a script."""
        raise KeyboardInterrupt


def load_script(path: Path) -> Script:
    """Read a script; a list of turns is one, too.

    Raises:
        ScriptError: the file cannot be read, or is no script.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScriptError(f"The script {path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise ScriptError(f"The script {path} is not UTF-8 text.") from None
    except yaml.YAMLError as error:
        raise ScriptError(f"The script {path} is neither YAML nor JSON: {error}") from None
    try:
        return Script.model_validate({"turns": content} if isinstance(content, list) else content)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'script'}: {fault['msg']}" for fault in error.errors()
        )
        raise ScriptError(f"The script {path} cannot be used: {faults}.") from None
