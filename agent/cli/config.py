"""Settings as `viva config` prints them."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.settings import Settings, origins, shown, unknown_variables


def print_config(settings: Settings) -> None:
    """Print every setting with its value, its origin and what it is for."""
    table = Table("setting", "value", "from", "what it is", box=None, pad_edge=False)
    from_where = origins(settings)
    for name, field in Settings.model_fields.items():
        table.add_row(name, Text(shown(settings, name)), from_where[name], field.description)
    _print(table)
    for sentence in unknown_variables():
        _print(Text(f"Note: {sentence}"))


def _print(content: Table | Text) -> None:
    Console(highlight=False, soft_wrap=isinstance(content, Text)).print(content)
