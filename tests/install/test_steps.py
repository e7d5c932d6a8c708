"""The set-up's order, what it skips, and how it goes on after an interruption."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from install import setup
from install.running import Runner, SetupError
from install.setup import Step, set_up, steps
from install.stamps import key_of, once


def ticking() -> Callable[[], float]:
    """A clock on which every look takes a second."""
    seconds = count()
    return lambda: float(next(seconds))


def test_steps_are_done_in_order_and_told() -> None:
    """Every step is announced with its place, and those that did something with their time."""
    said: list[str] = []

    set_up([Step("one", lambda: True), Step("two", lambda: False)], said.append, ticking())

    assert said == [
        "[1/2] one …",
        "[1/2] one: done in 1 s",
        "[2/2] two …",
        "Viva is set up (1 steps done, 4.0 s)",
    ]


def test_a_failed_step_stops_the_set_up() -> None:
    """What comes after a failure is not tried."""
    done: list[str] = []

    def fail() -> bool:
        raise SetupError("no network")

    def note() -> bool:
        done.append("two")
        return True

    with pytest.raises(SetupError, match="no network"):
        set_up([Step("one", fail), Step("two", note)], lambda _: None, ticking())

    assert done == []


def test_testing_needs_more_than_running(tmp_path: Path) -> None:
    """Torch is for training and its tests; Chromium, PostgreSQL, telephones, Ollama and its model only for tests."""
    runner = Runner(tmp_path / "log")

    for_running = [step.name for step in steps("run", tmp_path, runner)]
    for_training = [step.name for step in steps("train", tmp_path, runner)]
    for_testing = [step.name for step in steps("test", tmp_path, runner)]

    assert for_training == [*for_running, "Python packages for training", "torch"]
    assert [name for name in for_testing if name not in for_running] == [
        "Chromium for the tests of the pages",
        "PostgreSQL for the tests of the checkpoints",
        "telephones for the tests of the phone line",
        "Python packages for training",
        "torch",
        "Ollama for the tests of the language models",
        "language model for the tests",
    ]


def test_a_stamp_holds_while_its_inputs_stay(tmp_path: Path) -> None:
    """A step counts as done for exactly the inputs it was done with, and not when it failed."""
    lock, stamp, done = tmp_path / "a.lock", tmp_path / "stamps" / "packages", list[str]()

    def fail() -> None:
        raise SetupError("no network")

    lock.write_text("one")
    with pytest.raises(SetupError):
        once(stamp, key_of(lock), fail)
    assert once(stamp, key_of(lock), lambda: done.append("one"))
    assert not once(stamp, key_of(lock), fail)

    lock.write_text("two")
    assert once(stamp, key_of(lock), lambda: done.append("two"))
    assert done == ["one", "two"]


def test_a_key_sees_new_renamed_and_missing_files(tmp_path: Path) -> None:
    """Files that come, go or swap their names change the key."""
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("x")
    without = key_of([first, second])
    second.write_text("y")
    both = key_of([first, second])
    first.write_text("y")
    second.write_text("x")

    assert len({without, both, key_of([first, second])}) == 3


def test_a_failed_program_is_told_with_its_last_lines(tmp_path: Path) -> None:
    """The sentence says what to do, and the log holds everything."""
    runner = Runner(tmp_path / "logs" / "set-up.log")
    script = "for number in range(100): print('line', number)\nraise SystemExit(7)"

    with pytest.raises(SetupError) as caught:
        runner.run([sys.executable, "-c", script], failure="Check the network.")

    assert "line 99\nCheck the network. (exit code 7" in str(caught.value)
    assert "line 84" not in str(caught.value)
    assert "line 0\n" in (tmp_path / "logs" / "set-up.log").read_text()


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A missing program gives the sentence as well."""
    runner = Runner(tmp_path / "log")

    with pytest.raises(SetupError, match=r"/no/such/program cannot be started .* Install it\."):
        runner.run(["/no/such/program"], failure="Install it.")
    assert runner.output(["/no/such/program"]) is None


def test_a_second_set_up_waits_for_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two set-ups in one folder never work at the same time."""
    order: list[str] = []
    first_is_in, second_waits = threading.Event(), threading.Event()

    class Waiting(io.StringIO):
        def write(self, text: str) -> int:
            if "waiting for it" in text:
                second_waits.set()
            return super().write(text)

    monkeypatch.setattr(sys, "stdout", Waiting())

    def first() -> None:
        with setup.only_one(tmp_path):
            first_is_in.set()
            second_waits.wait()
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    first_is_in.wait()
    with setup.only_one(tmp_path):
        order.append("second")
    thread.join()

    assert order == ["first", "second"]


@pytest.fixture
def old_python(tmp_path: Path) -> Path:
    """A program that runs the set-up's entry as a Python 3.9 would."""
    path = tmp_path / "old.py"
    root = Path(setup.__file__).resolve().parents[1]
    path.write_text(
        f"import os, runpy, sys\nos.environ['PATH'] = {str(tmp_path)!r}\nsys.path.insert(0, {str(root)!r})\n"
        "sys.version_info = (3, 9, 2, 'final', 0)\nsys.version = '3.9.2 (old)'\nsys.argv = ['install', 'run']\n"
        "import install.__main__ as entry\nsys.exit(entry.main())\n"
    )
    return path


def test_an_old_python_is_told_what_is_needed(old_python: Path) -> None:
    """Where no newer Python is found, the sentence says which is needed and how to get it."""
    done = subprocess.run([sys.executable, str(old_python)], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith("Viva needs Python 3.11, 3.12 or 3.13, and python3 is 3.9.2: install one of these")


def test_an_old_python_hands_over_to_a_newer_one(old_python: Path) -> None:
    """A python3.12 on PATH does the set-up when python3 itself is too old."""
    newer = old_python.parent / "python3.12"
    newer.write_text('#!/bin/sh\necho "newer: $*"\n')
    newer.chmod(0o755)

    done = subprocess.run([sys.executable, str(old_python)], capture_output=True, text=True, check=True)

    assert done.stdout == "newer: -m install run\n"
