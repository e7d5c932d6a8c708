"""The web server of a test is there before its address is used, and gone after it, whatever the test made of it."""

from __future__ import annotations

import threading

import httpx
import pytest
from fastapi import FastAPI

from tests.web_server import served

pytestmark = pytest.mark.slow


def test_a_test_that_fails_leaves_no_thread_behind() -> None:
    """One that was left behind kept a whole test run from its end until it was killed."""

    def failing() -> None:
        with served(FastAPI()) as address:
            assert httpx.get(f"{address}/nothing", trust_env=False).status_code == 404
            raise ZeroDivisionError

    before = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError):
        failing()
    assert set(threading.enumerate()) <= before
