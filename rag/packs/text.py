"""Text of packs: written as YAML for authors or JSON for programs, and the JSON schema of both."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import yaml

from rag.packs.pack import Pack

Format = Literal["yaml", "json"]

_WIDTH = 105
"""Columns; PyYAML ends a line with the word that goes beyond them."""
_FOLDED_FROM = 80
"""Characters; a longer text is a block of its own, as the shipped packs have it."""


_NAME = re.compile(r"[a-z0-9-]+")
"""Ids and parts of a story: lists of them stay in one line."""


class _Dumper(yaml.SafeDumper):
    """Long texts as folded blocks, lists indented, nothing named twice."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002, ARG002
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 (the signature is PyYAML's)
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = ">" if len(text) > _FOLDED_FROM and "\n" not in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    in_line = all(isinstance(item, int) or _NAME.fullmatch(str(item)) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=in_line)


def _number(dumper: yaml.SafeDumper, number: float) -> yaml.ScalarNode:
    return dumper.represent_int(int(number)) if number.is_integer() else dumper.represent_float(number)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)
_Dumper.add_representer(float, _number)


def pack_text(pack: Pack, kind: Format = "yaml") -> str:
    """The pack as a file that loads as the same pack; what its author left out stays out."""
    data = pack.model_dump(mode="json", exclude_unset=True)
    if kind == "json":
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)


def pack_schema() -> str:
    """The JSON schema of a pack, for editors and other programs.

    It says what each part looks like. What the parts say of each other (a question's topic is one of the pack's, ids
    differ) is checked when a pack is loaded.
    """
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Pack.model_json_schema()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
