"""A stand-in for livekit-server's API: it answers as it is told, by the protocol that the real one speaks (Twirp)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from google.protobuf.message import Message
from livekit.protocol.agent_dispatch import AgentDispatch, ListAgentDispatchResponse
from livekit.protocol.models import ParticipantInfo, Room
from livekit.protocol.room import ListParticipantsResponse, ListRoomsResponse, RemoveParticipantResponse

from agent.settings import Settings

Answer = Message | int
"""What is sent back: a message, or the HTTP status of an error."""
_CODES = {404: "not_found", 503: "unavailable"}


class LiveKitAnswers:
    """What the stand-in says to each method: the answers in their order, of which the last is said for good."""

    def __init__(self, answers: Mapping[str, list[Answer]]) -> None:
        self._answers = {method: list(several) for method, several in answers.items()}
        self.asked: list[str] = []
        """The methods that were called, in order."""

    def take(self, method: str) -> Answer:
        """The next answer to a method."""
        self.asked.append(method)
        several = self._answers[method]
        return several.pop(0) if len(several) > 1 else several[0]


def waiting(
    *rooms: str, participants: list[ParticipantInfo], dispatches: list[AgentDispatch]
) -> dict[str, list[Answer]]:
    """The answers of a server with these rooms, the same people in each, where everything works."""
    return {
        "ListRooms": [ListRoomsResponse(rooms=[Room(name=room) for room in rooms])],
        "ListParticipants": [ListParticipantsResponse(participants=participants)],
        "ListDispatch": [ListAgentDispatchResponse(agent_dispatches=dispatches)],
        "RemoveParticipant": [RemoveParticipantResponse()],
        "DeleteDispatch": [AgentDispatch()],
        "CreateDispatch": [AgentDispatch()],
    }


@contextmanager
def answering(answers: LiveKitAnswers, folder: Path) -> Iterator[Settings]:
    """Serve, and give the settings with which the server is found."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = answers.take(self.path.rpartition("/")[2])
            is_fault = isinstance(answer, int)
            body = (
                json.dumps({"code": _CODES[answer], "msg": "no"}).encode() if is_fault else answer.SerializeToString()
            )
            self.send_response(answer if is_fault else 200)
            self.send_header("Content-Type", "application/json" if is_fault else "application/protobuf")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Settings(data_dir=folder / "data", livekit_port=server.server_port)
        finally:
            server.shutdown()
            thread.join()
