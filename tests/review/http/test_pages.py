"""The web pages as they are served; needs no build, the pages are stand-ins."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from review.http.pages import mount_pages


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    """A build with the four pages and one asset."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    for name in ("index", "room", "replay", "monitor"):
        (folder / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>")
    (folder / "assets" / "room-AbC.js").write_text("export {}")
    return folder


def browser(dist: Path) -> TestClient:
    """A client of an app that serves nothing but the pages."""
    app = FastAPI()
    mount_pages(app, dist=dist)
    return TestClient(app)


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/", "index"),
        ("/room", "room"),
        ("/replay/sample", "replay"),
        ("/replay/x%20y", "replay"),
        ("/monitor/ada", "monitor"),
        ("/monitor/interview/sample", "monitor"),
    ],
)
def test_each_address_has_its_page(dist: Path, address: str, page: str) -> None:
    """The start page, the room, the replay of any interview and the monitor of anybody are at their addresses."""
    answer = browser(dist).get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert f"<title>{page}</title>" in answer.text


def test_a_page_is_asked_for_anew_and_its_assets_are_kept(dist: Path) -> None:
    """After an update nobody sees an old page, and nobody loads an asset twice."""
    client = browser(dist)
    assert client.get("/room").headers["cache-control"] == "no-cache"
    asset = client.get("/assets/room-AbC.js")
    assert "immutable" in asset.headers["cache-control"]
    assert "javascript" in asset.headers["content-type"]


def test_pages_may_load_from_their_own_server_only(dist: Path) -> None:
    """No script, style, font or picture comes from another host, and no other site can frame a page."""
    policy = browser(dist).get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("address", ["/", "/room", "/replay/sample", "/monitor/ada"])
def test_without_a_build_the_page_says_how_to_build(tmp_path: Path, address: str) -> None:
    """Somebody who starts Viva without building its pages reads what to do."""
    answer = browser(tmp_path / "nothing").get(address)
    assert answer.status_code == 503
    assert "make run" in answer.text


def test_pages_appear_when_they_are_built_while_the_server_runs(dist: Path) -> None:
    """A build needs no restart of the server."""
    built = dist.rename(dist.with_name("later"))
    client = browser(dist)
    assert client.get("/").status_code == 503
    assert client.get("/assets/room-AbC.js").status_code == 404
    built.rename(dist)
    assert client.get("/").status_code == 200
    assert client.get("/assets/room-AbC.js").status_code == 200


def test_nothing_but_assets_can_be_read(dist: Path) -> None:
    """An address that climbs out of the assets' folder finds nothing."""
    client = browser(dist)
    assert client.get("/assets/../index.html").status_code == 404
    assert client.get("/assets/%2e%2e/index.html").status_code == 404
