"""Pages: serves what `review/pages/` is the source of: start, room, replay and monitor.

The pages are built by Vite into `review/pages/dist`: four HTML files, and assets whose names change with their
content. Everything else that the pages need comes from the HTTP API.
"""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, HTTPException, Response
from fastapi.responses import FileResponse, HTMLResponse

DIST = Path(__file__).parents[1] / "pages" / "dist"
"""Where the build puts the pages."""

# Nothing is loaded from anywhere else. The call itself goes to livekit-server, whose port and host are settings.
_SOURCES = {
    "default-src": "'self'",
    "connect-src": "'self' ws: wss: http: https:",
    "img-src": "'self' data:",
    "media-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
_HEADERS = {
    # A new build has new asset names: the page that names them must not be an old one.
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "; ".join(f"{kind} {allowed}" for kind, allowed in _SOURCES.items()),
}
# A file's name changes with its content: a browser may keep it for good.
_ASSET_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}

_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Viva</title>
<h1>The pages are not built yet</h1>
<p>Viva runs, but its web pages are made by a build that needs Node 20.19 or newer.</p>
<p>Stop Viva and start it with <code>make run</code>, which builds them, or run
<code>npm ci &amp;&amp; npm run build</code> in <code>review/pages</code> and reload this page.</p>
"""


def mount_pages(app: FastAPI, *, dist: Path = DIST) -> None:
    """Serve the pages at `/`, `/room`, `/replay/{id}` and `/monitor/{user_id}`, and what they load at `/assets/`.

    While `dist` does not exist these addresses answer 503 with a page that says how to build it.
    """

    @app.get("/", include_in_schema=False)
    def start_page() -> Response:
        return _page(dist / "index.html")

    @app.get("/room", include_in_schema=False)
    def room_page() -> Response:
        return _page(dist / "room.html")

    @app.get("/replay/{interview_id}", include_in_schema=False)
    def replay_page(interview_id: str) -> Response:  # noqa: ARG001 - the page reads it from its own address
        return _page(dist / "replay.html")

    # The pages hold nothing of anybody's: what the monitor shows, it asks for as the host.
    @app.get("/monitor/{user_id}", include_in_schema=False)
    def monitor_page(user_id: str) -> Response:  # noqa: ARG001 - as above
        return _page(dist / "monitor.html")

    @app.get("/monitor/interview/{interview_id}", include_in_schema=False)
    def monitor_page_of_interview(interview_id: str) -> Response:  # noqa: ARG001 - as above
        return _page(dist / "monitor.html")

    @app.get("/assets/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        file = dist / "assets" / name
        if not file.is_file():
            raise HTTPException(
                404, f"These pages have no file {name!r}. Reload the page: it may have been built anew."
            )
        return FileResponse(file, headers=_ASSET_HEADERS)


def _page(file: Path) -> Response:
    if not file.is_file():
        return HTMLResponse(_NOT_BUILT, status_code=503)
    return FileResponse(file, media_type="text/html", headers=_HEADERS)
