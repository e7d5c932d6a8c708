"""`viva packs` and `viva pack`: what is in force, checked, imported, exported and counted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from agent.cli import doctor
from agent.cli.app import app
from agent.cli.packs import importing, lint
from agent.http.app import make_app
from agent.model_files.prepare import ModelError, ModelPaths
from agent.packs import packs_in_force
from agent.rehearsal import setup
from agent.settings import Settings
from rag.bank.bank import QuestionBank
from rag.bank.chroma import BankError
from rag.packs.pack import PACKS_DIR, load_pack, load_packs
from tests.rag.fakes import KITCHEN, HashedWords

Viva = Callable[..., Result]
BROKEN = Path(__file__).parents[2] / "rag" / "data" / "broken" / "unknown-topic.yaml"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> HashedWords:
    """The commands embed without a model."""
    embedder = HashedWords()
    for module in (importing, lint):
        monkeypatch.setattr(module, "ensure_model", lambda *_, **__: Path())
        monkeypatch.setattr(module.MiniLM, "load", staticmethod(lambda _: embedder))
    return embedder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings that the commands run with."""
    return Settings(data_dir=tmp_path / "data")


@pytest.fixture
def viva(tmp_path: Path, embedder: HashedWords) -> Iterator[Viva]:
    """Runs a command of `viva` on a data folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VIVA_DATA_DIR", str(tmp_path / "data"))
        patch.setenv("COLUMNS", "200")
        yield lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def bank_holds(settings: Settings, pack: str) -> int:
    """How many questions of a pack are in the bank of the settings."""
    bank = QuestionBank.open(settings.bank_dir, HashedWords())
    return len(bank.remaining(pack=pack, topic=None, exclude=(), n=100))


def files(folder: Path) -> dict[str, bytes]:
    """Everything below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_pack_is_listed_with_where_it_came_from(viva: Viva) -> None:
    """Viva's own, and what was imported."""
    viva("pack", "import", KITCHEN)
    result = viva("packs")

    assert result.exit_code == 0
    assert all(pack.id in result.stdout and pack.title in result.stdout for pack in load_packs().values())
    (kitchen,) = (line for line in result.stdout.splitlines() if line.startswith("kitchen"))
    assert "imported" in kitchen
    assert result.stdout.count("imported") == 1


def test_an_imported_pack_is_kept_embedded_and_in_force(viva: Viva, settings: Settings) -> None:
    """For the web, for whoever loads resources, and for rehearsals."""
    result = viva("pack", "import", KITCHEN)

    assert result.exit_code == 0, result.output
    assert "Imported Kitchen (kitchen), 6 questions on 3 topics" in result.output
    assert "6 new" in result.output
    assert (settings.imported_packs / "kitchen.yaml").read_bytes() == KITCHEN.read_bytes()
    assert list(packs_in_force(settings)) == [*load_packs(), "kitchen"]
    assert bank_holds(settings, "kitchen") == 6
    with TestClient(make_app(settings)) as web:
        assert "kitchen" in [pack["id"] for pack in web.get("/api/packs").json()]
    assert setup._pack("kitchen", settings).title == "Kitchen"


def test_a_second_import_changes_nothing(viva: Viva, settings: Settings) -> None:
    """It says so."""
    viva("pack", "import", KITCHEN)
    before = files(settings.imported_packs)
    result = viva("pack", "import", KITCHEN)

    assert result.exit_code == 0
    assert "Kitchen (kitchen) is unchanged" in result.output
    assert "In the question bank" not in result.output
    assert files(settings.imported_packs) == before


@pytest.mark.parametrize("there_before", [False, True])
def test_a_broken_pack_is_refused_whole(viva: Viva, settings: Settings, there_before: bool) -> None:
    """Every fault with its line; nothing of the data folder is touched, with or without an earlier import."""
    if there_before:
        viva("pack", "import", KITCHEN)
    before = files(settings.data_dir)
    result = viva("pack", "import", BROKEN)

    assert result.exit_code == 1
    assert "line 15, question how-hot, topic: 'coffee' is not a topic of the pack" in result.output
    assert "Nothing was imported." in result.output
    assert files(settings.data_dir) == before


def test_an_imported_pack_takes_the_place_of_the_one_with_its_id(
    viva: Viva, settings: Settings, tmp_path: Path
) -> None:
    """A shipped one too, until the file is deleted."""
    path = tmp_path / "mine.yaml"
    path.write_text(KITCHEN.read_text(encoding="utf-8").replace("id: kitchen", "id: python"), encoding="utf-8")
    result = viva("pack", "import", path)

    assert "takes the place of the pack that had this id" in result.output
    assert list(packs_in_force(settings)) == list(load_packs())
    assert packs_in_force(settings)["python"].title == "Kitchen"
    (settings.imported_packs / "python.yaml").unlink()
    assert packs_in_force(settings) == load_packs()


def test_a_shipped_pack_need_not_be_imported(viva: Viva, settings: Settings) -> None:
    """A copy of it would only keep its next version from being used."""
    result = viva("pack", "import", PACKS_DIR / "python.yaml")

    assert "is unchanged" in result.output
    assert not settings.imported_packs.exists()


def test_no_other_pack_is_overwritten(viva: Viva, settings: Settings, tmp_path: Path) -> None:
    """What has the name of the file may be another pack, and what has the id may have another name."""
    viva("pack", "import", KITCHEN)
    (settings.imported_packs / "kitchen.yaml").rename(settings.imported_packs / "tea.yaml")
    tea = tmp_path / "tea.yaml"
    tea.write_text(KITCHEN.read_text(encoding="utf-8").replace("id: kitchen", "id: tea"), encoding="utf-8")
    kitchen = tmp_path / "kitchen.yaml"
    kitchen.write_text(KITCHEN.read_text(encoding="utf-8").replace("minutes: 5", "minutes: 4"), encoding="utf-8")

    assert "tea-2.yaml" in viva("pack", "import", tea).output
    assert "5 unchanged" in viva("pack", "import", kitchen).output

    assert sorted(files(settings.imported_packs)) == ["tea-2.yaml", "tea.yaml"]
    assert load_pack(settings.imported_packs / "tea.yaml") == load_pack(kitchen)
    assert {"kitchen", "tea"} <= packs_in_force(settings).keys()


def test_packs_of_another_folder_stay_below_those_imported(viva: Viva, settings: Settings, tmp_path: Path) -> None:
    """`packs_dir` names what is there instead of Viva's own."""
    folder = tmp_path / "others"
    folder.mkdir()
    shutil.copy(PACKS_DIR / "python.yaml", folder)
    viva("pack", "import", KITCHEN)

    assert list(packs_in_force(settings.model_copy(update={"packs_dir": folder}))) == ["python", "kitchen"]


def test_a_bank_that_cannot_be_opened_keeps_a_pack_out(
    viva: Viva, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is given and nothing was changed."""

    def broken(*_: object, **__: object) -> QuestionBank:
        raise BankError("The question bank is on fire.")

    monkeypatch.setattr(importing.QuestionBank, "open", broken)
    result = viva("pack", "import", KITCHEN)

    assert (result.exit_code, result.output) == (1, "The question bank is on fire.\n")
    assert not settings.imported_packs.exists()


def test_a_pack_that_cannot_be_embedded_now_is_embedded_later(
    viva: Viva, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is kept, and said to be."""

    def busy(*_: object, **__: object) -> None:
        raise BankError("Another process imports.")

    with monkeypatch.context() as patch:
        patch.setattr(QuestionBank, "add", busy)
        result = viva("pack", "import", KITCHEN)
    assert result.exit_code == 1
    assert "Viva's next start does it. Another process imports." in result.output
    assert "kitchen" in packs_in_force(settings)
    assert "6 new" in viva("pack", "import", KITCHEN).output


def test_an_imported_pack_that_broke_is_named(viva: Viva, settings: Settings, tmp_path: Path) -> None:
    """By every command that needs the packs, and by the doctor."""
    settings.imported_packs.mkdir(parents=True)
    path = settings.imported_packs / "mine.yaml"
    shutil.copy(BROKEN, path)

    for words in (["packs"], ["pack", "import", KITCHEN], ["pack", "stats"], ["pack", "export", "python"]):
        result = viva(*words)
        assert result.exit_code == 1, words
        assert f"{path} cannot be used as a pack" in result.output
    (finding,) = doctor.check_packs(settings)
    assert finding.status == "problem"
    assert f"viva pack lint {path}" in finding.advice
    assert viva("pack", "lint").exit_code == 1


@pytest.mark.parametrize("kind", ["yaml", "json"])
def test_what_was_exported_can_be_imported(viva: Viva, settings: Settings, tmp_path: Path, kind: str) -> None:
    """As the same pack, in both formats; to standard output it is the same text."""
    viva("pack", "import", KITCHEN)
    out = tmp_path / f"kitchen.{kind}"
    result = viva("pack", "export", "kitchen", "--format", kind, "--out", out)

    assert result.exit_code == 0, result.output
    assert viva("pack", "export", "kitchen", "--format", kind).stdout == out.read_text(encoding="utf-8")
    assert "is unchanged" in viva("pack", "import", out).output
    (settings.imported_packs / "kitchen.yaml").unlink()
    assert viva("pack", "import", out).exit_code == 0
    assert packs_in_force(settings)["kitchen"] == load_pack(KITCHEN)


def test_what_cannot_be_exported_is_told(viva: Viva, tmp_path: Path) -> None:
    """An unknown id with those that there are, and a file that cannot be written."""
    result = viva("pack", "export", "cooking")
    assert result.exit_code == 1
    assert "There is no question pack 'cooking'; there is: backend, " in result.output

    (tmp_path / "file").touch()
    result = viva("pack", "export", "python", "--out", tmp_path / "file" / "python.yaml")
    assert result.exit_code == 1
    assert f"{tmp_path / 'file'} cannot be written" in result.output


@pytest.mark.slow
def test_packs_are_counted(viva: Viva) -> None:
    """All of them, or the topics of one, as a table or as JSON."""
    everything = viva("pack", "stats", "--json")
    one = json.loads(viva("pack", "stats", "python", "--json").stdout)

    assert [each["id"] for each in json.loads(everything.stdout)] == list(load_packs())
    assert one["total"]["questions"] == 30
    assert list(one["topics"]) == [topic.id for topic in load_packs()["python"].topics]
    assert all(topic in viva("pack", "stats", "python").stdout for topic in one["topics"])
    assert "system-design" in viva("pack", "stats").stdout
    assert viva("pack", "stats", "cooking").exit_code == 1


def test_faults_and_warnings_are_told_with_file_and_line(viva: Viva, tmp_path: Path) -> None:
    """Errors give exit code 1; warnings only for who is strict."""
    good = tmp_path / "kitchen.yaml"
    text = KITCHEN.read_text(encoding="utf-8")
    good.write_text(text.replace("It needs warmth and time", "It eats the sugar of the flour & time"), encoding="utf-8")

    broken = viva("pack", "lint", good, BROKEN, tmp_path / "absent.yaml")
    assert broken.exit_code == 1
    assert f"{tmp_path / 'absent.yaml'}: error: there is no such file" in broken.output
    assert "unknown-topic.yaml:15: error: question how-hot, topic: 'coffee' is not a topic" in broken.output
    assert f"{good}:41: warning: question why-yeast, key_points, item 3: cannot be said aloud: &" in broken.output
    assert broken.output.splitlines()[-1].startswith("1 pack with 6 questions: 2 errors, ")
    assert viva("pack", "lint", good).exit_code == 0
    assert viva("pack", "lint", good, "--strict").exit_code == 1


def test_two_files_with_one_id_are_told(viva: Viva, settings: Settings) -> None:
    """Both would be loaded, and one of them would not be seen."""
    viva("pack", "import", KITCHEN)
    shutil.copy(KITCHEN, settings.imported_packs / "other.yaml")

    result = viva("pack", "lint")

    assert result.exit_code == 1
    assert "other.yaml:1: error: id: 'kitchen' is already taken by" in result.output


def test_packs_are_checked_without_a_model(viva: Viva, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only whether key points say the same is left open, and said to be."""

    def missing(*_: object, **__: object) -> Path:
        raise ModelError("The model is not installed.")

    monkeypatch.setattr(lint, "ensure_model", missing)
    result = viva("pack", "lint", PACKS_DIR / "python.yaml")

    assert result.exit_code == 0
    assert "It was not checked whether key points say the same: The model is not installed." in result.output
    assert "1 pack with 30 questions: no errors, no warnings." in result.output


def test_the_schema_is_printed(viva: Viva) -> None:
    """As JSON."""
    assert json.loads(viva("pack", "schema").stdout)["title"] == "Pack"


@pytest.mark.slow
def test_the_shipped_packs_are_without_a_warning(model_paths: ModelPaths) -> None:
    """With the real model, as `viva pack lint --strict` has it."""
    result = CliRunner().invoke(app, ["pack", "lint", "--strict"])

    assert result.exit_code == 0, result.output
