"""The bank: imports that can be repeated, cut off and raced; searches by meaning and labels; sentences for what fails.

Slow tests start further Python processes on one bank.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict, Unpack

import pytest

from rag.bank.bank import Added, Hit, QuestionBank
from rag.bank.chroma import BankError
from rag.embedding.embedder import Embedder, Vectors
from rag.packs.pack import BankQuestion, Pack
from tests.rag.fakes import HashedWords

ROOT = Path(__file__).resolve().parents[3]


class Filters(TypedDict, total=False):
    """What a search may be narrowed by."""

    topic: str
    difficulty: str
    max_minutes: float
    exclude: Collection[str]


def hits(bank: QuestionBank, query: str, *, pack: str = "kitchen", **filters: Unpack[Filters]) -> list[Hit]:
    """What a search finds, with the filters that are named."""
    return bank.search(
        query,
        pack=pack,
        topic=filters.get("topic"),
        difficulty=filters.get("difficulty"),
        max_minutes=filters.get("max_minutes"),
        exclude=filters.get("exclude", ()),
        n=10,
    )


def found(bank: QuestionBank, query: str, *, pack: str = "kitchen", **filters: Unpack[Filters]) -> list[str]:
    """Ids of what a search finds, nearest first."""
    return [hit.question.id for hit in hits(bank, query, pack=pack, **filters)]


def changed(pack: Pack, questions: Sequence[BankQuestion]) -> Pack:
    """The pack with other questions."""
    return pack.model_copy(update={"questions": list(questions)})


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Another process holds a database's write lock. Threads of one process would share it."""
    script = (
        "import sqlite3, sys; held = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "held.execute('BEGIN EXCLUSIVE'); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield
        holder.communicate()


class TestSearching:
    """By meaning and by what the author says."""

    def test_the_nearest_question_comes_first(self, bank: QuestionBank) -> None:
        """The order is by similarity; scores are on the scale of 0 to 1."""
        found_hits = hits(bank, "too salty soup")

        assert found_hits[0].question.id == "salty-soup"
        scores = [hit.score for hit in found_hits]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)

    def test_a_question_comes_back_whole(self, bank: QuestionBank, kitchen: Pack) -> None:
        """Rubric, minutes and concepts survive the bank."""
        (hit,) = hits(bank, "flat loaf", difficulty="hard")

        assert hit.question == next(question for question in kitchen.questions if question.id == "flat-loaf")

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            ({"topic": "soup"}, {"clear-stock", "salty-soup"}),
            ({"difficulty": "easy"}, {"why-yeast", "clear-stock"}),
            ({"topic": "bread", "difficulty": "medium"}, {"kneading"}),
            ({"max_minutes": 2}, {"why-yeast", "clear-stock", "salty-soup"}),
            ({"max_minutes": 2.9, "topic": "bread"}, {"why-yeast"}),
            ({"exclude": {"clear-stock"}, "topic": "soup"}, {"salty-soup"}),
            ({"exclude": {"clear-stock", "salty-soup"}, "topic": "soup"}, set()),
            ({"max_minutes": 0.5}, set()),
            ({"topic": "dessert"}, set()),
        ],
    )
    def test_filters_admit_what_they_say(self, bank: QuestionBank, filters: Filters, expected: set[str]) -> None:
        """Every filter holds, alone and with others; nothing left is an empty list."""
        assert set(found(bank, "soup and bread", **filters)) == expected

    def test_what_remains_is_listed_whatever_it_asks(self, bank: QuestionBank) -> None:
        """Questions can be had without a query."""
        left = bank.remaining(pack="kitchen", topic="bread", exclude={"kneading"}, n=10)

        assert {question.id for question in left} == {"why-yeast", "flat-loaf"}

    def test_an_unknown_pack_is_answered_with_the_known_ones(self, bank: QuestionBank) -> None:
        """A misspelt pack is an error that names what there is."""
        with pytest.raises(BankError, match=r"does not hold the pack 'kitsch' \(it holds: kitchen\)"):
            found(bank, "soup", pack="kitsch")

    def test_an_empty_bank_says_so(self, tmp_path: Path, embedder: Embedder) -> None:
        """Before any import there is a sentence, not an empty interview."""
        with pytest.raises(BankError, match=r"\(it holds: none\)\. .*import the pack"):
            found(QuestionBank.open(tmp_path, embedder), "soup")


class TestImporting:
    """The bank becomes what the packs are."""

    def test_a_second_import_changes_nothing(self, bank: QuestionBank, kitchen: Pack) -> None:
        """The same content is recognised."""
        assert bank.add([kitchen]) == Added(unchanged=6)
        assert len(found(bank, "soup")) == 6

    def test_nothing_is_embedded_twice(self, bank: QuestionBank, kitchen: Pack, embedder: HashedWords) -> None:
        """An import of a pack that is there costs one embedding, one question more costs one more."""
        embedder.asked.clear()
        bank.add([kitchen])
        assert len(embedder.asked) == 1
        embedder.asked.clear()
        shorter = kitchen.questions[0].model_copy(update={"text": "What is yeast?"})
        bank.add([changed(kitchen, [shorter, *kitchen.questions[1:]])])

        assert len(embedder.asked) == 2
        assert "Baking bread: What is yeast? (Yeast)" in embedder.asked

    def test_changes_are_counted_and_found(self, bank: QuestionBank, kitchen: Pack) -> None:
        """New, changed, unchanged and vanished questions of a newer pack."""
        first, second, *others, _vanished = kitchen.questions
        new = second.model_copy(update={"id": "pizza", "text": "How hot is an oven for pizza?"})
        longer = first.model_copy(update={"minutes": 9.0})

        assert bank.add([changed(kitchen, [longer, second, *others, new])]) == Added(1, 1, 4, 1)
        assert found(bank, "How hot is an oven for pizza?")[0] == "pizza"
        assert "why-yeast" not in found(bank, "yeast", max_minutes=8)
        assert "edge-angle" not in found(bank, "sharp knives")

    def test_the_title_of_a_topic_counts_as_content(self, bank: QuestionBank, kitchen: Pack) -> None:
        """Because the title is embedded with its questions, a new title makes them new."""
        topics = [kitchen.topics[0].model_copy(update={"title": "Pastry"}), *kitchen.topics[1:]]

        assert bank.add([kitchen.model_copy(update={"topics": topics})]) == Added(changed=3, unchanged=3)

    def test_other_packs_stay(self, bank: QuestionBank, kitchen: Pack) -> None:
        """Packs do not see each other, even with questions of the same name."""
        garden = changed(kitchen, kitchen.questions[:2]).model_copy(update={"id": "garden"})

        assert bank.add([garden]) == Added(new=2)
        assert len(found(bank, "bread", pack="garden")) == 2
        assert len(found(bank, "bread")) == 6

    def test_progress_reaches_the_number_of_questions(self, bank: QuestionBank, kitchen: Pack) -> None:
        """Whoever waits sees how far it is, over all packs."""
        garden = kitchen.model_copy(update={"id": "garden"})
        told: list[tuple[int, int]] = []

        bank.add([kitchen, garden], lambda done, total: told.append((done, total)))

        assert told[-1] == (12, 12)
        assert told == sorted(told)

    def test_an_import_that_was_cut_off_leaves_the_version_before(
        self, bank: QuestionBank, kitchen: Pack, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Searches never see half a pack, and the next import clears up and completes."""
        newer = changed(kitchen, [q.model_copy(update={"minutes": 1.0}) for q in kitchen.questions[:3]])

        def crash(texts: Sequence[str]) -> Vectors:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(embedder, "embed", crash)
            with pytest.raises(KeyboardInterrupt):
                bank.add([newer])
        assert len(found(bank, "bread")) == 6

        assert bank.add([newer]) == Added(changed=3, removed=3)
        assert len(found(bank, "bread", max_minutes=1)) == 3

    def test_another_model_embeds_everything_anew(self, bank: QuestionBank, tmp_path: Path, kitchen: Pack) -> None:
        """Vectors of one model are of no use to another; the bank notices by itself."""
        narrow = QuestionBank.open(tmp_path / "bank", HashedWords(48))
        with pytest.raises(BankError, match=r"another embedding model: import the packs again"):
            found(narrow, "salty soup")

        assert narrow.add([kitchen]) == Added(unchanged=6)
        assert found(narrow, "the soup is too salty")[0] == "salty-soup"

    def test_no_packs_are_no_work(self, bank: QuestionBank) -> None:
        """An empty import is allowed and changes nothing."""
        assert bank.add([]) == Added()


class TestTrouble:
    """What cannot be used is refused with advice."""

    def test_a_file_in_the_way(self, tmp_path: Path, embedder: Embedder) -> None:
        """A folder that cannot be made names the setting."""
        (tmp_path / "bank").write_text("not a folder")
        with pytest.raises(BankError, match=r"cannot be kept in .*File exists.*setting `data_dir`"):
            QuestionBank.open(tmp_path / "bank", embedder)

    def test_a_database_that_is_none(self, tmp_path: Path, embedder: Embedder) -> None:
        """Something else under the database's name is said to be damaged, and that it can be rebuilt."""
        (tmp_path / "chroma.sqlite3").write_text("something else " * 100)
        with pytest.raises(BankError, match=r"cannot be used .*not a database.*delete this folder.*built anew"):
            QuestionBank.open(tmp_path, embedder)

    def test_a_database_that_was_cut_off(self, bank: QuestionBank, tmp_path: Path, embedder: Embedder) -> None:
        """A damaged database is refused, the second time as the first."""
        whole = (tmp_path / "bank" / "chroma.sqlite3").read_bytes()
        (tmp_path / "copy").mkdir()
        (tmp_path / "copy" / "chroma.sqlite3").write_bytes(whole[: len(whole) // 2])
        for _ in range(2):
            with pytest.raises(BankError, match=r"malformed.*delete this folder"):
                QuestionBank.open(tmp_path / "copy", embedder)

    def test_a_database_that_another_process_holds(
        self, bank: QuestionBank, tmp_path: Path, embedder: Embedder
    ) -> None:
        """A locked bank is refused after the time one is willing to wait, and can be opened later."""
        (tmp_path / "copy").mkdir()
        database = tmp_path / "copy" / "chroma.sqlite3"
        database.write_bytes((tmp_path / "bank" / "chroma.sqlite3").read_bytes())
        with locked(database), pytest.raises(BankError, match=r"is in use.*Wait until"):
            QuestionBank.open(tmp_path / "copy", embedder, wait_s=0.1)

        QuestionBank.open(tmp_path / "copy", embedder)

    def test_an_import_of_another_process(self, bank: QuestionBank, tmp_path: Path, kitchen: Pack) -> None:
        """Only one process imports at a time; searches go on."""
        with locked(tmp_path / "bank" / "import.lock"):
            with pytest.raises(BankError, match="is in use"):
                bank.add([kitchen], wait_s=0.1)
            assert len(found(bank, "soup")) == 6


PREAMBLE = """
import os, sys, time
from pathlib import Path
from rag import BankError, QuestionBank, load_pack
from tests.rag.fakes import KITCHEN, HashedWords

class Dies(HashedWords):
    def embed(self, texts):
        if len(texts) > 1:
            os.kill(os.getpid(), 9)
        return super().embed(texts)

kitchen = load_pack(KITCHEN)
shorter = kitchen.model_copy(update={"questions": [q.model_copy(update={"minutes": 1.0}) for q in kitchen.questions]})
folder = Path(sys.argv[1])
"""


def elsewhere(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own, with the small pack and a shorter version of it at hand."""
    return subprocess.run(
        [sys.executable, "-c", PREAMBLE + script, str(folder)], capture_output=True, text=True, check=False, cwd=ROOT
    )


@pytest.mark.slow
def test_a_reader_sees_what_another_process_imports(bank: QuestionBank, tmp_path: Path, kitchen: Pack) -> None:
    """A process that has searched a pack before finds its new version at once, filters and all."""
    assert found(bank, "soup", max_minutes=1) == []

    done = elsewhere("print(QuestionBank.open(folder, HashedWords()).add([shorter]))", tmp_path / "bank")

    assert done.stdout == "Added(new=0, changed=6, unchanged=0, removed=0)\n", done.stderr
    assert len(found(bank, "soup", max_minutes=1)) == 6
    assert bank.add([kitchen]) == Added(changed=6)
    assert found(bank, "soup", max_minutes=1) == []


@pytest.mark.slow
def test_a_killed_import_is_repaired_by_the_next(bank: QuestionBank, tmp_path: Path) -> None:
    """SIGKILL in the middle of an import: the old version is searched until an import completes."""
    killed = elsewhere("QuestionBank.open(folder, Dies()).add([shorter])", tmp_path / "bank")
    assert killed.returncode == -9
    assert len(found(bank, "soup")) == 6
    assert found(bank, "soup", max_minutes=1) == []

    done = elsewhere("print(QuestionBank.open(folder, HashedWords()).add([shorter]))", tmp_path / "bank")

    assert done.stdout == "Added(new=0, changed=6, unchanged=0, removed=0)\n", done.stderr
    assert len(found(bank, "soup", max_minutes=1)) == 6


@pytest.mark.slow
def test_readers_work_while_another_process_imports_again_and_again(bank: QuestionBank, tmp_path: Path) -> None:
    """No search fails or finds half a pack while versions come and go."""
    script = """
bank = QuestionBank.open(folder, HashedWords())
for turn in range(20):
    bank.add([shorter if turn % 2 else kitchen])
    time.sleep(0.05)
"""
    with subprocess.Popen([sys.executable, "-c", PREAMBLE + script, str(tmp_path / "bank")], cwd=ROOT) as writer:
        while writer.poll() is None:
            assert len(found(bank, "soup", exclude={"kneading"})) == 5
    assert writer.returncode == 0


@pytest.mark.slow
def test_replaced_versions_leave_nothing_on_the_disk(bank: QuestionBank, tmp_path: Path) -> None:
    """Index files that Chroma leaves behind are gone when the bank is opened next."""
    script = """
bank = QuestionBank.open(folder, HashedWords())
for turn in range(6):
    bank.add([shorter if turn % 2 else kitchen])
bank.add([])
"""
    assert elsewhere(script, tmp_path / "bank").returncode == 0
    assert len(list((tmp_path / "bank").glob("*/header.bin"))) > 1

    assert elsewhere("QuestionBank.open(folder, HashedWords())", tmp_path / "bank").returncode == 0

    assert len(list((tmp_path / "bank").glob("*/header.bin"))) == 1
    assert len(found(bank, "soup")) == 6


@pytest.mark.slow
def test_a_full_disk_is_a_sentence_and_can_be_repaired(bank: QuestionBank, tmp_path: Path) -> None:
    """An import that runs out of room says what to do; what was there is still searched, and room is all it needs."""
    script = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
bank = QuestionBank.open(folder, HashedWords())
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    bank.add([shorter])
except BankError as error:
    print(error)
"""
    done = elsewhere(script, tmp_path / "bank")
    assert "cannot be used" in done.stdout, done.stderr
    assert "Free some disk space" in done.stdout
    assert len(found(bank, "soup")) == 6

    done = elsewhere("print(QuestionBank.open(folder, HashedWords()).add([shorter]))", tmp_path / "bank")

    assert done.stdout == "Added(new=0, changed=6, unchanged=0, removed=0)\n", done.stderr


def test_no_memory_of_the_process_gets_to_the_disk(tmp_path: Path, kitchen: Pack) -> None:
    """Chroma writes an empty index as the allocator gave it, when rows are added and at the first search."""
    secret = "quokkas are marsupials " * 4
    bank = QuestionBank.open(tmp_path, HashedWords())
    for number in range(3):
        kept = [(secret * (size // len(secret) + 1)).encode() for size in range(100, 2_000_000, 20_000)]
        del kept
        bank.add([changed(kitchen, kitchen.questions[number:])])
        assert found(bank, "soup")
    indexes = [path for path in tmp_path.rglob("*.bin") if path.name != "header.bin"]
    assert any(path.stat().st_size for path in indexes)
    assert all(set(path.read_bytes()) <= {0} for path in indexes)


def test_an_index_that_has_rows_is_left_alone(tmp_path: Path, kitchen: Pack) -> None:
    """From a thousand questions on Chroma keeps them in the index; what is found stays the same."""
    first = kitchen.questions[0]
    many = [
        first.model_copy(update={"id": f"{first.id}-{n}", "text": f"What does yeast do in dough {n}?"})
        for n in range(1100)
    ]
    bank = QuestionBank.open(tmp_path, HashedWords())
    bank.add([changed(kitchen, many)])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.bin")}
    assert any(any(content) for path, content in before.items() if path.name == "data_level0.bin")
    assert len(found(bank, first.text)) == 10
    assert {path: path.read_bytes() for path in before} == before
