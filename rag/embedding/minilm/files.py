"""Files of a sentence-transformers model: what its folder says about itself, and whether it is of MiniLM's kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

WEIGHTS_FILE = "model.safetensors"
TOKENIZER_FILE = "tokenizer.json"

_Form = TypeVar("_Form", bound=BaseModel)


class Architecture(BaseModel):
    """What decides which graph computes a BERT; named as in its `config.json`."""

    model_config = ConfigDict(frozen=True)

    model_type: str
    hidden_act: str
    hidden_size: int
    intermediate_size: int
    layer_norm_eps: float
    max_position_embeddings: int
    num_attention_heads: int
    num_hidden_layers: int
    type_vocab_size: int
    vocab_size: int
    position_embedding_type: str = "absolute"


MINILM = Architecture(
    model_type="bert",
    hidden_act="gelu",
    hidden_size=384,
    intermediate_size=1536,
    layer_norm_eps=1e-12,
    max_position_embeddings=512,
    num_attention_heads=12,
    num_hidden_layers=6,
    type_vocab_size=2,
    vocab_size=30522,
)
"""Of all-MiniLM-L6-v2 and its many sisters with six layers."""


class _Pooling(BaseModel):
    """`1_Pooling/config.json`: one switch for each way, as models were saved until 2025, or the way's name."""

    model_config = ConfigDict(extra="allow")

    pooling_mode: str | None = None
    pooling_mode_mean_tokens: bool = False

    def is_mean(self) -> bool:
        """Whether the mean of the word pieces is the only thing that is taken."""
        if self.pooling_mode is not None:
            return self.pooling_mode == "mean"
        extra: dict[str, Any] = self.model_extra or {}
        others = [name for name, value in extra.items() if name.startswith("pooling_mode_") and value is True]
        return self.pooling_mode_mean_tokens and not others


class _Module(BaseModel):
    type: str
    path: str

    @property
    def kind(self) -> str:
        """The class, without the module that it was in when the model was saved."""
        return self.type.rpartition(".")[2]


_Modules = RootModel[list[_Module]]
_Fields = RootModel[dict[str, Any]]


class _Reading(BaseModel):
    """`sentence_bert_config.json`."""

    max_seq_length: int | None = Field(default=None, ge=2)


def limit_of_minilm(folder: Path) -> int | None:
    """How many word pieces a model of MiniLM's kind looks at; None for a model of another kind.

    Raises:
        OSError, ValueError: a file that every such model has is missing or damaged.
    """
    modules = _read(folder / "modules.json", _Modules).root
    kinds = [module.kind for module in modules]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]) or modules[0].path:
        return None
    pooling = _read(folder / modules[1].path / "config.json", _Pooling)
    if not pooling.is_mean() or not _has_our_architecture(folder / "config.json"):
        return None
    # Older models have their weights and their tokenizer in other files.
    if not all((folder / name).is_file() for name in (WEIGHTS_FILE, TOKENIZER_FILE)):
        return None
    reading = folder / "sentence_bert_config.json"
    limit = _read(reading, _Reading).max_seq_length if reading.is_file() else None
    return min(limit or MINILM.max_position_embeddings, MINILM.max_position_embeddings)


def _has_our_architecture(path: Path) -> bool:
    """Whether `config.json` describes MiniLM; a model of another kind may have other fields altogether."""
    fields = _read(path, _Fields).root
    try:
        return Architecture.model_validate(fields) == MINILM
    except ValidationError:
        return False


def _read(path: Path, form: type[_Form]) -> _Form:
    try:
        return form.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ValueError(f"{path.name}: {error.errors()[0]['msg']}") from error
