"""Import, `viva pack import`: a pack from outside becomes one that interviews can be about."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from agent.cli.packs.lint import remarks
from agent.cli.packs.show import print_lines, refused, shown_path
from agent.files import write_atomically
from agent.model_files.prepare import ensure_model
from agent.packs import base_folder
from agent.settings import Settings
from rag import Added, BankError, MiniLM, QuestionBank
from rag.packs.pack import Pack, load_pack, load_pack_with_source, load_packs, pack_files
from rag.packs.source import PackError


def import_pack(file: Path, settings: Settings, is_running: Callable[[], bool]) -> int:
    """Check a pack, keep a copy of it in the folder of imported packs, and embed its questions into the bank.

    The bank and its model are opened before anything is changed, so that most of what can fail fails without a trace.
    If embedding itself fails, the copy stays and Viva's next start embeds it, as does the next import.

    Args:
        file: the pack.
        settings: the settings in force.
        is_running: whether a Viva runs on their data folder now.

    Returns:
        The exit code: 1 when the file or an imported pack is broken, which changes nothing.

    Raises:
        ModelError, EmbedderError, BankError: the bank cannot be opened, and nothing was changed.
        OSError: the copy cannot be written, and nothing was changed.
    """
    try:
        pack, source = load_pack_with_source(file)
        # Their authors may have given the files other names.
        there = {each.id: (path, each) for path in pack_files(settings.imported_packs) for each in [load_pack(path)]}
        shipped = load_packs(base_folder(settings)).get(pack.id)
    except PackError as error:
        code = refused(error)
        print_lines(["Nothing was imported."])
        return code
    target, before = there.get(pack.id, (_free_name(settings.imported_packs, pack.id), shipped))
    bank = QuestionBank.open(
        settings.bank_dir, MiniLM.load(ensure_model(settings.embedder, settings.cache_dir, kind="embedder"))
    )
    if before == pack:
        print_lines([f"{pack.title} ({pack.id}) is unchanged: the pack in force is the same."])
    else:
        write_atomically(target, source.raw)
        _tell(pack, target, replaces_shipped=shipped is not None)
    try:
        _embed(bank, pack)
    except BankError as error:
        sys.stderr.write(f"Its questions were not embedded; Viva's next start does it. {error}\n")
        return 1
    if before != pack and is_running():
        print_lines(["Viva is running; interviews can be about this version after its next start."])
    return 0


def _free_name(folder: Path, pack_id: str) -> Path:
    """A file that does not exist: what has the pack's name may be another pack."""
    path, number = folder / f"{pack_id}.yaml", 1
    while path.exists():
        number += 1
        path = folder / f"{pack_id}-{number}.yaml"
    return path


def _tell(pack: Pack, target: Path, *, replaces_shipped: bool) -> None:
    amounts = f"{len(pack.questions)} questions on {len(pack.topics)} topics"
    lines = [f"Imported {pack.title} ({pack.id}), {amounts}, as {shown_path(target)}."]
    if replaces_shipped:
        lines.append("It takes the place of the pack that had this id; delete the file to have that back.")
    if warnings := sum(1 for _ in remarks(pack, None)):
        lines.append(
            f"It could be better; 'viva pack lint {shown_path(target)}' says how ({warnings} warnings or more)."
        )
    print_lines(lines)


def _embed(bank: QuestionBank, pack: Pack) -> None:
    console = Console(stderr=True, highlight=False)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Embedding", total=len(pack.questions))
        added = bank.add([pack], lambda done, total: progress.update(task, completed=done, total=total))
    if added != Added(unchanged=len(pack.questions)):
        amounts = f"{added.new} new, {added.changed} changed, {added.unchanged} unchanged, {added.removed} removed"
        print_lines([f"In the question bank: {amounts}."])
