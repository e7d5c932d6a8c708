"""The steps of the set-up in their order, one run at a time, with what each took."""

from __future__ import annotations

import argparse
import fcntl
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from install.ollama import build_ollama
from install.postgres import install_postgres
from install.programs import build_livekit, build_pages, install_browser
from install.python_packages import RUN_LOCK, TEST_MODEL_LOCK, TRAINING_LOCK, PythonPackages
from install.running import Runner, SetupError
from install.telephones import install_telephones

ROOT = Path(__file__).resolve().parent.parent
Purpose = Literal["run", "train", "test"]


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the set-up."""

    name: str
    do: Callable[[], bool]
    """Makes its result where it is missing; whether there was anything to do."""


def steps(purpose: Purpose, root: Path, runner: Runner) -> list[Step]:
    """What running Viva needs, and what training and testing need besides; slow downloads come after quick checks."""
    python = PythonPackages(root, runner)
    tools = root / ".tools"

    def prepare_models() -> bool:
        runner.run([python.python, "-m", "agent.model_files.prepare"], cwd=root, failure="The models are not ready.")
        return False  # it looks at the files itself, and at unchanged ones in a moment

    wanted = [
        Step("virtual environment", python.make_venv),
        Step("livekit-server", lambda: build_livekit(tools, runner)),
        Step("pages", lambda: build_pages(root / "review" / "pages", runner)),
        Step("Python packages", lambda: python.install_locked(RUN_LOCK)),
        Step("the viva command", python.install_viva),
        Step("models", prepare_models),
    ]
    if purpose != "run":
        training = Step("Python packages for training", lambda: python.install_locked(TRAINING_LOCK))
        wanted.extend([training, Step("torch", python.install_torch)])
    if purpose == "test":
        wanted.insert(1, Step("Chromium for the tests of the pages", lambda: install_browser(runner)))
        wanted.insert(2, Step("PostgreSQL for the tests of the checkpoints", lambda: install_postgres(runner)))
        wanted.insert(3, Step("telephones for the tests of the phone line", lambda: install_telephones(runner)))
        wanted.append(Step("Ollama for the tests of the language models", lambda: build_ollama(tools, runner)))
        wanted.append(Step("language model for the tests", lambda: python.install_locked(TEST_MODEL_LOCK)))
    return wanted


def set_up(wanted: Sequence[Step], say: Callable[[str], None], clock: Callable[[], float]) -> None:
    """Do the steps in order, telling of those that had anything to do.

    Raises:
        SetupError: a step failed; the ones before it stay done.

    """
    started = clock()
    done = 0
    for number, step in enumerate(wanted, start=1):
        begun = clock()
        place = f"[{number}/{len(wanted)}]"
        say(f"{place} {step.name} …")
        if step.do():
            done += 1
            say(f"{place} {step.name}: done in {clock() - begun:.0f} s")
    changed = f"{done} steps done" if done else "nothing to do"
    say(f"Viva is set up ({changed}, {clock() - started:.1f} s)")


def main(arguments: Sequence[str]) -> int:
    """Set Viva up; 1 with a sentence on the error stream when something is missing or failed."""
    parser = argparse.ArgumentParser(prog="python3 -m install", description="Make a clone of Viva ready.")
    parser.add_argument("purpose", nargs="?", choices=get_args(Purpose), default="run")
    purpose: Purpose = parser.parse_args(arguments).purpose
    try:
        with only_one(ROOT / ".tools"):
            _say(f"Setting Viva up to {purpose}, with Python {sys.version.split()[0]}")
            set_up(steps(purpose, ROOT, Runner(ROOT / ".tools" / "set-up.log", _say)), _say, time.monotonic)
    except SetupError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; the same command goes on where this one stopped.\n")
        return 130
    return 0


@contextmanager
def only_one(tools: Path) -> Iterator[None]:
    """Let a second set-up of the same folder wait for the first."""
    tools.mkdir(exist_ok=True)
    with (tools / "set-up.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("Another set-up is at work in this folder; waiting for it …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _say(line: str) -> None:
    print(line, flush=True)
