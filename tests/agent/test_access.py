"""Access: who is taken for whoever hosts Viva."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from agent.access import host_refusal
from agent.http.app import make_app
from agent.settings import Settings

TOKEN = "a-token-of-the-host"
PROXIED = [
    ("X-Forwarded-For", "203.0.113.9"),
    ("X-Forwarded-For", "127.0.0.1"),
    ("X-Forwarded-Host", "viva.example"),
    ("X-Forwarded-Proto", "https"),
    ("X-Real-IP", "203.0.113.9"),
    ("Forwarded", "for=203.0.113.9"),
    ("Via", "1.1 proxy"),
]
HOSTS_ONLY = ("/api/v1/profiles", "/api/v1/reviews", "/monitor/api/ada.json", "/metrics")


@pytest.mark.parametrize(("name", "value"), PROXIED)
def test_behind_a_proxy_nobody_is_this_machine(tmp_path: Path, name: str, value: str) -> None:
    """Without a host's token everybody whom it hands on would be the host, also for profiles; a sentence says so."""
    with TestClient(make_app(Settings(data_dir=tmp_path)), client=("127.0.0.1", 1)) as web:
        for address in HOSTS_ONLY:
            answer = web.get(address, headers={name: value})
            assert answer.status_code == 403, address
            assert "Set host_token" in answer.text
        assert web.delete("/api/interviews/a", headers={name: value}).status_code == 403


@pytest.mark.parametrize(("name", "value"), PROXIED)
def test_the_token_is_good_through_a_proxy(name: str, value: str) -> None:
    """Whatever it says of where the request came from."""
    headers = {name.lower(): value, "authorization": f"Bearer {TOKEN}"}
    assert host_refusal(Settings(host_token=TOKEN), "127.0.0.1", headers) is None
    assert host_refusal(Settings(), "127.0.0.1", {}) is None
