"""A runner that runs nothing: it notes what it was asked and answers from a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from install.running import Runner, SetupError


class ScriptedRunner(Runner):
    """Stands in for the runner of the set-up."""

    def __init__(self, log: Path, answers: Mapping[str, str] | None = None) -> None:
        self.said: list[str] = []
        self.commands: list[str] = []
        self.environments: list[Mapping[str, str]] = []
        self.failing: set[str] = set()
        """Parts of commands that fail."""
        self.effects: dict[str, Callable[[], object]] = {}
        """What a command that contains a text does besides."""
        self.answers = dict(answers or {})
        """What programs answer, by the beginning of their command (the program's name without its folder)."""
        super().__init__(log, self.said.append)

    def run(
        self,
        command: Sequence[str | Path],
        *,
        failure: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Note the command, do its effects, and fail where the script says so."""
        line = " ".join(map(str, command))
        self.commands.append(line)
        self.environments.append(environment or {})
        for text, effect in self.effects.items():
            if text in line:
                effect()
        if any(text in line for text in self.failing):
            raise SetupError(failure)

    def output(self, command: Sequence[str | Path]) -> str | None:
        """Answer from the script; None for what it does not name."""
        line = " ".join([Path(command[0]).name, *map(str, command[1:])])
        return next((answer for start, answer in self.answers.items() if line.startswith(start)), None)

    def ran(self, text: str) -> bool:
        """Whether a command with this text was run."""
        return any(text in command for command in self.commands)
