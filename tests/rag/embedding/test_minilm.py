"""MiniLM by onnxruntime: which folders are of its kind, that its vectors are the old ones, and what damage is told."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from agent.model_files.prepare import ModelPaths
from rag.embedding import sentence_transformer
from rag.embedding.embedder import EmbedderError, MiniLM
from rag.embedding.minilm.encoder import GRAPH, MiniLMEncoder
from rag.embedding.minilm.files import MINILM, limit_of_minilm
from rag.embedding.onnx import Batch, Rows, in_batches, session_options
from rag.embedding.sentence_transformer import SentenceTransformerEncoder
from rag.packs.pack import load_packs
from training.encoders import minilm_to_onnx

SWITCHES = {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False}


def module(kind: str, path: str) -> dict[str, str]:
    """A line of modules.json."""
    return {"name": "0", "path": path, "type": f"sentence_transformers.models.{kind}"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that describes itself as all-MiniLM-L6-v2 does; its weights and words are empty."""
    (tmp_path / "1_Pooling").mkdir()
    modules = [module("Transformer", ""), module("Pooling", "1_Pooling"), module("Normalize", "2_Normalize")]
    (tmp_path / "modules.json").write_text(json.dumps(modules))
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 384, **SWITCHES}))
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["BertModel"], **MINILM.model_dump()}))
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 256, "do_lower_case": false}')
    (tmp_path / "model.safetensors").touch()
    (tmp_path / "tokenizer.json").touch()
    return tmp_path


def change(path: Path, **changes: object) -> None:
    """Change fields of a JSON file; None removes one."""
    fields: dict[str, Any] = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({name: value for name, value in fields.items() if value is not None}))


def test_the_limit_is_the_models_own(folder: Path) -> None:
    """MiniLM looks at 256 word pieces; a sister without a limit of her own, at as many as there are places for."""
    assert limit_of_minilm(folder) == 256

    (folder / "sentence_bert_config.json").unlink()
    assert limit_of_minilm(folder) == 512


def test_folders_that_newer_libraries_saved_are_understood(folder: Path) -> None:
    """Classes that moved, a pooling that is named, no normalising module, and settings left at their default."""
    moved = "sentence_transformers.base.modules.transformer.Transformer"
    modules = [{**module("", ""), "type": moved}, module("Pooling", "1_Pooling")]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling" / "config.json").write_text('{"embedding_dimension": 384, "pooling_mode": "mean"}')
    change(folder / "config.json", position_embedding_type=None, dtype="float32")

    assert limit_of_minilm(folder) == 256


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("config.json", {"hidden_size": 768, "num_hidden_layers": 12}),
        ("config.json", {"model_type": "mpnet"}),
        ("config.json", {"hidden_act": None, "type_vocab_size": None}),
        ("1_Pooling/config.json", {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}),
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}),
        ("1_Pooling/config.json", {"pooling_mode": "cls"}),
    ],
)
def test_models_of_another_kind_are_told_apart(folder: Path, name: str, changes: dict[str, object]) -> None:
    """Another size, another architecture and another pooling are nothing for the graph that ships with Viva."""
    change(folder / name, **changes)

    assert limit_of_minilm(folder) is None


def test_a_model_with_more_modules_or_other_files_is_of_another_kind(folder: Path) -> None:
    """A dense layer after the pooling, or weights in another format, need the library that wrote them."""
    (folder / "tokenizer.json").unlink()
    assert limit_of_minilm(folder) is None

    (folder / "tokenizer.json").touch()
    modules = [module("Transformer", ""), module("Pooling", "1_Pooling"), module("Dense", "2_Dense")]
    (folder / "modules.json").write_text(json.dumps(modules))
    assert limit_of_minilm(folder) is None


def test_another_kind_needs_a_package_and_that_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who names a larger model without sentence-transformers hears what to install, or what to do instead."""
    monkeypatch.setattr(sentence_transformer, "is_installed", lambda: False)
    change(folder / "config.json", hidden_size=768)

    with pytest.raises(EmbedderError, match=r"sentence-transformers, .* not installed\. .*install train.*`embedder`"):
        MiniLM.load(folder)


@pytest.mark.parametrize("name", ["modules.json", "config.json", "1_Pooling/config.json", "sentence_bert_config.json"])
def test_a_description_that_is_damaged_is_told(folder: Path, name: str) -> None:
    """JSON that was cut off is no reason to take the model for one of another kind."""
    path = folder / name
    path.write_text(path.read_text()[:-3])

    with pytest.raises(EmbedderError, match=rf"cannot be loaded \({path.name}: .*`viva doctor` says"):
        MiniLM.load(folder)


@dataclass(frozen=True)
class Pieces:
    """A text as a tokenizer gives it."""

    ids: list[int]
    type_ids: list[int]


def test_batches_hold_texts_of_like_lengths_and_rows_keep_their_order() -> None:
    """The shortest are run together with little padding, and nobody sees that from outside."""
    sizes: list[tuple[int, ...]] = []

    def run(batch: Batch) -> Rows:
        assert all(array.shape == batch["input_ids"].shape for array in batch.values())
        sizes.append(batch["input_ids"].shape)
        return np.asarray(batch["attention_mask"].sum(axis=1, keepdims=True), np.float32)

    rows = in_batches([Pieces([7] * size, [0] * size) for size in (9, 2, 8, 1)], run, at_once=2)

    assert [int(row[0]) for row in rows] == [9, 2, 8, 1]
    assert sizes == [(2, 2), (2, 9)]
    assert in_batches([], run, at_once=2) == []


def test_sums_are_cut_off_on_no_processor() -> None:
    """What onnxruntime has for processors with AVX2 and without VNNI, where int8 sums do not fit otherwise."""
    assert session_options(1).get_session_config_entry("session.x64quantprecision") == "1"


@pytest.mark.slow
def test_vectors_are_those_of_sentence_transformers(model_paths: ModelPaths) -> None:
    """Three hundred texts of the packs and odd ones: empty, foreign, far over the limit; alone and in company."""
    packs = load_packs().values()
    written = [text for pack in packs for each in pack.questions for text in (each.text, each.model_answer)]
    odd = ["", " ", "...", "[SEP] [MASK]", "naïve café", "日本語", "😀👩‍👧", "\n\tnull\x00", "x" * 5000, "word " * 1000]
    texts = [*odd, *written[:300], " ".join(written[:40])]
    reference = SentenceTransformerEncoder(model_paths.embedder).encode(texts)
    ours = MiniLMEncoder(model_paths.embedder, 256)

    np.testing.assert_allclose(ours.encode(texts), reference, atol=1e-5, rtol=0)
    np.testing.assert_allclose(np.concatenate([ours.encode([text]) for text in texts[:30]]), reference[:30], atol=1e-5)


@pytest.mark.slow
def test_another_kind_is_run_by_sentence_transformers(model_paths: ModelPaths, tmp_path: Path) -> None:
    """Where that is installed, a model with another pooling gives its own vectors, of unit length as well."""
    folder = tmp_path / "model"
    shutil.copytree(model_paths.embedder, folder)
    change(folder / "1_Pooling" / "config.json", pooling_mode_cls_token=True, pooling_mode_mean_tokens=False)
    text = ["A sentence that both have to read."]

    other = MiniLM.load(folder).embed(text)

    np.testing.assert_allclose(np.linalg.norm(other, axis=1), 1, rtol=1e-5)
    assert other[0] @ MiniLM.load(model_paths.embedder).embed(text)[0] < 0.99


@pytest.mark.slow
def test_the_graph_is_the_one_that_is_drawn(tmp_path: Path) -> None:
    """What ships was made by the script that ships with it, and holds no weights."""
    minilm_to_onnx.draw(tmp_path / "graph.onnx")

    assert GRAPH.read_bytes() == (tmp_path / "graph.onnx").read_bytes()
    assert GRAPH.stat().st_size < 50_000


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["cut off", "a tensor less", "another shape", "tokenizer"])
def test_damaged_files_are_a_sentence(model_paths: ModelPaths, tmp_path: Path, damage: str) -> None:
    """Files that are cut off, or that lack what the graph needs, are an error with advice, not a stack of frames."""
    folder = tmp_path / "model"
    shutil.copytree(model_paths.embedder, folder)
    weights = folder / "model.safetensors"
    tensors = load_file(weights)
    if damage == "cut off":
        weights.write_bytes(weights.read_bytes()[:1000])
    elif damage == "a tensor less":
        del tensors["encoder.layer.3.output.dense.weight"]
        save_file(tensors, weights)
    elif damage == "another shape":
        save_file({**tensors, "embeddings.LayerNorm.bias": np.zeros(383, np.float32)}, weights)
    else:
        tokenizer = folder / "tokenizer.json"
        tokenizer.write_bytes(tokenizer.read_bytes()[:1000])

    with pytest.raises(EmbedderError, match=r"cannot be loaded .*`viva doctor` says"):
        MiniLM.load(folder)
