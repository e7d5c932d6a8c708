"""Exporters of traces: OpenTelemetry, LangSmith, Langfuse. Off, until the environment names one of them.

OpenTelemetry (`OTEL_EXPORTER_OTLP_ENDPOINT`) gets our spans of turns, nodes and model calls, without anybody's words,
and in the worker LiveKit's spans of hearing and speaking, without words unless the setting `log_words` is on. LangSmith
and Langfuse are there to look at prompts, so they get what candidates say; that is told at each start. Nothing of any
of them is imported before it is asked for.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

# ruff: noqa: PLC0415 - each service is imported where it is asked for

_log = logging.getLogger(__name__)

_INSTALL = "install it with: .venv/bin/pip install --editable '.[tracing]'"
_LANGSMITH = "https://api.smith.langchain.com"
_LANGFUSE = "https://cloud.langfuse.com"
_FLUSH_MS = 3000
_EXPORTERS = {
    "http/protobuf": "opentelemetry.exporter.otlp.proto.http.trace_exporter",
    "grpc": "opentelemetry.exporter.otlp.proto.grpc.trace_exporter",
}
"""Modules with an `OTLPSpanExporter`, by the protocol's name in OpenTelemetry's variables."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A service that the environment wants traces sent to."""

    name: Literal["OpenTelemetry", "LangSmith", "Langfuse"]
    address: str
    asked_by: str
    """The environment variable that turned it on."""
    gets_words: bool
    fault: str = ""
    """Why it cannot be used and what to do; empty when it can."""


def destinations(environ: Mapping[str, str]) -> list[Destination]:
    """What the environment asks for, whether or not it can be had."""
    asked = (_opentelemetry(environ), _langsmith(environ), _langfuse(environ))
    return [destination for destination in asked if destination is not None]


class Tracing:
    """What is on in this process.

    Args:
        provider: Where spans go; None when OpenTelemetry is off.
        langfuse: The client; None when Langfuse is off.
    """

    def __init__(self, provider: TracerProvider | None = None, langfuse: Any = None) -> None:
        self._provider = provider
        self._langfuse = langfuse

    @property
    def tracer(self) -> Tracer | None:
        """Makes spans; None when OpenTelemetry is off."""
        return self._provider.get_tracer("viva") if self._provider else None

    def trace_livekit(self, *, log_words: bool) -> None:
        """Send LiveKit's spans of hearing, speaking and turns the same way, where OpenTelemetry is on.

        Args:
            log_words: With what people said in them.
        """
        if self._provider:
            from livekit.agents import telemetry

            telemetry.set_tracer_provider(self._provider, allow_pii=log_words)

    def flush(self) -> None:
        """Send what is waiting. May take some seconds: call it in a thread."""
        if self._provider:
            self._provider.force_flush(_FLUSH_MS)
        if self._langfuse:
            self._langfuse.flush()

    def shutdown(self) -> None:
        """Send what is waiting and stop. Processes that end in order do so by themselves."""
        if self._provider:
            self._provider.shutdown()
        if self._langfuse:
            self._langfuse.shutdown()


@lru_cache(maxsize=1)
def process_tracing() -> Tracing:
    """The tracing of this process, started when it is first asked for."""
    return start_tracing(os.environ)


def start_tracing(environ: Mapping[str, str]) -> Tracing:
    """Turn on what the environment asks for, and say so; what cannot be used is told and left out."""
    usable: set[str] = set()
    for destination in destinations(environ):
        if destination.fault:
            _log.warning("%s is not used: %s", destination.name, destination.fault)
            if destination.name == "LangSmith":
                _keep_from_langsmith()
            continue
        usable.add(destination.name)
        what = "prompts with what candidates say" if destination.gets_words else "spans without anybody's words"
        level = logging.WARNING if destination.gets_words else logging.INFO
        _log.log(level, "%s is on (%s): %s go to %s",
                 destination.name, destination.asked_by, what, destination.address)  # fmt: skip
    # LangSmith needs no start: LangChain itself looks at the environment at each call.
    return Tracing(
        _otlp_provider(_protocol(environ)) if "OpenTelemetry" in usable else None,
        _hook_langfuse() if "Langfuse" in usable else None,
    )


def _opentelemetry(environ: Mapping[str, str]) -> Destination | None:
    variables = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    asked_by = next((name for name in variables if environ.get(name)), None)
    disabled = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if asked_by is None or disabled or environ.get("OTEL_TRACES_EXPORTER") == "none":
        return None
    protocol, fault = _protocol(environ), ""
    if protocol not in _EXPORTERS:
        fault = f"the protocol {protocol!r} is not known; set OTEL_EXPORTER_OTLP_PROTOCOL to {' or '.join(_EXPORTERS)}"
    elif not _is_installed(_EXPORTERS[protocol]):
        fault = f"its exporter for {protocol} is not installed; {_INSTALL}"
    return Destination("OpenTelemetry", environ[asked_by], asked_by, gets_words=False, fault=fault)


def _langsmith(environ: Mapping[str, str]) -> Destination | None:
    # In the order in which the langsmith package looks; the first that is set decides.
    variables = ("LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING")
    asked_by = next((name for name in variables if environ.get(name)), None)
    if asked_by is None or environ[asked_by] != "true":
        return None
    own = environ.get("LANGSMITH_ENDPOINT") or environ.get("LANGCHAIN_ENDPOINT")
    keyed = any(environ.get(name) for name in ("LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"))
    fault = "" if keyed or own else f"{asked_by} is set and LANGSMITH_API_KEY is not; set it, or unset {asked_by}"
    return Destination("LangSmith", own or _LANGSMITH, asked_by, gets_words=True, fault=fault)


def _langfuse(environ: Mapping[str, str]) -> Destination | None:
    keys = ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")
    given = [name for name in keys if environ.get(name)]
    if not given or environ.get("LANGFUSE_TRACING_ENABLED", "").lower() == "false":
        return None
    address = environ.get("LANGFUSE_BASE_URL") or environ.get("LANGFUSE_HOST") or _LANGFUSE
    fault = ""
    if len(given) < len(keys):
        fault = f"it needs both {' and '.join(keys)}, and only {given[0]} is set"
    elif not _is_installed("langfuse"):
        fault = f"its package is not installed; {_INSTALL}"
    return Destination("Langfuse", address, given[0], gets_words=True, fault=fault)


def _protocol(environ: Mapping[str, str]) -> str:
    return (
        environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
        or environ.get("OTEL_EXPORTER_OTLP_PROTOCOL")
        or "http/protobuf"
    )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a package above it is missing
        return False


def _otlp_provider(protocol: str) -> TracerProvider | None:
    """A provider of our own, not the global one: other libraries would send spans of theirs through that.

    None, after a warning, when OpenTelemetry's own variables have something in them that it cannot use.
    """
    from importlib import import_module

    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = os.environ.get("OTEL_SERVICE_NAME", "viva")
    try:
        # Address, headers, time-out and certificate are read from OpenTelemetry's own variables.
        exporter = import_module(_EXPORTERS[protocol]).OTLPSpanExporter()
        provider = TracerProvider(resource=Resource.create({SERVICE_NAME: named}))
        provider.add_span_processor(BatchSpanProcessor(exporter))
    except (ValueError, OSError) as error:
        _log.warning("OpenTelemetry is not used: one of its OTEL_ variables cannot be used (%s)", error)
        return None
    return provider


def _keep_from_langsmith() -> None:
    """Send nothing, although LangChain would try to without a key."""
    from langsmith import configure

    configure(enabled=False)


def _hook_langfuse() -> Any:
    """Have LangChain give every run a handler of Langfuse's, which files it under its interview."""
    from langchain_core.tracers.context import register_configure_hook
    from langfuse import Langfuse
    from langfuse.langchain import CallbackHandler
    from opentelemetry.sdk.trace import TracerProvider

    class Handler(CallbackHandler):
        def on_chain_start(self, *args: Any, metadata: dict[str, Any] | None = None, **values: Any) -> Any:
            known = dict(metadata or {})
            if "interview_id" in known:
                known.setdefault("langfuse_session_id", known["interview_id"])
            return super().on_chain_start(*args, metadata=known, **values)

    client = Langfuse(tracer_provider=TracerProvider())
    slot: ContextVar[Any | None] = ContextVar("langfuse_handler", default=None)
    register_configure_hook(slot, inheritable=True, handle_class=Handler, env_var="LANGFUSE_PUBLIC_KEY")
    return client
