"""Parser process: `python -m agent.documents.parsing REQUEST` reads a file from standard input and prints a `Result`.

It limits its own memory and processor time before it loads a parser. Nothing in the file is run, no address in it is
opened, and nothing is written but the result.
"""

from __future__ import annotations

import contextlib
import math
import sys

from agent.documents.document import Document, DocumentError, DocumentKind, Limits, Refusal
from domain.frozen_model import FrozenModel

MOST_CHARACTERS = 1_000_000
"""Of text: a small file can unpack to any amount of it."""


class Request(FrozenModel):
    """What to read."""

    kind: DocumentKind
    limits: Limits


class Result(FrozenModel):
    """What was read, or why nothing was."""

    document: Document | None = None
    reason: Refusal | None = None
    sentence: str = ""


def parse(content: bytes, request: Request) -> Result:
    """Read a file in this process."""
    # Loaded here: the limits have to hold first, and whoever starts this process needs none of it.
    try:
        if request.kind == "pdf":
            from agent.documents.pdf import read_pdf as read  # noqa: PLC0415
        else:
            from agent.documents.word_processor import read_docx as read  # noqa: PLC0415
        document = read(content, request.limits)
        if len(document.text) > MOST_CHARACTERS:
            sentence = f"The file holds more than {MOST_CHARACTERS:,} characters, which no résumé does."
            return Result(reason="too_large", sentence=sentence)
        return Result(document=document)
    except DocumentError as error:
        return Result(reason=error.reason, sentence=str(error))
    except MemoryError:
        return Result(reason="too_large", sentence="Reading the file takes too much memory. Paste its text instead.")


def limit_this_process(limits: Limits) -> None:
    """Set the most memory and processor time that this process may take, where the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (limits.most_memory_bytes, limits.most_memory_bytes))
        seconds = math.ceil(limits.longest_s) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main() -> None:
    """Read what standard input holds."""
    request = Request.model_validate_json(sys.argv[1])
    limit_this_process(request.limits)
    result = parse(sys.stdin.buffer.read(), request)
    sys.stdout.write(result.model_dump_json())


if __name__ == "__main__":
    main()
