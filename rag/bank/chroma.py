"""Chroma folder of the question bank, and how several processes share it.

Chroma's persistent client is safe for threads, not for processes. Measured with Chroma 1.5.9: a process that has
searched a collection keeps its index in memory. It never sees what another process adds, and after a change by
another process its filtered searches fail with "Error finding id". Therefore a collection is written once, by one
process, and never changed: every version of a pack is a collection of its own, which counts from the moment its
metadata say `complete`. Readers look up the newest complete version for each search (about a millisecond).
A version that was replaced stays until the next import, for searches that are under way in other processes.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar

from rag.chroma_index import clear_empty_indexes
from rag.embedding.embedder import Vectors

LOCK_WAIT_S = 10.0
"""How long another process may hold the database before it counts as in use."""

_READ_PAUSES_S = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)

Metadata = dict[str, str | int | float | bool]
T = TypeVar("T")


class BankError(RuntimeError):
    """The question bank cannot be used; the message says what can be done."""


class Version(Protocol):
    """A version of a pack: what is used of Chroma's collections."""

    name: str
    metadata: Metadata | None

    def add(self, *, ids: list[str], embeddings: Vectors, metadatas: list[Metadata]) -> None:
        """Store rows."""

    def modify(self, *, metadata: Metadata) -> None:
        """Replace what the collection says about itself."""

    def get(self, **query: Any) -> dict[str, Any]:
        """Rows by their metadata, as columns."""
        ...

    def query(self, **query: Any) -> dict[str, Any]:
        """Rows by similarity and metadata, as columns with a list for each query."""
        ...


class _Client(Protocol):
    """What is used of Chroma's client."""

    def list_collections(self) -> list[Version]: ...

    def create_collection(
        self, name: str, *, configuration: dict[str, Any], metadata: Metadata, embedding_function: None
    ) -> Version: ...

    def delete_collection(self, name: str) -> None: ...


class PackStore:
    """Versions of packs in a Chroma folder."""

    def __init__(self, folder: Path, client: _Client) -> None:
        self.folder = folder
        self._client = client

    @staticmethod
    def open(folder: Path, wait_s: float = LOCK_WAIT_S) -> PackStore:
        """The store in a folder, which is created when it is missing.

        Raises:
            BankError: the folder cannot be written, is in use for longer than `wait_s`, or is damaged.
        """
        folder = folder.resolve()
        with _opening:
            if folder not in _clients:
                _prepare(folder, wait_s)
                _clients[folder] = _start_chroma(folder)
            client = _clients[folder]
        if isinstance(client, BankError):
            raise client
        return PackStore(folder, client)

    def ask(self, pack: str, question: Callable[[Version], T]) -> T:
        """What the newest version of a pack answers; asked again when it was replaced in that moment.

        Raises:
            BankError: there is no version of the pack, or it cannot be read.
        """
        from chromadb.errors import ChromaError, InvalidArgumentError  # noqa: PLC0415

        problem: ChromaError | str = "it is being replaced all the time"
        for pause_s in _READ_PAUSES_S:
            try:
                version = self._newest(pack)
                answer = question(version)
                # A version that was deleted meanwhile may have answered with a part of itself, or nothing.
                self._clear_once(version)
                if any(version.name == existing.name for existing in self._client.list_collections()):
                    return answer
            except InvalidArgumentError as error:
                raise BankError(
                    f"The question bank in {self.folder} refused a search ({error}). Most likely it was built with "
                    "another embedding model: import the packs again."
                ) from error
            except ChromaError as error:
                problem = error
            time.sleep(pause_s)
        raise _broken(self.folder, problem)

    @contextmanager
    def importing(self, wait_s: float) -> Iterator[None]:
        """The right to write, held by one process at a time; versions that nobody needs are gone.

        Raises:
            BankError: another process imports for longer than `wait_s`, or Chroma fails.
        """
        with _write_lock(self.folder / "import.lock", wait_s), self._saying_what_is_broken():
            keep = {version.name for version in self.versions().values()}
            for collection in self._client.list_collections():
                if collection.name not in keep:
                    self._client.delete_collection(collection.name)
            yield
            self._clear()

    def versions(self) -> dict[str, Version]:
        """The newest complete version of each pack, by the pack's id."""
        newest: dict[str, Version] = {}
        for collection in self._client.list_collections():
            about = collection.metadata or {}
            pack = str(about.get("pack", ""))
            if about.get("complete") and (pack not in newest or _number(collection) > _number(newest[pack])):
                newest[pack] = collection
        return newest

    def begin(self, pack: str, replaces: Version | None) -> Version:
        """An empty version of a pack that no search sees before it is published."""
        number = 1 if replaces is None else _number(replaces) + 1
        return self._client.create_collection(
            f"{pack}.{number}",
            configuration={"hnsw": {"space": "cosine"}},
            metadata={"pack": pack, "number": number, "complete": False},
            embedding_function=None,
        )

    @staticmethod
    def publish(version: Version, digest: str) -> None:
        """From now on searches find this version of its pack."""
        version.modify(metadata={**(version.metadata or {}), "complete": True, "digest": digest})

    def _clear_once(self, version: Version) -> None:
        """After this process's first search in a version, which is when Chroma writes its index."""
        if (searched := (self.folder, version.name)) not in _cleared:
            self._clear()
            _cleared.add(searched)

    def _clear(self) -> None:
        """Nothing of what this process had in its memory stays in an index; whoever may not write cannot leave any."""
        try:
            clear_empty_indexes(self.folder)
        except OSError as error:
            _log.warning("an index of the question bank may hold what was in memory: %s", error)

    def _newest(self, pack: str) -> Version:
        versions = self.versions()
        if pack not in versions:
            held = ", ".join(sorted(versions)) or "none"
            raise BankError(
                f"The question bank in {self.folder} does not hold the pack {pack!r} (it holds: {held}). "
                "Correct the name, or import the pack: Viva does when it starts."
            )
        return versions[pack]

    @contextmanager
    def _saying_what_is_broken(self) -> Iterator[None]:
        from chromadb.errors import ChromaError  # noqa: PLC0415

        try:
            yield
        except ChromaError as error:
            raise _broken(self.folder, error) from error


_clients: dict[Path, _Client | BankError] = {}
_opening = Lock()
_cleared: set[tuple[Path, str]] = set()
"""Versions that this process has searched, by folder and name."""
_log = logging.getLogger(__name__)


def _number(version: Version) -> int:
    return int((version.metadata or {}).get("number", 0))


def _prepare(folder: Path, wait_s: float) -> None:
    """Create the folder, or look at what is there before Chroma does: it would wait for ever for a locked file.

    Only before Chroma has opened the file in this process. SQLite's locks belong to the process, and closing the
    file here would drop those that Chroma holds.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "chroma.sqlite3").exists():
            with _write_lock(folder / "chroma.sqlite3", wait_s) as connection:
                _remove_orphans(folder, connection)
    except OSError as error:
        raise _unusable(folder, error) from error


def _remove_orphans(folder: Path, connection: sqlite3.Connection) -> None:
    """Chroma leaves the index files of a deleted collection behind (0.2 MB for a pack of 30 questions)."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "segments" not in tables:
        return
    in_use = {segment for (segment,) in connection.execute("SELECT id FROM segments")}
    for entry in folder.iterdir():
        if entry.name not in in_use and (entry / "header.bin").exists():
            shutil.rmtree(entry)


def _start_chroma(folder: Path) -> _Client | BankError:
    import chromadb  # noqa: PLC0415 - half a second, only for who searches
    from chromadb.config import Settings  # noqa: PLC0415
    from chromadb.errors import ChromaError  # noqa: PLC0415

    settings = Settings(anonymized_telemetry=False, _env_file=None)
    try:
        client: _Client = chromadb.PersistentClient(path=folder, settings=settings)
    except (ChromaError, ValueError) as error:
        # Kept, and raised for every further call: Chroma holds on to the half-started client of a folder,
        # which fails without a reason the second time.
        return _broken(folder, error)
    return client


@contextmanager
def _write_lock(database: Path, wait_s: float) -> Iterator[sqlite3.Connection]:
    """Holds SQLite's write lock on a file: across processes, and released by the system when the process dies."""
    folder = database.parent
    try:
        with closing(sqlite3.connect(database, timeout=wait_s, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise BankError(
                f"The question bank in {folder} is in use: another process has been writing to it for "
                f"{wait_s:.0f} s. Wait until its import is over, or stop that process."
            ) from error
        raise _unusable(folder, error) from error
    except sqlite3.DatabaseError as error:
        raise _broken(folder, error) from error


def _unusable(folder: Path, error: Exception) -> BankError:
    return BankError(
        f"The question bank cannot be kept in {folder} ({error}). Make the folder writable and free some disk space, "
        "or choose another one by the setting `data_dir`."
    )


def _broken(folder: Path, error: Exception | str) -> BankError:
    return BankError(
        f"The question bank in {folder} cannot be used ({error}). Free some disk space if it is used up; else stop "
        "Viva, delete this folder, and start again: the bank is built anew from the packs, nothing else is in it."
    )
