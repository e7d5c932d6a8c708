"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.files import write_atomically


def test_a_file_is_written_into_a_folder_that_is_made(tmp_path: Path) -> None:
    """What was there before is replaced, and nothing else is left in the folder."""
    path = tmp_path / "new" / "file.json"
    for content in (b"first", b"second"):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    """Where a folder has the name, the error names it, the folder is whole and no draft is left."""
    taken = tmp_path / "taken"
    (taken / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match=rf"'{taken}'$"):
        write_atomically(taken, b"content")
    assert list(tmp_path.iterdir()) == [taken]
    assert (taken / "inside").is_dir()
