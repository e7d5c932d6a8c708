"""Packs written as text, counted, and described by a schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.packs.pack import Pack, load_pack, load_packs
from rag.packs.stats import pack_stats
from rag.packs.text import Format, pack_schema, pack_text
from tests.examples import examples

SCHEMA = Path(__file__).parents[3] / "docs" / "question-pack.schema.json"
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"),
    min_size=8,
    max_size=300,
).filter(lambda text: len(text.strip()) >= 8)


@pytest.mark.parametrize("kind", get_args(Format))
@pytest.mark.parametrize("pack", load_packs().values(), ids=lambda pack: pack.id)
def test_what_is_written_loads_as_the_same_pack(tmp_path: Path, pack: Pack, kind: Format) -> None:
    """Each shipped pack, as YAML and as JSON."""
    path = tmp_path / "pack.yaml"
    path.write_text(pack_text(pack, kind), encoding="utf-8")

    assert load_pack(path) == pack
    assert max(map(len, pack_text(pack).splitlines())) <= 120


def test_json_of_others_is_read(tmp_path: Path, kitchen: Pack) -> None:
    """Indented by tabs, with letters written as escapes."""
    path = tmp_path / "pack.json"
    data = kitchen.model_dump()
    data["questions"][0]["key_points"][0] = "It is a crème brûlée.\tReally"
    path.write_text(json.dumps(data, indent="\t"), encoding="utf-8")

    assert load_pack(path) == Pack.model_validate(data)


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS, kind=st.sampled_from(get_args(Format)))
def test_whatever_a_text_holds_it_is_kept(tmp_path: Path, kitchen: Pack, text: str, kind: Format) -> None:
    """Colons, quotes, hashes, runs of spaces: nothing of it means anything."""
    data = kitchen.model_dump()
    data["questions"][0]["key_points"][0] = text
    data["description"] = text
    pack = Pack.model_validate(data)
    path = tmp_path / "pack.yaml"
    path.write_text(pack_text(pack, kind), encoding="utf-8", newline="")

    assert load_pack(path) == pack


def test_the_published_schema_is_true() -> None:
    """`viva pack schema > docs/question-pack.schema.json` after a change of the models."""
    assert SCHEMA.read_text(encoding="utf-8") == pack_schema()


def test_the_schema_explains_the_parts() -> None:
    """Editors show what a key is for."""
    parts = json.loads(pack_schema())["$defs"]
    assert set(parts) == {"BankQuestion", "Concept", "FollowUpSeed", "Topic"}
    assert parts["BankQuestion"]["properties"]["key_points"]["description"].startswith("Separate claims")


def test_a_pack_is_counted_by_topic(kitchen: Pack) -> None:
    """The whole is the sum of its topics."""
    stats = pack_stats(kitchen)

    assert list(stats.topics) == ["bread", "soup", "knives"]
    assert stats.topics["bread"].difficulties == {"easy": 1, "medium": 1, "hard": 1}
    assert (stats.total.questions, stats.total.key_points, stats.total.minutes, stats.concepts) == (6, 18, 17, 4)
    assert stats.total.answer_words == (38, 38, 38)
    for part in ("questions", "key_points", "misconceptions", "hints", "follow_ups", "minutes"):
        assert sum(getattr(each, part) for each in stats.topics.values()) == getattr(stats.total, part)
