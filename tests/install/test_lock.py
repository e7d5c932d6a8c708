"""The lock files: torch and its CUDA libraries on one side, everything else on the other, nothing lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from install.lock import split
from install.python_packages import torch_version

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-torch.lock")
TORCH_SIDE = ("torch", "triton", "nvidia-cublas", "cuda-toolkit")
OTHER_SIDE = ("torchaudio-like", "rich", "nvidiaish", "PyYAML", "tritonclient", "pytorch-thing")


def entry(name: str) -> str:
    """A package as a lock file holds it."""
    return f"{name}==1.0 ; sys_platform == 'linux' \\\n    --hash=sha256:{'0' * 64}\n    # via\n    #   other\n"


@given(st.lists(st.sampled_from(TORCH_SIDE + OTHER_SIDE), unique=True))
def test_every_package_goes_whole_to_its_side(names: list[str]) -> None:
    """Order is kept, hashes and comments stay with their package, and lookalikes are not mistaken."""
    torch, rest = split("".join(map(entry, names)))

    assert torch == "".join(entry(name) for name in names if name in TORCH_SIDE)
    assert rest == "".join(entry(name) for name in names if name in OTHER_SIDE)


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_files_are_exact_and_name_no_registry(name: str) -> None:
    """Every package has one version and hashes, and nothing says where it is fetched from."""
    text = (ROOT / name).read_text(encoding="utf-8")

    entries = re.findall(r"^[A-Za-z0-9].*", text, re.MULTILINE)
    assert entries
    assert all(re.match(r"[\w.\[\]-]+==[\w.!+]+( ;.*)? \\$", line) for line in entries)
    assert not re.search(r"https?://|--index|--find-links", text)


def test_each_package_is_in_one_lock_file() -> None:
    """Splitting again changes nothing."""
    for number, name in enumerate(reversed(LOCKS)):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert split(text)[number] == text


def test_the_set_up_finds_the_version_of_torch() -> None:
    """The committed lock names one."""
    assert torch_version((ROOT / "requirements-torch.lock").read_text(encoding="utf-8"))
