"""Encoders: what is learned, what is exported, and what the exported file says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.model_files.prepare import ModelPaths
from graph.encoders import EncoderError
from graph.encoders.runtime import MODEL_FILE, Encoder
from training.encoders import fine_tune as fine_tuning
from training.encoders.fine_tune import BATCH, Example, Recipe, Span, _cut, _has_bfloat16, _marked, fine_tune


@given(st.lists(st.integers(1, 320), max_size=200))
def test_a_round_reads_every_example_once_in_batches_that_fit(lengths: list[int]) -> None:
    """No batch is empty, has more examples than are allowed, or more word pieces, unless it holds one example."""
    order = sorted(range(len(lengths)), key=lambda number: lengths[number])
    batches = [batch for batch in _cut(order, lengths, 1600) if batch]
    assert [number for batch in batches for number in batch] == order
    for batch in batches:
        assert len(batch) <= BATCH
        assert len(batch) == 1 or len(batch) * max(lengths[number] for number in batch) <= 1600


def test_marks_are_taught_on_the_words_that_carry_a_verdict_alone() -> None:
    """Pieces inside the span are 1, those of the first text outside it 0, everything else is not asked for."""
    encoded = SimpleNamespace(
        ids=[1, 2, 3, 4, 5, 6],
        type_ids=[0, 0, 0, 0, 1, 1],
        special_tokens_mask=[1, 0, 0, 1, 0, 1],
        offsets=[(0, 0), (0, 3), (4, 9), (0, 0), (0, 4), (0, 0)],
    )

    def taught(marked: tuple[Span, ...] | None, unknown: tuple[Span, ...] = ()) -> list[float]:
        return _marked(encoded, Example(("one", "two"), (0,), marked=marked, unknown=unknown))

    assert taught(((4, 9),)) == [-1, 0, 1, -1, -1, -1]
    assert taught(()) == [-1, 0, 0, -1, -1, -1]
    assert taught(None) == [-1] * 6
    assert taught(((4, 9),), unknown=((0, 3),)) == [-1, -1, 1, -1, -1, -1]


@pytest.mark.slow
def test_weights_that_were_kept_are_averaged_one_by_one(tmp_path: Path) -> None:
    """The mean of each weight, in its own precision; of one network, its weights as they are."""
    import torch  # noqa: PLC0415

    from training.encoders.network import averaged, keep  # noqa: PLC0415

    networks = [torch.nn.Linear(3, 2) for _ in range(2)]
    paths = [tmp_path / f"{number}.pt" for number in range(2)]
    for network, path in zip(networks, paths, strict=True):
        keep(network, path)
    one, other = (network.state_dict() for network in networks)
    for name, value in averaged(paths).items():
        assert value.dtype == one[name].dtype
        assert torch.allclose(value, (one[name] + other[name]) / 2)
    assert all(torch.equal(value, one[name]) for name, value in averaged(paths[:1]).items())
    assert not list(tmp_path.glob("*.part"))


def test_bfloat16_is_left_to_processors_that_have_it() -> None:
    """Elsewhere it is emulated, in ten times the time."""
    assert _has_bfloat16({"avx2": True, "avx512_bf16": True, "amx_bf16": False})
    assert not _has_bfloat16({"avx2": True, "avx512_bf16": False, "amx_bf16": False})


@pytest.mark.slow
def test_an_encoder_learns_a_class_and_the_words_that_carry_it(model_paths: ModelPaths, tmp_path: Path) -> None:
    """A few steps of training tell two classes apart; the exported file says the same, and marks the telling words."""
    from training.encoders.export import export  # noqa: PLC0415 - they load torch, which fast tests do not wait for
    from training.encoders.network import new_model  # noqa: PLC0415

    def example(colour: str, number: int) -> Example:
        said = f"in room {number} the door is {colour} and heavy"
        start = said.index(colour)
        return Example((said, "The door is green."), (int(colour != "green"),), 1.0, ((start, start + len(colour)),))

    examples = [example(("green", "red")[number % 2], number) for number in range(96)]
    model = new_model(model_paths.embedder, 2, marks=True, dropout=0.0)
    fine_tune(model, examples, Recipe(classes=2, max_tokens=32, epochs=8, threads=1))
    export(model, tmp_path)

    pairs = [
        ("in room 412 the door is green and heavy", "The door is green."),
        ("the door is red", "The door is green."),
    ]
    read = Encoder(tmp_path, max_tokens=32).marked(pairs)
    assert [int(np.argmax(each.scores)) for each in read] == [0, 1]
    for (said, _), each, colour in zip(pairs, read, ("green", "red"), strict=True):
        first, end = each.places[int(np.argmax(each.marks))]
        assert said[first:end] == colour


@pytest.mark.slow
def test_training_that_was_cut_off_goes_on_where_it_was(
    model_paths: ModelPaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weights are those of a run that nobody cut off; what was kept of the run is gone in the end."""
    from training.encoders.network import new_model  # noqa: PLC0415

    examples = [Example((f"number {number} is {number % 2}",), (number % 2,)) for number in range(40)]
    recipe = Recipe(classes=2, max_tokens=16, epochs=3, threads=1)
    checkpoint = tmp_path / "cut.checkpoint"

    def fresh() -> Any:
        return new_model(model_paths.embedder, 2, layers=1)

    whole = fresh()
    fine_tune(whole, examples, recipe)
    monkeypatch.setattr(fine_tuning, "_CHECKPOINT_EVERY", 1)
    with monkeypatch.context() as cut:
        kept, write = list[int](), fine_tuning._write

        def write_three(path: Path, learning: Mapping[str, Any], step: int) -> None:
            write(path, learning, step)
            kept.append(step)
            if len(kept) == 3:
                raise KeyboardInterrupt

        cut.setattr(fine_tuning, "_write", write_three)
        with pytest.raises(KeyboardInterrupt):
            fine_tune(fresh(), examples, recipe, checkpoint=checkpoint)
    again = fresh()
    fine_tune(again, examples, recipe, checkpoint=checkpoint)

    assert kept == [1, 2, 3]
    assert not checkpoint.exists()
    assert all(
        bool((mine == theirs).all()) for mine, theirs in zip(again.parameters(), whole.parameters(), strict=True)
    )


def test_a_damaged_encoder_is_told_with_what_to_do(tmp_path: Path) -> None:
    """The message names the folder, and says that the files come with Viva."""
    (tmp_path / MODEL_FILE).write_bytes(b"no model")
    with pytest.raises(EncoderError, match="install Viva again"):
        Encoder(tmp_path, max_tokens=8)
