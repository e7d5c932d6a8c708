"""What a run leaves behind: rows, samples, failures, the machine; as JSON, as Markdown, and as a picture."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

import psutil

from bench.voice.endings import Endings
from bench.voice.figures import Row, markdown
from bench.voice.load import Load
from bench.voice.talks import Failure, Talks
from bench.voice.turns import Balance

_PACKAGES = ("livekit-agents", "livekit", "livekit-local-inference", "faster-whisper", "piper-tts", "onnxruntime")
_GB = 1 << 30


@dataclass(slots=True)
class Results:
    """Filled while it is measured."""

    machine: dict[str, object]
    rows: list[Row] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    unheard: list[str] = field(default_factory=list)
    """Recordings that nothing could be heard in, a sentence each."""
    talks: dict[str, Talks] = field(default_factory=dict)
    loads: list[Load] = field(default_factory=list)
    barge_in: Mapping[str, list[float]] = field(default_factory=dict)
    endings: Endings | None = None
    notes: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> list[Path]:
        """Write the files of this run; their paths."""
        written = {"results.json": json.dumps(self.as_data(), indent=1), "results.md": self.as_markdown()}
        if self.endings is not None:
            written["turns.svg"] = self.endings.picture("Ends of turns: cut-offs against dead air")
        paths = []
        for name, text in written.items():
            path = folder / name
            path.write_text(text, encoding="utf-8")
            paths.append(path)
        return paths

    def as_markdown(self) -> str:
        """The table, the machine, and what failed."""
        machine = "; ".join(f"{name} {value}" for name, value in self.machine.items())
        failed = "".join(f"- {each.conversation}: {each.what}\n" for each in self.failures)
        notes = "".join(f"- {note}\n" for note in [*self.notes, *self.unheard])
        return f"{markdown(self.rows)}\nMachine: {machine}.\n\n{notes}\n" + (f"Failed:\n\n{failed}" if failed else "")

    def as_data(self) -> dict[str, object]:
        """All of it, for machines."""
        return {
            "machine": self.machine,
            "rows": [{**asdict(row), "ratio": row.ratio} for row in self.rows],
            "failures": [asdict(each) for each in self.failures],
            "unheard": self.unheard,
            "notes": self.notes,
            "samples": {name: [_finite(asdict(each)) for each in talks.samples] for name, talks in self.talks.items()},
            "barge_in_s": dict(self.barge_in),
            "load": [
                {**{key: getattr(each, key) for key in ("side", "at_once", "cores", "idle_mb", "most_mb")},
                 "first_audio_s": each.talks.first_audio(each.side)}
                for each in self.loads
            ],
            "turns": {} if self.endings is None else _turns(self.endings),
        }  # fmt: skip


def machine() -> dict[str, object]:
    """What it is measured on; how busy it is with other things says whether figures mean anything."""
    busy = os.getloadavg()[0]
    return {
        "processor": _processor(),
        "cores used": len(os.sched_getaffinity(0)),
        "memory": f"{psutil.virtual_memory().total / _GB:.0f} GB",
        "load before": f"{busy:.1f}",
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _turns(endings: Endings) -> dict[str, object]:
    def point(each: Balance) -> dict[str, object]:
        return {**asdict(each), "cut_share": each.cut_share, "spoken_into_share": each.spoken_into_share}

    return {
        "curves": {
            name: [{"knob": value, **point(each)} for value, each in points] for name, points in endings.curves.items()
        },
        "marks": {name: point(each) for name, each in endings.marks.items()},
    }


def _finite(data: object) -> object:
    """JSON knows no infinity: what was never heard before has no silence before it."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if data == float("inf") else data
