"""Public sentence pairs: each form of file is read with its labels, a folder has each pair once, what lacks is said."""

from __future__ import annotations

import json
import subprocess
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from training.judge import entailment_readers as readers
from training.judge.entailment_folder import from_clones, is_about_negation, main, read, without_repeats
from training.judge.entailment_sources import SOURCES, Source
from training.judge.public_datasets import SentencePair, sentence_pairs

TEA_CALMS = SentencePair("Tea calms.", "Tea does not excite.", "entailment")
TEA_EXCITES = SentencePair("Tea calms.", "Tea excites.", "contradiction")


def lines(*rows: Mapping[str, object]) -> str:
    """The rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def one_set(name: str, *, licence: str | None = "CC0 1.0", path: str = "tea.jsonl") -> Source:
    """A source of one file."""

    def pairs(texts: list[str]) -> list[SentencePair]:
        return [pair for text in texts for pair in readers.json_lines(text, ("premise", "hypothesis", "label"))]

    return Source(name, f"people/{name}", "HEAD", licence, (path,), lambda texts: iter(pairs(texts)))


@pytest.mark.parametrize(
    ("tokenised", "written"),
    [
        ("I do n't mind , he said .", "I don't mind, he said."),
        ("Ann 's tea -LRB- green -RRB- is `` good ''", 'Ann\'s tea (green) is "good"'),
        ("Costs 3.5 , not .5", "Costs 3.5, not .5"),
        ("It is as it was: fine.", "It is as it was: fine."),
    ],
)
def test_tokenised_sentences_are_read_as_people_write_them(tokenised: str, written: str) -> None:
    """What a corpus cut into tokens reads as it was written; the rest stays."""
    assert readers.as_written(tokenised) == written


def test_rows_without_one_of_the_three_labels_are_left_out() -> None:
    """Pairs that annotators did not agree on ("-") and empty sentences teach nothing."""
    rows = lines(
        {"p": "A", "h": "B", "l": "-"}, {"p": "A", "h": "", "l": "neutral"}, {"p": "A", "h": "B", "l": "neutral"}
    )
    assert list(readers.json_lines(rows, ("p", "h", "l"))) == [SentencePair("A", "B", "neutral")]


def test_tab_separated_tables_keep_quotes_as_they_stand() -> None:
    """A quotation mark at the start of a sentence does not swallow the rows below."""
    text = 'p\th\tl\n"Tea, he said.\tTea was said.\tentailment\nB\tC\tneutral\n'
    assert [pair.hypothesis for pair in readers.table(text, "\t", ("p", "h", "l"))] == ["Tea was said.", "C"]


def test_parallel_files_must_be_of_one_length() -> None:
    """A label, of NLI or of fact checking, is never read beside the pair of another line."""
    found = [SentencePair("A", "B", "neutral"), SentencePair("C", "D", "contradiction")]
    assert list(readers.parallel("A|||B\nC|||D\n", "neutral\nREFUTES\n")) == found
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        list(readers.parallel("A|||B\nC|||D\n", "neutral\n"))


def test_negation_with_the_opposite_word_says_the_same() -> None:
    """Of the three sentences beside "Tea calms." only the one with both changes follows."""
    row = {"input": TEA_CALMS.premise, "label": 2,
           "sentences": ["Tea does not calm.", TEA_EXCITES.hypothesis, TEA_CALMS.hypothesis]}  # fmt: skip
    assert list(readers.opposites(lines(row)))[1:] == [TEA_EXCITES, TEA_CALMS]


def test_sentences_spoilt_in_the_making_of_a_set_are_left_out() -> None:
    """ScoNe replaced "hat" inside "that", too: such a sentence is no English."""
    head = "sentence1_lex,sentence2_lex,sentence1_edited,sentence2_edited,gold_label_edited\n"
    spoilt = "hat,sunhat,Not that she has a hat.,Not tsunhat she has a sunhat.,neutral\n"
    whole = "hat,sunhat,She says that it is no hat.,She says that it is no sunhat.,entailment\n"
    assert [pair.label for pair in readers.scoped_negations(head + spoilt + whole, edited=True)] == ["entailment"]


def test_evidence_is_read_out_of_its_list() -> None:
    """FEVER's evidence is a list in a cell; a claim without any is left out."""
    text = 'claim,label,evidence\nTea is hot.,2,"[\'Tea is cold .\', ""It is Ann\'s .""]"\nTea is old.,0,[]\n'
    found = [SentencePair("Tea is cold. It is Ann's.", "Tea is hot.", "contradiction")]
    assert list(readers.facts_with_evidence(text)) == found


def test_steps_of_a_proof_stand_beside_what_they_entail() -> None:
    """A step may build on an earlier one; the last entails the hypothesis."""
    text = (
        "$proof$ ; $question$ = q ; $answer$ = a ; $hypothesis$ = tea warms people ; $context$ = sent1: tea is hot "
        "sent2: hot things warm sent3: people drink tea\t"
        "$proof$ = sent1 & sent2 -> int1: tea warms; int1 & sent3 -> hypothesis; "
    )
    assert list(readers.proof_steps(text)) == [
        SentencePair("tea is hot. hot things warm", "tea warms", "entailment"),
        SentencePair("tea warms. people drink tea", "tea warms people", "entailment"),
    ]


def test_arguments_entail_the_key_points_that_they_make() -> None:
    """An argument that does not make a key point neither entails nor contradicts it."""
    arguments, key_points = "arg_id,argument\na,Tea is hot.\n", "key_point_id,key_point\nk,It warms\nl,It is cheap\n"
    found = readers.matched_key_points(arguments, key_points, "arg_id,key_point_id,label\na,k,1\na,l,0\n")
    assert [(pair.hypothesis, pair.label) for pair in found] == [("It warms", "entailment"), ("It is cheap", "neutral")]


def test_only_interpretations_that_annotators_were_sure_of_are_taken() -> None:
    """One doubtful answer is enough to leave the sentence out."""
    sure = {"sentence": "He does not sit.", "s1": 4, "s2": 4, "pi": "He stands."}
    assert [pair.hypothesis for pair in readers.affirmed(lines(sure, {**sure, "s2": 3}))] == ["He stands."]


def test_each_pair_is_kept_once_and_none_with_two_labels() -> None:
    """Punctuation and case make no other pair; what is known already, or labelled in two ways, is left out."""
    again = SentencePair("tea calms", "tea does not excite", "entailment")
    doubtful = replace(TEA_EXCITES, label="neutral")
    known = SentencePair("A", "B", "neutral")
    sets = {"one": [TEA_CALMS, TEA_EXCITES, known], "two": [again, doubtful]}
    assert without_repeats(sets, [known]) == {"one": [TEA_CALMS], "two": []}


def test_words_of_negation_are_counted_in_either_sentence() -> None:
    """The negation in "doesn't" counts; "note" and "knot" have none."""
    assert is_about_negation(TEA_CALMS)
    assert is_about_negation(SentencePair("It doesn't.", "It rests.", "neutral"))
    assert not is_about_negation(SentencePair("A note.", "A knot.", "neutral"))


def test_sets_that_are_not_there_are_named() -> None:
    """What was not cloned is left out and said; the rest is read."""
    there, missing = one_set("there"), one_set("missing")

    def content(source: Source, path: str) -> bytes:
        if source == missing:
            raise LookupError(path)
        return lines({"premise": "A", "hypothesis": "B", "label": "neutral"}).encode()

    assert read([there, missing], content) == ({"there": [SentencePair("A", "B", "neutral")]}, ["missing"])


def test_files_are_read_at_the_commit_that_is_named_also_in_archives(tmp_path: Path) -> None:
    """A clone may have moved on: what the table counts is what is read."""
    clone = tmp_path / "people/tea"
    clone.mkdir(parents=True)
    with zipfile.ZipFile(clone / "tea.zip", "w") as archive:
        archive.writestr("in/tea.jsonl", "first")
    git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "tea.zip"], ["commit", "-qm", "Tea"]):
        subprocess.run([*git, *words], check=True)
    (clone / "tea.zip").write_bytes(b"moved on")
    source = one_set("tea", path="tea.zip!in/tea.jsonl")
    assert from_clones(tmp_path)(source, source.paths[0]) == b"first"
    with pytest.raises(LookupError):
        from_clones(tmp_path)(source, "coffee.jsonl")


def test_the_command_writes_the_form_that_the_judge_learns_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file for each set with a licence, readable as `entailment/train.jsonl`, and a table of what is in them."""
    for name in ("free", "unstated"):
        clone = tmp_path / "clones/people" / name
        clone.mkdir(parents=True)
        row = {"premise": TEA_CALMS.premise, "hypothesis": f"Tea is not {name}.", "label": "neutral"}
        (clone / "tea.jsonl").write_text(lines(row), encoding="utf-8")
        git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Tea"]):
            subprocess.run([*git, *words], check=True)
    sources = (one_set("free"), one_set("unstated", licence=None), one_set("elsewhere"))
    monkeypatch.setattr("training.judge.entailment_folder.SOURCES", sources)
    out = tmp_path / "data/entailment"
    assert main([str(tmp_path / "clones"), str(out)]) == 0
    assert [each.name for each in out.iterdir()] == ["free.jsonl"]
    (out / "free.jsonl").rename(out / "train.jsonl")
    assert sentence_pairs(tmp_path / "data") == [SentencePair("Tea calms.", "Tea is not free.", "neutral")]
    told = capsys.readouterr().out
    assert "free" in told
    assert "left out: elsewhere" in told


def test_each_set_has_a_name_and_a_commit_of_its_own_kind() -> None:
    """A file a set, so no name comes twice; a commit is named in full, since branches move."""
    assert len({source.name for source in SOURCES}) == len(SOURCES)
    assert all(len(source.commit) == 40 and source.paths for source in SOURCES)
