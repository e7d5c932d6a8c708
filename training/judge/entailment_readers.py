"""Readers of public files of sentence pairs: each takes the text of a file and gives pairs with the three labels.

They are pure, and general where files are alike. What a set labels otherwise is mapped by whoever calls
(`training/judge/entailment_sources.py` has the sets and their label names).
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import Any

from training.judge.public_datasets import EntailmentLabel, SentencePair

Labels = Mapping[str, EntailmentLabel]
"""The names that a set uses for labels. A row with any other name is left out."""

THREE_WAY: Labels = {"entailment": "entailment", "contradiction": "contradiction", "neutral": "neutral"}
FACTS: Labels = {"SUPPORTS": "entailment", "REFUTES": "contradiction", "NOT ENOUGH INFO": "neutral"}

# Tokenised corpora (Penn Treebank and Wikipedia as FEVER has it) read as people write.
_AS_WRITTEN = (
    (re.compile(r"-LRB-\s*"), "("),
    (re.compile(r"\s*-RRB-"), ")"),
    (re.compile(r"-LSB-\s*"), "["),
    (re.compile(r"\s*-RSB-"), "]"),
    (re.compile(r"``\s*|\s*''"), '"'),
    (re.compile(r"\s+(n't|'(?:s|re|ve|ll|d|m))\b", re.IGNORECASE), r"\1"),
    (re.compile(r"\s+([.,;:!?])(?=\s|$)"), r"\1"),
    (re.compile(r"\(\s+"), "("),
    (re.compile(r"\s+\)"), ")"),
    (re.compile(r"\s+"), " "),
)
_TOKENISED = re.compile(r"-[LR][RS]B-|``|''|\s(?:[.,;:!?)]|n't|'|\s)|\(\s")
_LONGEST_FIELD = 10_000_000
_EVIDENCE = 3
"""Sentences of evidence at most: more are repeats, and longer than an encoder reads."""
_SURE = 4
"""The highest mark that AFIN's annotators give to an answer."""
_STEP = re.compile(r"(?P<because>[^;]+?)->\s*(?P<name>int\d+|hypothesis)(?::(?P<text>[^;]*))?")
_STATEMENT = re.compile(r"(sent\d+): (.*?)(?= sent\d+: |$)")


def as_written(text: str) -> str:
    """A tokenised sentence as people write it: brackets, quotes, and no space before a comma or an ending."""
    if _TOKENISED.search(text):
        for pattern, replacement in _AS_WRITTEN:
            text = pattern.sub(replacement, text)
    return text.strip()


def json_lines(
    text: str, fields: tuple[str, str, str], labels: Labels = THREE_WAY, keep: Callable[[Any], bool] | None = None
) -> Iterator[SentencePair]:
    """One pair a line; `fields` name premise, hypothesis and label. `keep` says which rows are wanted."""
    for row in _objects(text):
        if keep is None or keep(row):
            yield from _pair(row, fields, labels)


def table(
    text: str, delimiter: str, fields: tuple[str, str, str], labels: Labels = THREE_WAY
) -> Iterator[SentencePair]:
    """A table with a head; tab-separated ones have quotes as they stand."""
    for row in _rows(text, delimiter):
        yield from _pair(row, fields, labels)


def parallel(pairs: str, labels: str) -> Iterator[SentencePair]:
    """A file of `premise|||hypothesis` lines with a file of their labels, of either naming, line by line."""
    for line, label in zip(pairs.splitlines(), labels.splitlines(), strict=True):
        premise, _, hypothesis = line.partition("|||")
        yield from _pair({"p": premise, "h": hypothesis, "l": label.strip()}, ("p", "h", "l"), {**THREE_WAY, **FACTS})


def facts_with_evidence(text: str) -> Iterator[SentencePair]:
    """FEVER's claims with their sentences of Wikipedia, a list in a cell. A claim without evidence is left out."""
    for row in _rows(text, ","):
        if row["evidence"] != "[]":
            evidence = " ".join(ast.literal_eval(row["evidence"])[:_EVIDENCE])
            fact = {"p": evidence, "h": row["claim"], "l": row["label"]}
            yield from _pair(fact, ("p", "h", "l"), {"1": "entailment", "2": "contradiction"})


def claims(text: str) -> Iterator[SentencePair]:
    """Claims with several sentences of evidence (Fool Me Twice)."""
    for row in _objects(text):
        evidence = " ".join(each["text"] for each in row["gold_evidence"])
        yield from _pair({"p": evidence, "h": row["text"], "l": row["label"]}, ("p", "h", "l"), FACTS)


def refuted(text: str) -> Iterator[SentencePair]:
    """A table of sentences and the same sentences refuted."""
    for row in _rows(text, "\t"):
        yield from _pair({**row, "l": "contradiction"}, ("sentence", "negated", "l"), THREE_WAY)


def opposites(text: str) -> Iterator[SentencePair]:
    """SemAntoNeg: for a sentence its negation, its opposite word, and both at once, which says the same again."""
    for row in _objects(text):
        for place, sentence in enumerate(row["sentences"]):
            label = "entailment" if place == row["label"] else "contradiction"
            yield from _pair({"p": row["input"], "h": sentence, "l": label}, ("p", "h", "l"), THREE_WAY)


def affirmed(text: str) -> Iterator[SentencePair]:
    """AFIN: a sentence with a negation, and what it says in words without one, where the annotators were sure of it."""
    for row in _objects(text):
        sure = all(score == _SURE for name, score in row.items() if re.fullmatch(r"s\d", name))
        if sure and row["pi"]:
            yield from _pair({**row, "l": "entailment"}, ("sentence", "pi", "l"), THREE_WAY)


def matched_key_points(arguments: str, key_points: str, matches: str) -> Iterator[SentencePair]:
    """ArgKP: arguments and whether they make a key point; both stand for the same side, so none contradicts."""
    texts = {row["arg_id"]: row["argument"] for row in _rows(arguments, ",")}
    points = {row["key_point_id"]: row["key_point"] for row in _rows(key_points, ",")}
    for row in _rows(matches, ","):
        match = {"p": texts[row["arg_id"]], "h": points[row["key_point_id"]], "l": row["label"]}
        yield from _pair(match, ("p", "h", "l"), {"1": "entailment", "0": "neutral"})


def read_one_way(text: str) -> Iterator[SentencePair]:
    """AmbiEnt: ambiguous sentences rewritten so that they can be read in one way."""
    for row in _objects(text):
        for reading in row["disambiguations"]:
            yield from _pair(reading, ("premise", "hypothesis", "label"), THREE_WAY)


def conclusions(text: str) -> Iterator[SentencePair]:
    """FOLIO: what follows from several sentences of logic."""
    labels: Labels = {"True": "entailment", "False": "contradiction", "Unknown": "neutral", "Uncertain": "neutral"}
    for row in _objects(text):
        yield from _pair({**row, "p": " ".join(row["premises"])}, ("p", "conclusion", "label"), labels)


def proof_steps(text: str) -> Iterator[SentencePair]:
    """EntailmentBank: each step of a proof in elementary science, its premises together beside what they entail."""
    for line in text.splitlines():
        question, _, proof = line.partition("\t")
        said = dict(_STATEMENT.findall(question.partition("$context$ = ")[2]))
        said["hypothesis"] = question.partition("$hypothesis$ = ")[2].partition(" ; $context$")[0]
        for step in _STEP.finditer(proof.partition("$proof$ = ")[2]):
            name = step["name"]
            if step["text"]:
                said[name] = step["text"].strip()
            because = [said.get(each.strip(), "") for each in step["because"].split("&")]
            whole = {"p": ". ".join(because), "h": said[name] if all(because) else "", "l": "entailment"}
            yield from _pair(whole, ("p", "h", "l"), THREE_WAY)


def scoped_negations(text: str, *, edited: bool) -> Iterator[SentencePair]:
    """ScoNe: one word changed, under no, one or two negations. Sentences that its making spoilt are left out."""
    names = ("sentence1_edited", "sentence2_edited", "gold_label_edited")
    fields = names if edited else ("sentence1", "sentence2", "gold_label")
    for row in _rows(text, ","):
        # "hat" became "sunhat" inside "that", too.
        spoilt = re.compile(rf"\bt(?:{re.escape(row['sentence1_lex'])}|{re.escape(row['sentence2_lex'])})\b")
        found = [hit.group() for name in fields[:2] for hit in spoilt.finditer(row[name])]
        if all(hit == "that" for hit in found):
            yield from _pair(row, fields, THREE_WAY)


def untitled(text: str) -> Iterator[SentencePair]:
    """GLUE's layout for MultiNLI without its head: premise, hypothesis and label in the columns 8, 9 and 11."""
    for cells in csv.reader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE):
        yield from _pair({"p": cells[8], "h": cells[9], "l": cells[11]}, ("p", "h", "l"), THREE_WAY)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in text.split("\n") if line.strip())


def _rows(text: str, delimiter: str) -> Iterator[dict[str, str]]:
    csv.field_size_limit(_LONGEST_FIELD)
    if delimiter == "\t":
        yield from csv.DictReader(StringIO(text), delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        yield from csv.DictReader(StringIO(text), delimiter=delimiter)


def _pair(row: Mapping[str, Any], fields: tuple[str, str, str], labels: Labels) -> Iterator[SentencePair]:
    premise, hypothesis = (as_written(str(row[name] or "")) for name in fields[:2])
    label = labels.get(str(row[fields[2]]))
    if premise and hypothesis and label is not None:
        yield SentencePair(premise, hypothesis, label)
