"""Lint, `viva pack lint`: what is wrong with packs, and what could be better, with file and line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from rich.console import Console
from rich.progress import Progress

from agent.cli.packs.show import print_lines, shown_path
from agent.model_files.prepare import ModelError, ensure_model
from agent.packs import base_folder
from agent.settings import Settings
from rag import Embedder, EmbedderError, MiniLM
from rag.duplicates.minimal_pairs import contrast
from rag.packs.lint import RULES, LintRemark, same_points
from rag.packs.pack import Pack, load_pack_with_source, pack_files
from rag.packs.source import Fault, PackError, Source

Sameness: TypeAlias = Callable[[Pack], Iterator[LintRemark]]
"""Finds key points that say the same."""


@dataclass(frozen=True, slots=True)
class LintLine:
    """One line of the result."""

    path: Path
    kind: Literal["error", "warning"]
    fault: Fault

    def __str__(self) -> str:
        where = ":".join([shown_path(self.path), *([str(self.fault.line)] if self.fault.line else [])])
        about = f"{self.fault.name}: " if self.fault.name else ""
        return f"{where}: {self.kind}: {about}{self.fault.sentence}"


def lint(files: Sequence[Path], settings: Settings, *, strict: bool) -> int:
    """Print every fault and warning of some files, or of all packs in force; 1 when one cannot be used as a pack.

    Args:
        files: What is looked at; when it is empty, the packs in force.
        settings: Name the folders of packs, and where the embedding model is.
        strict: Whether a warning counts as a fault.
    """
    findings, packs = _read_all(files) if files else _read_in_force(settings)
    if packs:
        findings += _warnings(packs, settings)
    findings.sort(key=lambda finding: (str(finding.path), finding.fault.line or 0))
    errors = sum(finding.kind == "error" for finding in findings)
    print_lines([*map(str, findings), _summary(packs, errors, len(findings) - errors)])
    return int(bool(errors or (strict and findings)))


def remarks(pack: Pack, sameness: Sameness | None) -> Iterator[LintRemark]:
    """What all rules find; those that compare meanings only where there is something to compare with."""
    for rule in RULES:
        yield from rule(pack)
    if sameness is not None:
        yield from sameness(pack)


_Read: TypeAlias = dict[Path, tuple[Pack, Source]]


def _read_all(files: Sequence[Path]) -> tuple[list[LintLine], _Read]:
    findings: list[LintLine] = []
    packs: _Read = {}
    for path in dict.fromkeys(files):
        try:
            packs[path] = load_pack_with_source(path)
        except PackError as error:
            findings += [LintLine(path, "error", fault) for fault in error.found]
    return findings, packs


def _read_in_force(settings: Settings) -> tuple[list[LintLine], _Read]:
    findings, base = _read_folder(base_folder(settings))
    if not base and not findings:
        sentence = "there is no pack in this folder; a pack is a file whose name ends in .yaml"
        findings.append(LintLine(base_folder(settings), "error", Fault(sentence)))
    more, imported = _read_folder(settings.imported_packs)
    replaced = {pack.id for pack, _ in imported.values()}
    return findings + more, {path: read for path, read in base.items() if read[0].id not in replaced} | imported


def _read_folder(folder: Path) -> tuple[list[LintLine], _Read]:
    findings, packs = _read_all(pack_files(folder))
    owner: dict[str, Path] = {}
    for path, (pack, source) in packs.items():
        if owner.setdefault(pack.id, path) != path:
            sentence = f"{pack.id!r} is already taken by {shown_path(owner[pack.id])}"
            findings.append(LintLine(path, "error", source.fault(("id",), sentence)))
    return findings, packs


def _warnings(packs: _Read, settings: Settings) -> list[LintLine]:
    console = Console(stderr=True, highlight=False)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Reading", total=sum(len(pack.questions) for pack, _ in packs.values()))
        sameness = _sameness(settings, lambda: progress.advance(task))
        return [
            LintLine(path, "warning", source.fault(remark.place, remark.sentence))
            for path, (pack, source) in packs.items()
            for remark in remarks(pack, sameness)
        ]


def _sameness(settings: Settings, advance: Callable[[], None]) -> Sameness | None:
    """With MiniLM, whatever model interviews use: the limit belongs to it. None, and a sentence, without it."""
    try:
        embedder = MiniLM.load(ensure_model("minilm", settings.cache_dir, kind="embedder"))
    except (ModelError, EmbedderError) as error:
        sys.stderr.write(f"It was not checked whether key points say the same: {error}\n")
        return None
    return lambda pack: same_points(
        pack, lambda texts: _cosines(texts, embedder, advance), lambda one, other: contrast(one, other, embedder)
    )


def _cosines(texts: Sequence[str], embedder: Embedder, advance: Callable[[], None]) -> list[list[float]]:
    rows = embedder.embed(texts)
    advance()
    cosines: list[list[float]] = (rows @ rows.T).tolist()
    return cosines


def _summary(packs: _Read, errors: int, warnings: int) -> str:
    questions = sum(len(pack.questions) for pack, _ in packs.values())
    read = f"{_counted(len(packs), 'pack')} with {_counted(questions, 'question')}"
    return f"{read}: {_counted(errors, 'error')}, {_counted(warnings, 'warning')}."


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
