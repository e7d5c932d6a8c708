"""Where a rehearsal keeps what it makes."""

from __future__ import annotations

from pathlib import Path

from agent.rehearsal.setup import new_folder


def test_rehearsals_of_one_second_have_folders_of_their_own(tmp_path: Path) -> None:
    """The second would otherwise find a Viva that runs on its data already."""
    names = [new_folder(tmp_path / "rehearsals", "2026-11-22-163740").name for _ in range(3)]
    assert names == ["2026-11-22-163740", "2026-11-22-163740-2", "2026-11-22-163740-3"]
