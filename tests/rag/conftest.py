"""What the tests of the question bank share: a small pack, a bank that holds it, and an embedder without a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.bank.bank import QuestionBank
from rag.bank.score_scale import ScoreScale
from rag.packs.pack import Pack, load_pack
from tests.rag.fakes import KITCHEN, HashedWords


@pytest.fixture
def embedder() -> HashedWords:
    """An embedder that needs no model."""
    return HashedWords()


@pytest.fixture
def scale() -> ScoreScale:
    """A scale that fits embeddings by shared words."""
    return ScoreScale(cosine_at_low=0.1, cosine_at_high=0.3)


@pytest.fixture
def kitchen() -> Pack:
    """Six questions on bread, soup and knives."""
    return load_pack(KITCHEN)


@pytest.fixture
def bank(tmp_path: Path, embedder: HashedWords, scale: ScoreScale, kitchen: Pack) -> QuestionBank:
    """A bank that holds the small pack."""
    bank = QuestionBank.open(tmp_path / "bank", embedder, scale=scale)
    bank.add([kitchen])
    return bank
