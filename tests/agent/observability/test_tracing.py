"""Tracing for other tools: off by default, on by environment only, and without words where it can be."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from livekit.agents import telemetry
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from prometheus_client import CollectorRegistry

from agent.cli import doctor
from agent.observability import exporters as tracing_module
from agent.observability.exporters import Tracing, destinations, start_tracing
from agent.observability.metrics import Metrics
from agent.observability.spans import SpanRecorder
from agent.observability.watch import InterviewWatch
from agent.settings import PROJECT_DIR, Settings
from domain.events import Event, FellBack, GateFailed, IntentDetected, ModelCalled, StageTimed, Supervised
from tests.agent.observability.watched import ANSWERS, MARKER, hold, quoting_models

NOW = 1_000_000.0
LANGFUSE = {"LANGFUSE_PUBLIC_KEY": "pk-lf-1", "LANGFUSE_SECRET_KEY": "sk-lf-1"}


@pytest.fixture(autouse=True)
def _no_tracing_of_whoever_runs_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OTEL_", "LANGSMITH_", "LANGCHAIN_", "LANGFUSE_")):
            monkeypatch.delenv(name)


@contextmanager
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A server that takes whatever is sent to it: its address, and the paths and bodies it got."""
    got: list[tuple[str, bytes]] = []

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length) if length else self._chunks()
            got.append((self.path, gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body))
            self.send_response(200)
            self.end_headers()

        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def _chunks(self) -> bytes:
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            return body

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Takes) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", got
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def exported() -> tuple[TracerProvider, InMemorySpanExporter]:
    """A provider of spans and where they end up."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider, exporter


def test_nothing_is_asked_for_by_default() -> None:
    """An environment without the variables names no service, and nothing is started."""
    assert destinations({"PATH": "/bin", "LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": ""}) == []
    assert start_tracing({}).tracer is None


@pytest.mark.parametrize(
    ("environ", "name", "address", "gets_words"),
    [
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, "OpenTelemetry", "http://c:4318", False),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c/v1"}, "OpenTelemetry", "http://c/v1", False),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "OpenTelemetry",
            "http://c:4317",
            False,
        ),
        ({"LANGSMITH_TRACING": "true", "LANGSMITH_API_KEY": "k"}, "LangSmith", "https://api.smith.langchain.com", True),
        ({"LANGCHAIN_TRACING_V2": "true", "LANGCHAIN_ENDPOINT": "http://own"}, "LangSmith", "http://own", True),
        (LANGFUSE, "Langfuse", "https://cloud.langfuse.com", True),
        ({**LANGFUSE, "LANGFUSE_HOST": "http://own"}, "Langfuse", "http://own", True),
    ],
)
def test_each_service_is_turned_on_by_its_own_variables(
    environ: dict[str, str], name: str, address: str, gets_words: bool
) -> None:
    """Whoever asks gets that service and no other, and is told where what goes."""
    (found,) = destinations(environ)

    assert (found.name, found.address, found.gets_words, found.fault) == (name, address, gets_words, "")


@pytest.mark.parametrize(
    "environ",
    [
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"},
        {**LANGFUSE, "LANGFUSE_TRACING_ENABLED": "false"},
        {"LANGSMITH_TRACING_V2": "false", "LANGSMITH_TRACING": "true"},
    ],
)
def test_each_services_own_switch_is_respected(environ: dict[str, str]) -> None:
    """What its documentation says turns it off turns it off here."""
    assert destinations(environ) == []


@pytest.mark.parametrize(
    ("environ", "installed", "said"),
    [
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, False, "exporter for http/protobuf is not installed; install it"),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"},
            True,
            "the protocol 'http/json' is not known; set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or grpc",
        ),
        (LANGFUSE, False, "its package is not installed; install it with: .venv/bin/pip install"),
        ({"LANGFUSE_SECRET_KEY": "sk"}, True, "it needs both LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY, and only"),
        ({"LANGSMITH_TRACING": "true"}, True, "LANGSMITH_TRACING is set and LANGSMITH_API_KEY is not"),
    ],
)
def test_what_cannot_be_used_is_told_with_what_to_do(
    environ: dict[str, str],
    installed: bool,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """By the log at the start and by the doctor; interviews are held all the same."""
    monkeypatch.setattr(tracing_module, "_is_installed", lambda _: installed)
    monkeypatch.setattr(tracing_module, "_keep_from_langsmith", lambda: None)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    assert start_tracing(environ).tracer is None
    finding = next(each for each in doctor.check_observability(Settings()) if each.check == "tracing")

    assert said in caplog.text
    assert finding.status == "warning"
    assert said[1:] in finding.advice


def test_the_doctor_says_what_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs, metrics, and where traces go; a service that gets words is a warning."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318")
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "k")

    logs, metrics, spans, prompts = doctor.check_observability(Settings(log_format="json"))

    assert logs.found == "json, level info, without candidates' words"
    assert metrics.found == "at http://127.0.0.1:8080/metrics and http://127.0.0.1:8082/metrics"
    assert (spans.status, spans.found) == ("ok", "OpenTelemetry at http://c:4318 gets spans without words")
    assert (prompts.status, prompts.advice) == ("warning", "Unset LANGSMITH_TRACING to stop it.")


def test_variables_that_cannot_be_used_stop_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """OpenTelemetry refuses some values with an exception; interviews are held without it."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "-1")

    assert start_tracing(os.environ).tracer is None
    assert "OpenTelemetry is not used: one of its OTEL_ variables" in caplog.text


def spans_of(requests: list[tuple[str, bytes]]) -> list[Span]:
    """The spans that a collector got."""
    return [
        span
        for _, body in requests
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


async def test_spans_of_an_interview_arrive_at_a_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """One trace a turn, its nodes in it, and no word of anybody's."""
    with collector() as (address, got):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        tracing = start_tracing(os.environ)
        watch = InterviewWatch("tea-1", "text", metrics=Metrics(CollectorRegistry()), tracing=tracing)
        await hold(watch.event, InMemorySaver())
        watch.close()
        tracing.shutdown()

    assert {path for path, _ in got} == {"/v1/traces"}
    assert MARKER.encode() not in b"".join(body for _, body in got)
    spans = spans_of(got)
    turns = [span for span in spans if span.name == "turn"]
    assert len(turns) == len(ANSWERS) + 1
    assert len({span.trace_id for span in turns}) == len(turns)
    evaluations = [span for span in spans if span.name == "evaluate"]
    assert evaluations
    assert {span.parent_span_id for span in evaluations} <= {span.span_id for span in turns}
    told = {item.key: item.value for item in turns[-1].attributes}
    assert told["session.id"].string_value == "tea-1"
    assert told["viva.intent"].string_value == "stop"


def named(spans: tuple[ReadableSpan, ...], name: str) -> ReadableSpan:
    """The one span of this name."""
    (found,) = [span for span in spans if span.name == name]
    return found


def test_a_turns_spans_have_the_times_and_numbers_of_what_was_done(
    exported: tuple[TracerProvider, InMemorySpanExporter],
) -> None:
    """From the first node's beginning to the last one's end, with what was decided and what failed.

    The times are the machine's, also where the interview's own stands still. LiveKit tells of voice.
    """
    provider, exporter = exported
    clock = iter((NOW + 2.0, NOW + 2.5))
    recorder = SpanRecorder(provider.get_tracer("viva"), {"session.id": "9f2c"}, lambda: next(clock))

    events: tuple[Event, ...] = (
        IntentDetected(at=0.0, turn=3, intent="answer", confidence=0.9),
        ModelCalled(
            at=0.0,
            turn=3,
            agent="evaluator",
            tier="complex",
            model="big:14b",
            seconds=1.0,
            ok=False,
            tokens_in=900,
            tokens_out=80,
            why="no answer in time",
        ),
        FellBack(at=0.0, turn=3, agent="evaluator", why="no answer in time"),
        StageTimed(at=0.0, turn=3, stage="evaluate", seconds=1.5),
        StageTimed(at=0.0, turn=3, stage="e2e_latency", seconds=99.0),
        Supervised(at=0.0, turn=3, goes_on=True, question_count=2, difficulty="hard", ema=7.5, remaining_s=600.0),
    )
    for event in events:
        recorder.event(event)
    assert exporter.get_finished_spans() == ()
    recorder.close()

    spans = exporter.get_finished_spans()
    turn, node, call = named(spans, "turn"), named(spans, "evaluate"), named(spans, "chat big:14b")
    assert (turn.start_time, turn.end_time) == (int((NOW + 1.0) * 1e9), int((NOW + 2.5) * 1e9))
    assert (node.start_time, call.start_time) == (int((NOW + 1.0) * 1e9), int((NOW + 1.0) * 1e9))
    assert turn.attributes == {
        "session.id": "9f2c",
        "viva.turn": 3,
        "viva.intent": "answer",
        "viva.goes_on": True,
        "viva.difficulty": "hard",
        "viva.question_count": 2,
        "viva.ema": 7.5,
        "viva.gate_failures": 0,
        "viva.fallbacks": 1,
    }
    assert call.kind is SpanKind.CLIENT
    assert call.status.status_code is StatusCode.ERROR
    assert call.attributes is not None
    assert call.attributes["gen_ai.usage.input_tokens"] == 900


def test_what_is_told_late_joins_the_trace_of_its_turn(
    exported: tuple[TracerProvider, InMemorySpanExporter],
) -> None:
    """A turn is over when the next begins; what ends later still belongs to it."""
    provider, exporter = exported
    recorder = SpanRecorder(provider.get_tracer("viva"), {}, lambda: NOW)

    for turn, stage in ((1, "evaluate"), (2, "detect_intent"), (1, "prewarm")):
        recorder.event(StageTimed(at=NOW, turn=turn, stage=stage, seconds=0.1))
    recorder.close()

    spans = exporter.get_finished_spans()
    first, late = named(spans, "evaluate"), named(spans, "prewarm")
    assert [span.name for span in spans].count("turn") == 2
    assert late.context.trace_id == first.context.trace_id
    assert late.parent == first.parent


async def test_no_reason_that_quotes_somebody_is_in_a_span(
    exported: tuple[TracerProvider, InMemorySpanExporter],
) -> None:
    """Why a reply was refused may quote it; the record has that, and tools that read spans do not."""
    provider, exporter = exported
    recorder, events = SpanRecorder(provider.get_tracer("viva"), {}, lambda: NOW), list[Event]()

    def listen(event: Event) -> None:
        events.append(event)
        recorder.event(event)

    await hold(listen, InMemorySaver(), models=quoting_models())
    listen(GateFailed(at=NOW, turn=99, agent="evaluator", check=f"a quote was not said: {MARKER}"))
    listen(StageTimed(at=NOW, turn=99, stage="evaluate", seconds=0.1))
    recorder.close()

    reasons = [event.model_dump_json(include={"why", "check"}) for event in events]
    spans = exporter.get_finished_spans()
    assert any(MARKER in reason for reason in reasons)
    assert any(span.name.startswith("chat ") for span in spans)
    assert MARKER not in "".join(span.to_json() for span in spans)


@pytest.mark.parametrize("log_words", [False, True])
def test_livekits_spans_go_the_same_way_without_what_was_said(
    log_words: bool, exported: tuple[TracerProvider, InMemorySpanExporter]
) -> None:
    """Hearing and speaking are in the same place; transcripts are only there with log_words."""
    provider, exporter = exported
    before = telemetry.tracer._tracer_provider
    try:
        Tracing(provider).trace_livekit(log_words=log_words)
        with telemetry.tracer.start_as_current_span("user_turn", attributes={"lk.pii.user_transcript": MARKER}):
            pass
    finally:
        telemetry.tracer.set_provider(before)

    (span,) = exporter.get_finished_spans()
    assert (MARKER in str(span.attributes)) is log_words


_INTERVIEW = """
import asyncio, json, os, socket, sys
allowed = os.environ.get("ALLOWED", "").rpartition(":")[2]
connect = socket.socket.connect
def only_there(self, address):
    assert allowed and str(address[1]) == allowed, f"something connects to {address}"
    return connect(self, address)
socket.socket.connect = only_there
from langgraph.checkpoint.memory import InMemorySaver
from agent.observability.watch import InterviewWatch
from agent.observability.exporters import process_tracing
from tests.agent.observability.watched import hold
tracing = process_tracing()
watch = InterviewWatch("tea-1", "text")
asyncio.run(hold(watch.event, InMemorySaver()))
watch.close()
if allowed:
    from langchain_core.tracers.langchain import wait_for_all_tracers
    wait_for_all_tracers()
print(json.dumps([name for name in ("opentelemetry.exporter", "agent.observability.spans", "langfuse")
                  if name in sys.modules]))
"""


def interview_in_a_process(**environ: str) -> list[str]:
    """Hold an interview in a process with this environment; what was imported that could send or make traces."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VIVA_")}
    done = subprocess.run(
        [sys.executable, "-c", _INTERVIEW],
        cwd=PROJECT_DIR, env={**kept, **environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.mark.slow
def test_without_the_variables_nothing_is_imported_or_sent() -> None:
    """An interview loads nothing that could send traces, and makes no connection.

    LangChain's langsmith package is always there, and looks for OpenTelemetry's by itself; neither is started.
    """
    assert interview_in_a_process() == []


@pytest.mark.slow
def test_langfuse_gets_the_interview_when_its_keys_are_set() -> None:
    """The runs of the graph arrive, filed under the interview, because the environment says so."""
    with collector() as (address, got):
        imported = interview_in_a_process(**LANGFUSE, LANGFUSE_HOST=address, ALLOWED=address)

    spans = spans_of([(path, body) for path, body in got if path == "/api/public/otel/v1/traces"])
    assert "langfuse" in imported
    assert {"interview", "evaluate"} <= {span.name for span in spans}
    assert {
        item.value.string_value for span in spans for item in span.attributes if item.key.endswith("session.id")
    } == {"tea-1"}


@pytest.mark.slow
def test_langsmith_gets_the_interview_when_it_is_turned_on() -> None:
    """LangChain sends its runs by itself; without a key nothing is sent, although it would try."""
    wanted = {"LANGSMITH_TRACING": "true"}
    with collector() as (address, got):
        interview_in_a_process(**wanted, LANGSMITH_ENDPOINT=address, LANGSMITH_API_KEY="k", ALLOWED=address)

    assert any(path.startswith("/runs") for path, _ in got)
    assert interview_in_a_process(**wanted) == []
