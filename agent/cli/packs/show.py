"""Listings, `viva packs`, `viva pack export` and `viva pack stats`: what packs there are, and what they hold."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.files import write_atomically
from agent.packs import base_folder, packs_in_force
from agent.settings import Settings
from domain.vocabulary import DIFFICULTIES
from rag.packs.pack import PACKS_DIR, Pack, load_packs
from rag.packs.source import PackError
from rag.packs.stats import Amounts, PackStats, pack_stats
from rag.packs.text import Format, pack_text


def list_packs(settings: Settings) -> int:
    """Print the packs that interviews can be about; 1 when one cannot be loaded."""
    try:
        packs = packs_in_force(settings)
        base = load_packs(base_folder(settings))
    except PackError as error:
        return refused(error)
    origin = "Viva" if base_folder(settings) == PACKS_DIR else "packs_dir"
    table = Table("id", "title", "questions", "from", "topics", box=None, pad_edge=False)
    for pack in packs.values():
        topics = ", ".join(topic.title for topic in pack.topics)
        whence = origin if pack == base.get(pack.id) else "imported"
        table.add_row(pack.id, Text(pack.title), str(len(pack.questions)), whence, Text(topics))
    Console(highlight=False).print(table)
    return 0


def export_pack(pack_id: str, out: Path | None, kind: Format, settings: Settings) -> int:
    """Write a pack in force to a file, or to standard output; 1 when there is no such pack.

    Raises:
        OSError: the file cannot be written; what was there before is still there.
    """
    packs = _chosen(pack_id, settings)
    if not packs:
        return 1
    text = pack_text(packs[0], kind)
    if out is None:
        sys.stdout.write(text)
    else:
        write_atomically(out, text.encode())
        print_lines([f"Wrote {shown_path(out)}"])
    return 0


def print_stats(pack_id: str | None, settings: Settings, *, as_json: bool) -> int:
    """Print what the packs hold in numbers, or the topics of one of them; 1 when there is no such pack.

    The words are those of the shortest model answer, of the middle one, and of the longest.
    """
    packs = _chosen(pack_id, settings)
    if not packs:
        return 1
    stats = [pack_stats(pack) for pack in packs]
    if as_json:
        shown = asdict(stats[0]) if pack_id else [asdict(each) for each in stats]
        print_lines([json.dumps(shown, indent=2, ensure_ascii=False)])
    else:
        Console(highlight=False).print(_of_topics(stats[0]) if pack_id else _of_packs(stats))
    return 0


def _chosen(pack_id: str | None, settings: Settings) -> list[Pack]:
    """The packs in force, or the one with an id; none, and a sentence, when that cannot be had."""
    try:
        packs = packs_in_force(settings)
    except PackError as error:
        refused(error)
        return []
    if pack_id is None:
        return list(packs.values())
    if pack_id not in packs:
        sys.stderr.write(f"There is no question pack {pack_id!r}; there is: {', '.join(packs)}.\n")
        return []
    return [packs[pack_id]]


def _of_packs(stats: Sequence[PackStats]) -> Table:
    table = _table("pack")
    for each in stats:
        table.add_row(each.id, *_row(each.total))
    return table


def _of_topics(stats: PackStats) -> Table:
    table = _table("topic")
    for topic, amounts in stats.topics.items():
        table.add_row(topic, *_row(amounts))
    table.add_section()
    table.add_row("all", *_row(stats.total))
    return table


def _table(first: str) -> Table:
    columns = ("questions", *DIFFICULTIES, "points", "concepts", "minutes")
    table = Table(box=None, pad_edge=False)
    table.add_column(first, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right")
    table.add_column("words of an answer", no_wrap=True)
    return table


def _row(amounts: Amounts) -> tuple[str, ...]:
    shortest, middle, longest = amounts.answer_words
    return (
        str(amounts.questions),
        *(str(amounts.difficulties[difficulty]) for difficulty in DIFFICULTIES),
        str(amounts.key_points),
        str(amounts.concepts),
        f"{amounts.minutes:g}",
        f"{shortest} / {middle:g} / {longest}",
    )


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they are: machines read them too, so nothing is wrapped or coloured."""
    sys.stdout.writelines(f"{line}\n" for line in lines)


def refused(error: PackError) -> int:
    """Print why a file is no pack, each fault with its place; the exit code."""
    print_lines([f"{shown_path(error.path)} cannot be used as a pack:", *(f"  - {fault}" for fault in error.faults)])
    return 1


def shown_path(path: Path) -> str:
    """The path from where the command was started, when it is below; else as it is."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
