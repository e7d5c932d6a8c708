"""Metrics: what an interview adds up to, and who may read it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from langgraph.checkpoint.memory import InMemorySaver
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.parser import text_string_to_metric_families

from agent.observability.metrics import Metrics
from agent.observability.metrics_endpoint import metrics_routes, refusal, serving_metrics
from agent.observability.metrics_recorder import MetricsRecorder
from agent.processes.ports import free_ports_settings, taken_ports
from agent.settings import PROJECT_DIR, Settings
from domain.events import (
    FellBack,
    GateFailed,
    IntentDetected,
    InterviewEnded,
    InterviewStarted,
    ModelCalled,
    PlanMade,
    Retrieved,
    StageTimed,
    Supervised,
)
from tests.agent.observability.watched import ANSWERS, hold, quoting_models

TOKEN = "a-token-of-the-host"
NOW = 1_000_000.0


class Counted:
    """Metrics of their own, and what stands in them."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.event = MetricsRecorder(Metrics(self.registry), "text").event

    def value(self, name: str, **labels: str) -> float:
        """One sample; 0 when there is none."""
        return self.registry.get_sample_value(f"viva_{name}", labels) or 0.0

    def total(self, name: str, **labels: str) -> float:
        """The sum of all samples that have these labels."""
        return sum(
            sample.value
            for family in self.registry.collect()
            for sample in family.samples
            if sample.name == f"viva_{name}" and labels.items() <= sample.labels.items()
        )


async def test_an_interview_is_counted_node_by_node_and_turn_by_turn() -> None:
    """Every turn and every node of an interview without models is there, with the medium it was held in."""
    counted = Counted()

    await hold(counted.event, InMemorySaver())

    assert counted.total("turns_total", medium="text") == len(ANSWERS)
    assert counted.value("turns_total", medium="text", intent="stop") == 1
    assert counted.value("node_duration_seconds_count", medium="text", node="greet") == 1
    assert counted.value("node_duration_seconds_count", medium="text", node="detect_intent") == len(ANSWERS)
    assert counted.value("answers_total", medium="text", judge="scripted", outcome="scored") >= 4
    assert counted.total("performance_ema_count") == counted.value(
        "answers_total", medium="text", judge="scripted", outcome="scored"
    )
    assert counted.total("model_calls_total") == 0


async def test_models_that_fail_are_counted_by_agent_tier_and_model() -> None:
    """Calls, tokens, refused replies and the paths without a model are there."""
    counted = Counted()

    await hold(counted.event, InMemorySaver(), models=quoting_models())

    assert counted.total("model_calls_total", outcome="failed", model="scripted-complex", tier="complex") > 0
    assert counted.total("model_calls_total") == counted.total("model_call_duration_seconds_count")
    assert counted.total("model_tokens_total", direction="in") > 0
    assert counted.total("fallbacks_total") > 0


def model_called(**values: object) -> ModelCalled:
    """A call of the evaluator's model in turn 3."""
    told = {"turn": 3, "agent": "evaluator", "tier": "complex", "model": "big:14b", **values}
    return ModelCalled(at=NOW, **told)  # type: ignore[arg-type]


def test_a_model_call_is_added_up() -> None:
    """Seconds and tokens of each call land under its agent, tier and model."""
    counted = Counted()
    for ok in (True, False):
        counted.event(model_called(seconds=2.0, ok=ok, tokens_in=900, tokens_out=80))
    counted.event(GateFailed(at=NOW, turn=3, agent="evaluator", check="a sentence that quotes nobody here"))
    counted.event(FellBack(at=NOW, turn=3, agent="evaluator", why="because"))

    of = {"agent": "evaluator", "tier": "complex", "model": "big:14b"}
    assert counted.value("model_calls_total", **of, outcome="ok") == 1
    assert counted.value("model_calls_total", **of, outcome="failed") == 1
    assert counted.value("model_call_duration_seconds_sum", **of) == 4.0
    assert counted.value("model_tokens_total", **of, direction="in") == 1800
    assert counted.value("model_tokens_total", **of, direction="out") == 160
    assert counted.value("gate_failures_total", agent="evaluator") == 1
    assert counted.value("fallbacks_total", agent="evaluator") == 1


def test_beginning_and_end_are_counted_and_voice_is_timed_apart_from_nodes() -> None:
    """A stage of hearing or speaking is no node, and a node is no stage of either."""
    counted = Counted()
    counted.event(InterviewStarted(at=NOW, judge="built-in", resumed=True))
    counted.event(StageTimed(at=NOW, turn=1, stage="e2e_latency", seconds=1.5))
    counted.event(StageTimed(at=NOW, turn=1, stage="evaluate", seconds=2.5))
    counted.event(InterviewEnded(at=NOW, reason="time_up"))

    assert counted.value("interviews_started_total", medium="text", resumed="yes") == 1
    assert counted.value("interviews_ended_total", medium="text", reason="time_up") == 1
    assert counted.value("voice_latency_seconds_sum", stage="e2e_latency") == 1.5
    assert counted.total("voice_latency_seconds_count") == 1
    assert counted.value("node_duration_seconds_sum", medium="text", node="evaluate") == 2.5
    assert counted.total("node_duration_seconds_count") == 1


def test_metrics_are_counted_without_the_graph() -> None:
    """Whoever only serves metrics, as the web process until an interview begins, loads no LangGraph."""
    script = (
        "import sys, agent.observability.metrics_endpoint, agent.observability.metrics_recorder\n"
        "print([name for name in ('langgraph', 'langchain_core', 'graph') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=PROJECT_DIR)

    assert done.stdout.strip() == "[]"


def test_retrievals_are_counted_by_whether_the_cache_had_them() -> None:
    """Hits and misses, their grade, the searches made and the time."""
    counted = Counted()
    counted.event(Retrieved(at=NOW, turn=1, cached=False, grade="low", attempts=2, seconds=0.02))
    counted.event(Retrieved(at=NOW, turn=2, cached=True, grade="high", attempts=0, seconds=0.0005))

    assert counted.value("retrievals_total", cache="miss", grade="low") == 1
    assert counted.value("retrievals_total", cache="hit", grade="high") == 1
    assert counted.value("retrieval_attempts_total", cache="miss") == 2
    assert counted.value("retrieval_duration_seconds_sum", cache="miss") == pytest.approx(0.02)


def decided(turn: int, difficulty: str) -> Supervised:
    """A supervisor's decision."""
    return Supervised(
        at=NOW, turn=turn, goes_on=True, question_count=1, difficulty=difficulty, ema=None, remaining_s=600.0
    )


def test_steps_of_the_difficulty_are_counted_by_direction() -> None:
    """From where the plan begins: up and down, and no step where it stays or where nothing was known before."""
    counted = Counted()
    counted.event(decided(1, "hard"))  # resumed: what was before is not known
    counted.event(PlanMade(at=NOW, topics=["a"], difficulty_curve=["medium"], target_questions=1, by="rules"))
    for difficulty in ("medium", "hard", "hard", "medium", "easy"):
        counted.event(decided(2, difficulty))

    assert counted.value("difficulty_changes_total", medium="text", direction="up") == 1
    assert counted.value("difficulty_changes_total", medium="text", direction="down") == 2


def test_a_turn_that_is_told_twice_is_counted_once() -> None:
    """A turn that was cut off and finished by another process is one turn in that process, too."""
    counted = Counted()
    for _ in range(2):
        counted.event(IntentDetected(at=NOW, turn=4, intent="answer", confidence=0.9))

    assert counted.value("turns_total", medium="text", intent="answer") == 1


@pytest.mark.parametrize(
    ("values", "address", "authorization", "status"),
    [
        ({}, "127.0.0.1", "", None),
        ({}, "::1", "", None),
        ({}, "192.168.7.20", "", 403),
        ({}, "192.168.7.20", f"Bearer {TOKEN}", 403),
        ({}, "unknown", "", 403),
        ({"host_token": TOKEN}, "127.0.0.1", "", 401),
        ({"host_token": TOKEN}, "192.168.7.20", "Bearer something-else-here", 403),
        ({"host_token": TOKEN}, "192.168.7.20", f"bearer {TOKEN}", None),
        ({"metrics": False}, "127.0.0.1", "", 404),
    ],
)
def test_only_whoever_hosts_viva_may_read_metrics(
    values: dict[str, object], address: str, authorization: str, status: int | None
) -> None:
    """From this machine without a token, with the token from anywhere, otherwise with a sentence."""
    refused = refusal(Settings(**values), address, {"authorization": authorization})  # type: ignore[arg-type]

    assert (refused[0] if refused else None) == status


def test_the_web_process_serves_metrics() -> None:
    """The exposition can be parsed, and a stranger gets a sentence."""
    app = FastAPI()
    app.include_router(metrics_routes(Settings()))

    with TestClient(app, client=("127.0.0.1", 5000)) as here:
        answer = here.get("/metrics")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/plain; version=")
        families = {family.name for family in text_string_to_metric_families(answer.text)}
    with TestClient(app, client=("192.168.7.20", 5000)) as stranger:
        refused = stranger.get("/metrics")

    assert "viva_node_duration_seconds" in families
    assert refused.status_code == 403
    assert "from the machine that runs Viva only" in refused.text


def test_the_worker_serves_metrics_on_a_port_of_its_own(tmp_path: Path) -> None:
    """As long as it runs, with the host's token, and nothing else but metrics."""
    settings = free_ports_settings(tmp_path, host_token=TOKEN)
    url = f"http://{settings.host}:{settings.metrics_port}"

    with serving_metrics(settings), httpx.Client(trust_env=False) as http:
        assert http.get(f"{url}/metrics").status_code == 401
        answer = http.get(f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert http.get(f"{url}/").status_code == 404
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)

    assert answer.status_code == 200
    assert "viva_interviews_started_total" in answer.text


def test_whoever_comes_through_a_proxy_is_not_this_machine(tmp_path: Path) -> None:
    """A proxy on this machine does not open the metrics to everybody."""
    settings = free_ports_settings(tmp_path)
    with serving_metrics(settings):
        answer = httpx.get(
            f"http://{settings.host}:{settings.metrics_port}/metrics",
            headers={"X-Forwarded-For": "203.0.113.9"},
            trust_env=False,
        )

    assert answer.status_code == 403


def test_a_taken_port_stops_no_interviews(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The worker goes on without serving metrics, and says which setting to change."""
    settings = free_ports_settings(tmp_path)
    with socket.create_server((settings.host, settings.metrics_port)), serving_metrics(settings):
        pass

    assert f"port {settings.metrics_port} (metrics_port) cannot be used" in caplog.text


def test_without_metrics_their_port_is_not_needed(tmp_path: Path) -> None:
    """Somebody else may have it then."""
    settings = free_ports_settings(tmp_path)
    with socket.create_server((settings.host, settings.metrics_port)):
        assert [each.setting for each in taken_ports(settings)] == ["metrics_port"]
        assert taken_ports(settings.model_copy(update={"metrics": False})) == []


_TWO_PROCESSES = """
import os, sys
from pathlib import Path
from agent.settings import Settings
from agent.observability.metrics_endpoint import share_metrics_between_processes
share_metrics_between_processes(Settings(executor="process", data_dir=Path(sys.argv[1])))
from agent.observability.metrics import process_metrics
from agent.observability.metrics_endpoint import _exposition
if os.fork() == 0:
    process_metrics().turns.labels("voice", "answer").inc(2)
    os._exit(0)
os.wait()
process_metrics().turns.labels("voice", "answer").inc()
print(_exposition()[1].decode())
"""


def test_jobs_that_are_processes_add_up(tmp_path: Path) -> None:
    """With executor = "process" the worker's page has what every job's process counted."""
    done = subprocess.run(
        [sys.executable, "-c", _TWO_PROCESSES, str(tmp_path)],
        cwd=PROJECT_DIR, capture_output=True, text=True, check=True, env=os.environ,
    )  # fmt: skip

    assert 'viva_turns_total{intent="answer",medium="voice"} 3.0' in done.stdout


def test_the_documentation_names_every_metric_with_its_labels() -> None:
    """What is in the table is what there is."""
    registry = CollectorRegistry()
    made = vars(Metrics(registry)).values()
    exposed = {each._name + ("_total" if isinstance(each, Counter) else ""): each._labelnames for each in made}

    page = (PROJECT_DIR / "docs" / "observability.md").read_text(encoding="utf-8")
    rows = {row[1]: row[2] for row in re.finditer(r"^\| `(viva_\w+)` \| \w+ \| (.*) \|$", page, re.MULTILINE)}

    assert rows.keys() == exposed.keys()
    assert not [(name, label) for name, labels in exposed.items() for label in labels if f"`{label}`" not in rows[name]]
