"""Doctor, `viva doctor`: looks at every part that an interview needs, and says what to do about those that are not
well.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import httpx
from pydantic import BaseModel, ConfigDict
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.cli.check_result import CheckResult, Status
from agent.cli.phone.checks import examine_phone
from agent.interviews.language_models import is_among, names_in
from agent.model_files.manifest import MODELS
from agent.model_files.prepare import ModelError, ensure_model, ensure_models
from agent.observability.exporters import destinations
from agent.packs import packs_in_force
from agent.processes.ports import taken_ports, used_ports
from agent.processes.stack import StackError, find_livekit_server, is_running
from agent.settings import PROJECT_DIR, Settings, SettingsError, load_settings, unknown_variables
from rag.packs.pack import PackError

PAGES_DIR = PROJECT_DIR / "review" / "pages" / "dist"
PAGES = ("index.html", "room.html", "replay.html")
_GIGABYTE = 10**9
_SCARCE_GB = 2.0
_TOO_LITTLE_GB = 0.2
_OLLAMA_PATIENCE_S = 3.0
_STYLES: dict[Status, str] = {"ok": "green", "warning": "yellow", "problem": "bold red"}


class Examination(BaseModel):
    """Everything that was looked at."""

    model_config = ConfigDict(frozen=True)

    healthy: bool
    """Whether there is no problem; warnings do not count."""
    findings: list[CheckResult]


def run_doctor(*, as_json: bool) -> int:
    """Examine, print the result, and return the command's exit code: 1 when there is a problem."""
    try:
        examination = examine(load_settings())
    except SettingsError as error:
        findings = [CheckResult(check="settings", status="problem", found=fault) for fault in error.faults]
        examination = Examination(healthy=False, findings=findings)
    if as_json:
        sys.stdout.write(examination.model_dump_json(indent=2) + "\n")
    else:
        _print(examination)
    return 0 if examination.healthy else 1


def examine(settings: Settings) -> Examination:
    """Make every check with these settings."""
    findings = [finding for check in CHECKS for finding in check(settings)]
    return Examination(healthy=all(finding.status != "problem" for finding in findings), findings=findings)


def check_settings(_settings: Settings) -> Iterator[CheckResult]:
    """Look for environment variables that were meant as settings and are none."""
    for sentence in unknown_variables():
        yield CheckResult(check="settings", status="warning", found=sentence, advice="Correct its name, or remove it.")


def check_python(_settings: Settings) -> Iterator[CheckResult]:
    """Name the Python that runs this."""
    yield CheckResult(check="Python", status="ok", found=f"{sys.version.split()[0]}, Viva {version('viva-interview')}")


def check_livekit_server(_settings: Settings) -> Iterator[CheckResult]:
    """Find livekit-server and let it say its version."""
    try:
        server = find_livekit_server()
        done = subprocess.run([server, "--version"], capture_output=True, text=True, timeout=20, check=True)  # noqa: S603 (our own path)
    except StackError as error:
        yield CheckResult(check="livekit-server", status="problem", found="there is none", advice=str(error))
    except (OSError, subprocess.SubprocessError) as error:
        advice = f"Remove {server} and run 'make run', which builds it again."
        yield CheckResult(check="livekit-server", status="problem", found=f"it does not run: {error}", advice=advice)
    else:
        yield CheckResult(check="livekit-server", status="ok", found=f"{done.stdout.split()[-1]} at {server}")


def check_ports(settings: Settings) -> Iterator[CheckResult]:
    """Try to listen on every port, unless Viva itself does."""
    ports = ", ".join(str(getattr(settings, name)) for name in used_ports(settings))
    if is_running(settings):
        yield CheckResult(check="ports", status="ok", found=f"{ports}: Viva is running")
        return
    taken = taken_ports(settings)
    for port in taken:
        found, _, advice = str(port).partition(": ")
        yield CheckResult(check="ports", status="problem", found=found, advice=f"{advice[:1].upper()}{advice[1:]}.")
    if not taken:
        yield CheckResult(check="ports", status="ok", found=f"{ports} are free on {settings.host}")


def check_models(settings: Settings) -> Iterator[CheckResult]:
    """Hash all model files anew."""
    try:
        paths = ensure_models(settings, trust_stamps=False)
    except ModelError as error:
        yield CheckResult(check="models", status="problem", found="a model cannot be used", advice=str(error))
        return
    for kind in ("whisper", "end_of_turn", "voice", "embedder"):
        name, path = getattr(settings, kind), getattr(paths, kind)
        known = "its files have the right SHA-256" if name in MODELS else "your own, used as it is"
        yield CheckResult(check=f"model: {kind}", status="ok", found=f"{name} ({known}) at {path}")
    if settings.whisper == "tiny" and settings.language != "en":
        yield CheckResult(
            check="model: whisper",
            status="warning",
            found=f"tiny understands English only, and the language is {settings.language}",
            advice='Set whisper = "base", or the folder of a multilingual model.',
        )


def check_voice(settings: Settings) -> Iterator[CheckResult]:
    """Let the voice say a word."""
    from piper import PiperVoice  # noqa: PLC0415 (the other checks need not wait for it)

    try:
        path = ensure_model(settings.voice, settings.cache_dir, kind="voice")
        voice = PiperVoice.load(str(path))
        seconds = sum(len(chunk.audio_int16_array) / chunk.sample_rate for chunk in voice.synthesize("Welcome."))
    except ModelError:
        return  # told by the check of the models
    except Exception as error:  # noqa: BLE001 (the runtime raises what it likes on a broken file, and so is this told)
        found = f"{settings.voice} cannot be loaded: {error}"
        advice = 'Set voice = "joe", or to a Piper .onnx file with its .onnx.json beside it.'
        yield CheckResult(check="voice", status="problem", found=found, advice=advice)
        return
    if seconds > 0:
        yield CheckResult(check="voice", status="ok", found=f"{settings.voice} says “Welcome.” in {seconds:.1f} s")
    else:
        advice = 'Set voice = "joe", or to another Piper voice.'
        yield CheckResult(check="voice", status="problem", found=f"{settings.voice} is silent", advice=advice)


def check_embedder(settings: Settings) -> Iterator[CheckResult]:
    """Let the embedding model embed a word."""
    from rag.embedding.embedder import EmbedderError, MiniLM  # noqa: PLC0415 (the other checks need not wait for it)

    try:
        path = ensure_model(settings.embedder, settings.cache_dir, kind="embedder")
        width = MiniLM.load(path).embed(["Welcome."]).shape[1]
    except ModelError:
        return  # told by the check of the models
    except EmbedderError as error:
        advice = 'Set embedder = "minilm", or correct what was found.'
        yield CheckResult(check="embedder", status="problem", found=str(error), advice=advice)
        return
    yield CheckResult(check="embedder", status="ok", found=f"{settings.embedder} gives vectors of {width} numbers")


def check_data_dir(settings: Settings) -> Iterator[CheckResult]:
    """Write into the data folder and look at what its disk has left."""
    folder = settings.data_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder) as probe:
            probe.write(b"viva")
    except OSError as error:
        advice = "Make it writable for you, or set data_dir to another folder."
        yield CheckResult(check="data folder", status="problem", found=f"{folder}: {error.strerror}", advice=advice)
        return
    yield CheckResult(check="data folder", status="ok", found=f"{folder} can be written")
    yield judge_disk(shutil.disk_usage(folder).free / _GIGABYTE, folder)


def judge_disk(free_gb: float, folder: Path) -> CheckResult:
    """What an amount of free disk means for records and recordings."""
    found = f"{free_gb:.1f} GB free for {folder}"
    advice = "Free some space, delete old interviews on the start page, or set data_dir to a folder on another disk."
    if free_gb < _TOO_LITTLE_GB:
        return CheckResult(check="disk", status="problem", found=found, advice=advice)
    if free_gb < _SCARCE_GB:
        return CheckResult(check="disk", status="warning", found=found, advice=advice)
    return CheckResult(check="disk", status="ok", found=found)


def check_record(settings: Settings) -> Iterator[CheckResult]:
    """Read every interview that was ever held, if there is a record."""
    from review import RecordError, RecordStore  # noqa: PLC0415 (the other checks need not wait for it)

    if not settings.record_path.exists():
        yield CheckResult(check="record", status="ok", found="there is none yet: it is made with the first start")
        return
    try:
        with contextlib.closing(RecordStore(settings.record_path)) as store:
            listed = store.interviews()
            faults = [store.fault(each.id) for each in listed if each.status == "unreadable"]
    except RecordError as error:
        yield CheckResult(check="record", status="problem", found="it cannot be used", advice=str(error))
        return
    if faults:
        found = f"{len(faults)} of {len(listed)} interviews cannot be read. {faults[0]}"
        advice = "Delete them on the start page, or open them with the version of Viva that wrote them."
        yield CheckResult(check="record", status="warning", found=found, advice=advice)
    else:
        found = f"{len(listed)} interview{'' if len(listed) == 1 else 's'} can be read"
        yield CheckResult(check="record", status="ok", found=found)


def check_pages(_settings: Settings) -> Iterator[CheckResult]:
    """Look for the built pages."""
    missing = [name for name in PAGES if not (PAGES_DIR / name).is_file()]
    if missing:
        found, advice = f"{', '.join(missing)} not built", "Run 'make run', which builds the pages."
        yield CheckResult(check="pages", status="problem", found=found, advice=advice)
    else:
        yield CheckResult(check="pages", status="ok", found=f"built in {PAGES_DIR}")


def check_packs(settings: Settings) -> Iterator[CheckResult]:
    """Load every question pack."""
    try:
        packs = packs_in_force(settings)
    except PackError as error:
        if error.path.is_file():
            advice = f"Correct it; 'viva pack lint {error.path}' tells when it is right."
        else:
            advice = "Put a pack there, or remove the setting packs_dir to use Viva's own."
        yield CheckResult(check="question packs", status="problem", found=str(error), advice=advice)
        return
    found = ", ".join(f"{pack.title} ({len(pack.questions)} questions)" for pack in packs.values())
    yield CheckResult(check="question packs", status="ok", found=found)


def check_language_models(settings: Settings) -> Iterator[CheckResult]:
    """Look for the language models that the settings name; Viva works without any."""
    named = {"complex_model": settings.complex_model, "fast_model": settings.fast_model}
    wanted = {setting: name.removeprefix("ollama:") for setting, name in named.items() if name.startswith("ollama:")}
    if not any(named.values()):
        yield CheckResult(check="language models", status="ok", found="none: everything goes by rule")
    elif wanted:
        yield from _check_ollama(settings, wanted)
    for setting, name in named.items():
        if name and setting not in wanted:
            yield _check_provider(settings, setting, name)


def _check_ollama(settings: Settings, wanted: dict[str, str]) -> Iterator[CheckResult]:
    """Ask Ollama for its models."""
    insists = settings.judge == "model"
    try:
        answer = httpx.get(f"{settings.ollama_url}/api/tags", timeout=_OLLAMA_PATIENCE_S, trust_env=False)
        names = names_in(answer)
    except (httpx.HTTPError, ValueError):
        found = f"no answer at {settings.ollama_url}" + ("" if insists else "; everything goes by rule")
        advice = "Start it with 'ollama serve', or set judge to auto or built-in." if insists else ""
        yield CheckResult(check="Ollama", status="problem" if insists else "ok", found=found, advice=advice)
        return
    there = {setting: model for setting, model in wanted.items() if is_among(model, names)}
    if there:
        found = f"{' and '.join(dict.fromkeys(there.values()))} at {settings.ollama_url}"
        yield CheckResult(check="Ollama", status="ok", found=found)
    for setting, model in wanted.items():
        if setting not in there:
            spare = "; the other model does its work" if there else ""
            status: Status = "problem" if insists and not there else "warning"
            found = f"it answers and has no model {model} ({setting}){spare}"
            yield CheckResult(check="Ollama", status=status, found=found, advice=f"Get it with 'ollama pull {model}'.")


def _check_provider(settings: Settings, setting: str, name: str) -> CheckResult:
    """Load a model of another provider. Whether it answers is not tried: that may cost money."""
    # LangChain takes a second to import, which only those who use another provider wait for.
    from agent.interviews.language_models import LanguageModelError, load_tier  # noqa: PLC0415

    try:
        load_tier(setting, name, settings)
    except LanguageModelError as error:
        return CheckResult(check=setting, status="problem", found=str(error), advice="Or name another model, or none.")
    return CheckResult(check=setting, status="ok", found=f"{name} can be loaded; whether it answers was not tried")


def check_microphone(settings: Settings) -> Iterator[CheckResult]:
    """Say from where a browser will let a candidate speak."""
    if settings.host.startswith("127."):
        found = f"browsers on this machine ask for it at {settings.web_url} and let you allow it"
        yield CheckResult(check="microphone", status="ok", found=found)
    else:
        yield CheckResult(
            check="microphone",
            status="warning",
            found=f"browsers give no microphone to a page at {settings.web_url}, only to localhost and https",
            advice="Put a web server with a certificate in front of it (Caddy makes one by itself).",
        )


def check_phone(settings: Settings) -> Iterator[CheckResult]:
    """Look at what the phone line needs, and who can call it."""
    return examine_phone(settings, is_running=is_running(settings))


def check_observability(settings: Settings) -> Iterator[CheckResult]:
    """Say what can be seen from outside, and where words of candidates go."""
    words = "with candidates' words" if settings.log_words else "without candidates' words"
    yield CheckResult(check="logs", status="ok", found=f"{settings.log_format}, level {settings.log_level}, {words}")
    worker = f"http://{settings.host}:{settings.metrics_port}/metrics"
    metrics = f"at {settings.web_url}/metrics and {worker}" if settings.metrics else "off"
    yield CheckResult(check="metrics", status="ok", found=metrics)
    wanted = destinations(os.environ)
    if not wanted:
        yield CheckResult(check="tracing", status="ok", found="off: the environment names no service")
    for each in wanted:
        if each.fault:
            found, advice = f"{each.name} is not used", f"{each.fault[:1].upper()}{each.fault[1:]}."
            yield CheckResult(check="tracing", status="warning", found=found, advice=advice)
        elif each.gets_words:
            found = f"{each.name} at {each.address} gets prompts with what candidates say"
            yield CheckResult(
                check="tracing", status="warning", found=found, advice=f"Unset {each.asked_by} to stop it."
            )
        else:
            yield CheckResult(
                check="tracing", status="ok", found=f"{each.name} at {each.address} gets spans without words"
            )


CHECKS: tuple[Callable[[Settings], Iterator[CheckResult]], ...] = (
    check_settings,
    check_python,
    check_livekit_server,
    check_ports,
    check_models,
    check_voice,
    check_embedder,
    check_data_dir,
    check_record,
    check_pages,
    check_packs,
    check_language_models,
    check_microphone,
    check_phone,
    check_observability,
)
"""In the order in which they are shown."""


def _print(examination: Examination) -> None:
    table = Table("part", "state", box=None, pad_edge=False)
    table.add_column("found", overflow="fold")
    table.add_column("what to do", overflow="fold")
    for finding in examination.findings:
        state = Text(finding.status, style=_STYLES[finding.status])
        table.add_row(finding.check, state, Text(finding.found), Text(finding.advice))
    console = Console(highlight=False)
    console.print(table)
    problems = sum(finding.status == "problem" for finding in examination.findings)
    console.print("All is well." if not problems else f"Problems that keep Viva from running: {problems}.")
