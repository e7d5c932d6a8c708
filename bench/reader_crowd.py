"""Reader crowd: those who follow an interview on the monitor, in a process of their own."""

from __future__ import annotations

import selectors
import socket
from multiprocessing.connection import Connection
from typing import NoReturn

READERS = 50


def read_along(orders: Connection) -> NoReturn:
    """Join and leave as told: `(port, user_id)` joins, `()` leaves; each is answered when it is done."""
    joined: list[socket.socket] = []
    with selectors.DefaultSelector() as selector:
        selector.register(orders, selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in selector.select()]
            for each in ready:
                if isinstance(each, socket.socket):
                    _read(each, selector)
            if orders not in ready:
                continue
            # Last, because whoever leaves cannot be read from any more.
            order = orders.recv()
            if order:
                joined = _join(selector, *order)
            else:
                _leave(selector, joined)
            orders.send("done")


def _join(selector: selectors.BaseSelector, port: int, user_id: str) -> list[socket.socket]:
    joined = []
    for number in range(READERS):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", port))
        one.sendall(f"GET /monitor/stream/{user_id} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        joined.append(one)
        if number:  # The first is deaf.
            _until_the_state(one)
            one.settimeout(0)
            selector.register(one, selectors.EVENT_READ)
    return joined


def _until_the_state(one: socket.socket) -> None:
    """Read what happened so far: the first state comes behind all of it.

    Raises:
        ConnectionError: the stream ended before.
    """
    got = b""
    while b"event: state" not in got:
        piece = one.recv(65536)
        if not piece:
            raise ConnectionError(f"The stream ended: {got[:500]!r}")
        got = (got + piece)[-65536:]


def _read(one: socket.socket, selector: selectors.BaseSelector) -> None:
    if not one.recv(65536):
        selector.unregister(one)


def _leave(selector: selectors.BaseSelector, joined: list[socket.socket]) -> None:
    for one in joined:
        if one.fileno() in selector.get_map():
            selector.unregister(one)
        one.close()
