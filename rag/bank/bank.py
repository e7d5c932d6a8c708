"""Question bank: every question of the packs, searchable by meaning and by what its author says about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from domain.vocabulary import Difficulty
from rag.bank.chroma import LOCK_WAIT_S, Metadata, PackStore, Version
from rag.bank.score_scale import MINILM_SCALE, ScoreScale
from rag.embedding.embedder import Embedder, Vectors
from rag.packs.pack import LONGEST_MINUTES, BankQuestion, Pack

IMPORT_WAIT_S = 300.0
"""How long an import waits for the import of another process. 10,000 questions take about a minute."""

_AT_ONCE = 64
_SAME_MODEL = 0.99
"""Cosine between two embeddings of one text by the same model, on whichever machine, is at least this."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A question that a search found."""

    question: BankQuestion
    score: float
    """Similarity to the query on the model's scale: 0 to 1, see `rag.bank.score_scale`."""


@dataclass(frozen=True, slots=True)
class Added:
    """What an import changed, in numbers of questions."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0

    def __add__(self, other: Added) -> Added:
        return Added(*(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class _Entry:
    id: str
    text: str
    """What is embedded."""
    about: Metadata
    """What is stored beside the embedding, the digest included."""
    digest: str
    """Of everything that is embedded or stored: when it is the same, there is nothing to do."""


class QuestionBank:
    """Questions of all imported packs in a Chroma folder. Safe for threads; several processes may open the folder."""

    def __init__(self, store: PackStore, embedder: Embedder, scale: ScoreScale) -> None:
        self._store = store
        self._embedder = embedder
        self._scale = scale

    @staticmethod
    def open(
        folder: Path, embedder: Embedder, *, scale: ScoreScale = MINILM_SCALE, wait_s: float = LOCK_WAIT_S
    ) -> QuestionBank:
        """The bank kept in a folder, which is created when it is missing.

        `scale` belongs to the embedder. `wait_s` is how long another process may hold the folder's database.

        Raises:
            BankError: the folder cannot be written, is in use, or is damaged.
        """
        return QuestionBank(PackStore.open(folder, wait_s), embedder, scale)

    def add(
        self,
        packs: Iterable[Pack],
        progress: Callable[[int, int], None] | None = None,
        *,
        wait_s: float = IMPORT_WAIT_S,
    ) -> Added:
        """Make the bank hold exactly these versions of these packs; packs that are not named stay as they are.

        A pack whose content is in the bank already costs one embedding. Questions that are unchanged keep their
        vectors, unless the embedding model is another one. A pack is replaced in one step when all of it is there:
        an import that was cut off leaves the version before, and the next import clears up after it. Imports of
        several processes follow each other. `progress` is told how many questions of how many are done.

        Raises:
            BankError: the import of another process has not ended after `wait_s`, or the folder cannot be written.
        """
        packs = list(packs)
        total = sum(len(pack.questions) for pack in packs)
        added, done = Added(), 0
        with self._store.importing(wait_s):
            versions = self._store.versions()
            for pack in packs:
                for part in self._import(pack, versions.get(pack.id)):
                    added += part
                    done += part.new + part.changed + part.unchanged
                    if progress is not None:
                        progress(done, total)
        return added

    def search(
        self,
        query: str,
        *,
        pack: str,
        topic: str | None,
        difficulty: Difficulty | None,
        max_minutes: float | None,
        exclude: Collection[str],
        n: int,
    ) -> list[Hit]:
        """The n questions that are nearest to the query among those that the filters admit, nearest first.

        None means that a filter admits everything; `exclude` holds question ids. Fewer than n, or none, when the
        filters admit no more.

        Raises:
            BankError: the bank does not hold the pack, or cannot be read.
        """
        vector = self._embedder.embed([query])
        where = _where(topic=topic, difficulty=difficulty, max_minutes=max_minutes, exclude=exclude)
        found = self._store.ask(
            pack,
            lambda version: version.query(
                query_embeddings=vector, n_results=n, where=where, include=["metadatas", "distances"]
            ),
        )
        # One inner list for each query. Chroma's cosine distance is 1 - cosine.
        return [
            Hit(_question(about), self._scale.score(1 - distance))
            for about, distance in zip(found["metadatas"][0], found["distances"][0], strict=True)
        ]

    def remaining(self, *, pack: str, topic: str | None, exclude: Collection[str], n: int) -> list[BankQuestion]:
        """Up to n questions of a pack (and topic) that are not excluded, whatever they ask.

        Raises:
            BankError: the bank does not hold the pack, or cannot be read.
        """
        where = _where(topic=topic, difficulty=None, max_minutes=None, exclude=exclude)
        found = self._store.ask(pack, lambda version: version.get(where=where, limit=n, include=["metadatas"]))
        return [_question(about) for about in found["metadatas"]]

    def _import(self, pack: Pack, old: Version | None) -> Iterator[Added]:
        entries = _entries(pack)
        digest = sha256("".join(entry.digest for entry in entries).encode()).hexdigest()
        if old is not None and (old.metadata or {}).get("digest") == digest and self._known_vectors(old, entries, 1):
            yield Added(unchanged=len(entries))
            return
        before = _digests(old)
        known = {} if old is None else self._known_vectors(old, entries)
        version = self._store.begin(pack.id, replaces=old)
        yield Added(removed=len(before.keys() - {entry.id for entry in entries}))
        for start in range(0, len(entries), _AT_ONCE):
            part = entries[start : start + _AT_ONCE]
            self._write(version, part, known)
            yield _compared(part, before)
        self._store.publish(version, digest)

    def _known_vectors(
        self, version: Version, entries: Sequence[_Entry], limit: int | None = None
    ) -> dict[str, Vectors]:
        """Vectors of these entries that are in a version, by digest; none when another model made them."""
        texts = {entry.digest: entry.text for entry in entries}
        stored = version.get(limit=limit, include=["metadatas", "embeddings"])
        rows = zip(stored["metadatas"], stored["embeddings"], strict=True)
        known = {about["digest"]: np.asarray(row, np.float32) for about, row in rows if about["digest"] in texts}
        for digest, vector in known.items():
            (fresh,) = self._embedder.embed([texts[digest]])
            return known if fresh.shape == vector.shape and float(fresh @ vector) > _SAME_MODEL else {}
        return {}

    def _write(self, version: Version, entries: Sequence[_Entry], known: Mapping[str, Vectors]) -> None:
        unknown = [entry for entry in entries if entry.digest not in known]
        fresh = self._embedder.embed([entry.text for entry in unknown])
        vectors = {**known, **{entry.digest: row for entry, row in zip(unknown, fresh, strict=True)}}
        version.add(
            ids=[entry.id for entry in entries],
            embeddings=np.stack([vectors[entry.digest] for entry in entries]),
            metadatas=[entry.about for entry in entries],
        )


def embedded_text(pack: Pack, question: BankQuestion) -> str:
    """What is embedded of a question: its topic, its text, and what it is about.

    The text alone is not enough. "Caching" finds its own questions before others in 83% of pairs when only their
    texts are embedded, and in 99% with this (`python -m bench.retrieval_scale`).
    """
    title = next(topic.title for topic in pack.topics if topic.id == question.topic)
    names = {concept.id: concept.name for concept in pack.concepts}
    return f"{title}: {question.text} ({', '.join(names[concept] for concept in question.concepts)})"


def _entries(pack: Pack) -> list[_Entry]:
    entries = []
    for question in pack.questions:
        text = embedded_text(pack, question)
        about: Metadata = {
            "id": question.id,
            "topic": question.topic,
            "difficulty": question.difficulty,
            "labels": _labels(question.topic, question.difficulty),
            "minutes": question.minutes,
            # Not as the document: Chroma indexes documents by their trigrams, which nobody searches for.
            "question": question.model_dump_json(),
        }
        digest = sha256(json.dumps([text, about]).encode()).hexdigest()
        entries.append(_Entry(question.id, text, {**about, "digest": digest}, digest))
    return entries


def _digests(version: Version | None) -> dict[str, str]:
    if version is None:
        return {}
    return {about["id"]: about["digest"] for about in version.get(include=["metadatas"])["metadatas"]}


def _compared(entries: Sequence[_Entry], before: Mapping[str, str]) -> Added:
    new = sum(entry.id not in before for entry in entries)
    unchanged = sum(before.get(entry.id) == entry.digest for entry in entries)
    return Added(new=new, unchanged=unchanged, changed=len(entries) - new - unchanged)


def _question(about: Mapping[str, Any]) -> BankQuestion:
    return BankQuestion.model_validate_json(about["question"])


def _labels(topic: str, difficulty: Difficulty) -> str:
    return f"{topic}/{difficulty}"


def _where(
    *, topic: str | None, difficulty: Difficulty | None, max_minutes: float | None, exclude: Collection[str]
) -> dict[str, Any] | None:
    """The filters as Chroma wants them: as few as possible, because each costs time for every row it admits."""
    conditions: list[dict[str, Any]] = []
    if topic is not None and difficulty is not None:
        conditions.append({"labels": _labels(topic, difficulty)})
    elif topic is not None:
        conditions.append({"topic": topic})
    elif difficulty is not None:
        conditions.append({"difficulty": difficulty})
    if max_minutes is not None and max_minutes < LONGEST_MINUTES:
        conditions.append({"minutes": {"$lte": float(max_minutes)}})
    if exclude:
        conditions.append({"id": {"$nin": sorted(exclude)}})
    # `$and` takes two conditions or more.
    return {"$and": conditions} if len(conditions) > 1 else next(iter(conditions), None)
