"""Profile vectors: one in Chroma for each person, the embedding of their summary with canonical metadata.

Each person has a Chroma folder of their own, which is made anew with each change and removed with the person. In one
that all share, what was deleted would stay on the disk: Chroma 1.5.9 keeps added rows in its queue until a thousand
more have come, and never overwrites a page that it frees. It also shows no other process what one has added. A folder
of one row is written in 0.04 s and takes 0.4 MB.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.person import Person
from rag.chroma_index import clear_empty_indexes
from rag.embedding.embedder import Embedder
from rag.profiles.errors import ProfileError

_COLLECTION = "profiles"
_LOCK_WAIT_S = 10.0
_SEPARATOR = ", "


@dataclass(frozen=True, slots=True)
class ProfileVector:
    """What Chroma keeps of a person."""

    id: str
    """`profile_` and the person's id."""
    embedding: NDArray[np.float32]
    """Of unit length."""
    metadata: dict[str, str | float]


class ProfileVectors:
    """The vectors of all people. Threads and processes may use the same folder.

    Args:
        folder: where they are kept; it is made when it is missing.
        embedder: gives what computes embeddings; asked when there is something to embed.
    """

    def __init__(self, folder: Path, embedder: Callable[[], Embedder]) -> None:
        self._folder = folder
        self._embedder = embedder

    def refresh(self, user_id: str, now: Callable[[str], Person | None]) -> None:
        """Make the vector say what is known now; remove it when nothing is.

        Args:
            user_id: whose.
            now: what is known. It is asked when nobody else can write the vector, so the last to ask has the last word.

        Raises:
            ProfileError: it cannot be written.
        """
        with self._alone():
            person = now(user_id)
            place = self._place(user_id)
            if person is None:
                if place.exists():
                    shutil.rmtree(place)
                return
            made = place.with_name(f"new-{secrets.token_hex(8)}")
            try:
                self._make(made, person)
                if place.exists():
                    shutil.rmtree(place)
                made.replace(place)
            finally:
                shutil.rmtree(made, ignore_errors=True)

    def get(self, user_id: str) -> ProfileVector | None:
        """A person's vector; None when there is none.

        Raises:
            ProfileError: it cannot be read.
        """
        if not self._place(user_id).exists():
            return None
        with self._alone():
            if not self._place(user_id).exists():
                return None
            with _client(self._place(user_id)) as client:
                found = client.get_collection(_COLLECTION, embedding_function=None).get(
                    ids=[vector_id(user_id)], include=["metadatas", "embeddings"]
                )
        return ProfileVector(found["ids"][0], np.asarray(found["embeddings"][0]), found["metadatas"][0])

    def _make(self, place: Path, person: Person) -> None:
        embedding = self._embedder().embed([summary_of(person)])
        place.mkdir(parents=True)
        with _client(place) as client:
            collection = client.create_collection(
                _COLLECTION, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
            )
            collection.add(ids=[vector_id(person.user_id)], embeddings=embedding, metadatas=[metadata_of(person)])

    def _place(self, user_id: str) -> Path:
        """A folder whose name tells nobody who it is about, and leads nowhere else."""
        return self._folder / hashlib.sha256(user_id.encode()).hexdigest()[:24]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else reads or writes vectors meanwhile; the system releases it when the process dies."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with closing(
                sqlite3.connect(self._folder / "vectors.lock", timeout=_LOCK_WAIT_S, isolation_level=None)
            ) as lock:
                lock.execute("BEGIN IMMEDIATE")
                for left in self._folder.glob("new-*"):  # of a process that died
                    shutil.rmtree(left)
                yield
        except (sqlite3.Error, OSError) as error:
            raise ProfileError(
                f"The vectors of the profiles cannot be kept in {self._folder} ({error}). Make the folder writable and "
                "free some disk space, or choose another one by the setting `data_dir`."
            ) from error


def vector_id(user_id: str) -> str:
    """The id of a person's vector."""
    return f"profile_{user_id}"


def summary_of(person: Person) -> str:
    """What is embedded: the summary, or what there is instead of one."""
    profile = person.profile
    parts = [profile.domain, _SEPARATOR.join(profile.skills), _SEPARATOR.join(person.strengths)]
    return profile.summary or ". ".join(part for part in parts if part) or person.user_id


def metadata_of(person: Person) -> dict[str, str | float]:
    """What is stored beside it: canonical names, and lists joined by commas."""
    profile = person.profile
    return {
        "user_id": person.user_id,
        "domain": profile.domain,
        "skills": _SEPARATOR.join(profile.skills),
        "categories": _SEPARATOR.join(profile.categories),
        "strengths": _SEPARATOR.join(person.strengths),
        "weaknesses": _SEPARATOR.join(person.weaknesses),
        "user_summary": profile.summary,
        "updated_at": person.updated_at,
    }


@contextmanager
def _client(folder: Path) -> Iterator[Any]:
    """Chroma's client of a folder, closed afterwards, so that nothing holds on to a folder that is replaced."""
    import chromadb  # noqa: PLC0415 - half a second, only for who keeps vectors
    from chromadb.config import Settings  # noqa: PLC0415
    from chromadb.errors import ChromaError  # noqa: PLC0415

    try:
        client = chromadb.PersistentClient(path=folder, settings=Settings(anonymized_telemetry=False, _env_file=None))
        try:
            yield client
        finally:
            client.close()
            clear_empty_indexes(folder)
    except (ChromaError, ValueError) as error:
        raise ProfileError(
            f"The vector in {folder} cannot be used ({error}). Delete this folder: it is made anew with the next "
            "interview or change of the profile."
        ) from error
