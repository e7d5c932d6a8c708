"""What `viva config` and `viva packs` print."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.settings import Settings, origins, shown, unknown_variables
from rag.packs import PACKS_DIR, PackError, load_pack, load_packs


def print_config(settings: Settings) -> None:
    """Print every setting with its value, its origin and what it is for."""
    table = Table("setting", "value", "from", "what it is", box=None, pad_edge=False)
    from_where = origins(settings)
    for name, field in Settings.model_fields.items():
        table.add_row(name, Text(shown(settings, name)), from_where[name], field.description)
    _print(table)
    for sentence in unknown_variables():
        _print(Text(f"Note: {sentence}"))


def list_packs(settings: Settings) -> int:
    """Print the packs that interviews can be about; 1 when one cannot be loaded."""
    try:
        packs = load_packs(settings.packs_dir or PACKS_DIR)
    except PackError as error:
        return _refused(error)
    table = Table("id", "title", "questions", "topics", box=None, pad_edge=False)
    for pack in packs.values():
        topics = ", ".join(topic.title for topic in pack.topics)
        table.add_row(pack.id, Text(pack.title), str(len(pack.questions)), Text(topics))
    _print(table)
    return 0


def check_pack(path: Path) -> int:
    """Print whether a file can be used as a pack, with every fault and its place; 1 when it cannot."""
    try:
        pack = load_pack(path)
    except PackError as error:
        return _refused(error)
    _print(Text(f"{path} is a pack: {pack.title}, {len(pack.questions)} questions on {len(pack.topics)} topics."))
    return 0


def _refused(error: PackError) -> int:
    _print(Text(f"{error.path} cannot be used as a pack:"))
    for fault in error.faults:
        _print(Text(f"  - {fault}"))
    return 1


def _print(content: Table | Text) -> None:
    Console(highlight=False, soft_wrap=isinstance(content, Text)).print(content)
