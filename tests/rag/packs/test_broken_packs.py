"""Twenty-five packs with one fault each: every file says in its first line how it must be refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.packs.pack import PackError, load_pack

BROKEN = sorted((Path(__file__).parents[1] / "data" / "broken").glob("*.yaml"))


def test_there_are_twenty_five() -> None:
    """None is forgotten."""
    assert len(BROKEN) == 25


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_pack_is_refused_with_its_line_and_one_sentence(path: Path) -> None:
    """The author reads the line, the place, and what is accepted there, and nothing that is no fault."""
    expected = path.read_bytes().splitlines()[0].decode("utf-8").removeprefix("# Refused: ")

    with pytest.raises(PackError) as refused:
        load_pack(path)

    assert refused.value.faults == [expected]
    assert refused.value.found[0].line is not None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 5000, "line 1: it is nested too deeply"),
        ("id: a\ntitle: !!int many\n", "line 2: it is not YAML (invalid literal for int()"),
        ("id: a\nminutes: " + "1" * 5000, "line 2: it is not YAML (Exceeds the limit"),
        ("&all {id: *all}", "line 1: it contains itself"),
    ],
)
def test_what_breaks_the_reader_is_a_fault_of_the_file(tmp_path: Path, text: str, sentence: str) -> None:
    """However a file is made, its author reads a sentence."""
    path = tmp_path / "pack.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PackError) as refused:
        load_pack(path)
    assert refused.value.faults[0].startswith(sentence)


def test_a_small_file_that_unfolds_into_billions_is_refused(tmp_path: Path) -> None:
    """Aliases of aliases are looked at once each, and are not printed."""
    layers = [f"k{each}: &k{each} [{', '.join([f'*k{each - 1}'] * 10)}]" for each in range(1, 13)]
    path = tmp_path / "pack.yaml"
    path.write_text("\n".join(["id: *k12", "k0: &k0 [x, x]", *layers][1:]) + "\nid: *k12\nquestions: [{id: *k12}]\n")

    with pytest.raises(PackError) as refused:
        load_pack(path)

    assert len(str(refused.value)) < 10_000
