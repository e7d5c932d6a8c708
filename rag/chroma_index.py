"""Chroma's index files: what is in them of memory that nobody meant to write is overwritten.

An index takes rows from a queue, a thousand at a time. Before that it is empty, and Chroma 1.5.9 writes the room for a
hundred rows all the same, as it got it from the allocator: when rows are added, and when a process searches for the
first time. What was there before may be anybody's words. The header says how many rows count.
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER = "header.bin"
_ROWS_AT = 20
"""Place of the number of rows in the header, after a version, an offset and the room: 4, 8 and 8 bytes."""
_ROWS = struct.Struct("<Q")


def clear_empty_indexes(folder: Path) -> None:
    """Overwrite every index file below a folder that belongs to an index without rows. Others stay as they are.

    In place, so that whoever reads a file meanwhile finds it as long as it was.

    Args:
        folder: Chroma's.

    Raises:
        OSError: a file cannot be written.
    """
    for header in folder.rglob(_HEADER):
        about = header.read_bytes()
        if len(about) >= _ROWS_AT + _ROWS.size and _ROWS.unpack_from(about, _ROWS_AT)[0]:
            continue
        for file in header.parent.glob("*.bin"):
            if file.name != _HEADER and any(content := file.read_bytes()):
                with file.open("r+b") as opened:
                    opened.write(bytes(len(content)))
