"""OpenAPI document: what can be called over HTTP, and the shape of all that is sent and answered.

The web process serves it at `/openapi.json`. A copy lies beside the pages, whose types are made from it when they are
built, so that building them needs neither Python nor a server; `make openapi` writes that copy anew.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from agent.http.app import make_app
from agent.settings import Settings

DOCUMENT = Path(__file__).resolve().parents[2] / "review" / "pages" / "openapi.json"
"""The copy."""


def openapi_document() -> str:
    """The document as JSON, as the web process would serve it now.

    Raises:
        PackError: a question pack of the settings is broken.
    """
    with tempfile.TemporaryDirectory() as folder:
        document = make_app(Settings(data_dir=Path(folder))).openapi()
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    """Write the copy."""
    DOCUMENT.write_text(openapi_document(), encoding="utf-8")
    sys.stdout.write(f"{DOCUMENT.name} is current; `make check` makes the types of the pages from it.\n")


if __name__ == "__main__":
    main()
