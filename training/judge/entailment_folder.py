"""Folder of sentence pairs for the judge's entailment stage, made out of clones of public repositories.

    python -m training.judge.entailment_folder CLONES OUT [--also-unlicensed]

CLONES holds a clone of each repository of `training/judge/entailment_sources.py` as `owner/name`
(`git clone https://github.com/owner/name CLONES/owner/name`); what is not there is left out, and said. OUT gets a file
`<set>.jsonl` for each set, in the form of `entailment/train.jsonl` (`training/judge/public_datasets.py`), without pairs
that an earlier set has and without those that are labelled in two ways. Nothing of it is part of the project.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from io import BytesIO
from pathlib import Path

from training.judge.entailment_sources import SOURCES, Source
from training.judge.public_datasets import MissingSetError, SentencePair, sentence_pairs

Content = Callable[[Source, str], bytes]
"""The content of a file of a source.

Raises:
    LookupError: it is not there.
"""

_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n't\b", re.IGNORECASE)
_ROW = "{:24} {:>7} {:>10} {:>13} {:>7} {:>8}  {}"


def is_about_negation(pair: SentencePair) -> bool:
    """Whether one of the two sentences has a word of negation."""
    return bool(_NEGATION.search(pair.premise) or _NEGATION.search(pair.hypothesis))


def read(sources: Iterable[Source], content: Content) -> tuple[dict[str, list[SentencePair]], list[str]]:
    """The pairs of each source, and the sources whose files are not there."""
    found: dict[str, list[SentencePair]] = {}
    missing = []
    for source in sources:
        try:
            texts = [content(source, path).decode("utf-8") for path in source.paths]
        except LookupError:
            missing.append(source.name)
        else:
            found[source.name] = list(source.read(texts))
    return found, missing


def without_repeats(
    sets: Mapping[str, Sequence[SentencePair]], known: Iterable[SentencePair] = ()
) -> dict[str, list[SentencePair]]:
    """Each pair once, in the first set that has it; none of `known`, none that the sets label in more than one way."""
    keyed = {name: [(_key(pair), pair) for pair in pairs] for name, pairs in sets.items()}
    labels: dict[str, set[str]] = {}
    for key, pair in (each for pairs in keyed.values() for each in pairs):
        labels.setdefault(key, set()).add(pair.label)
    taken = {_key(pair) for pair in known}
    kept: dict[str, list[SentencePair]] = {}
    for name, pairs in keyed.items():
        kept[name] = []
        for key, pair in pairs:
            if key not in taken and len(labels[key]) == 1:
                taken.add(key)
                kept[name].append(pair)
    return kept


def from_clones(clones: Path) -> Content:
    """Content of files at the commit that the source names, out of clones of the repositories."""

    def content(source: Source, path: str) -> bytes:
        name, _, member = path.partition("!")
        told = subprocess.run(  # noqa: S603
            ["git", "-C", str(clones / source.repository), "show", f"{source.commit}:{name}"],  # noqa: S607
            capture_output=True,
            check=False,
        )
        if told.returncode:
            raise LookupError(told.stderr.decode(errors="replace"))
        if not member:
            return told.stdout
        with zipfile.ZipFile(BytesIO(told.stdout)) as archive:
            return archive.read(member)

    return content


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a folder of public sentence pairs."""
    parser = argparse.ArgumentParser(prog="python -m training.judge.entailment_folder", description=main.__doc__)
    parser.add_argument("clones", type=Path, help="folder with a clone of each repository as owner/name")
    parser.add_argument("out", type=Path, help="folder for the files")
    parser.add_argument(
        "--data", type=Path, help="folder of the public sets whose pairs are left out, as they are there"
    )
    parser.add_argument("--also-unlicensed", action="store_true", help="sets whose repository states no licence, too")
    chosen = parser.parse_args(arguments)
    sources = [source for source in SOURCES if source.licence or chosen.also_unlicensed]
    try:
        known = sentence_pairs(chosen.data) if chosen.data else []
    except MissingSetError as error:
        parser.error(str(error))
    found, missing = read(sources, from_clones(chosen.clones))
    sets = without_repeats(found, known)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name, pairs in sets.items():
        lines = (json.dumps({"set": name, **asdict(pair)}, ensure_ascii=False) + "\n" for pair in pairs)
        (chosen.out / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    told = list(_table(sources, sets))
    if missing:
        told.append(f"Not there, and left out: {', '.join(missing)}")
    sys.stdout.write("\n".join(told) + "\n")
    return 0


def _table(sources: Iterable[Source], sets: Mapping[str, Sequence[SentencePair]]) -> Iterable[str]:
    yield _ROW.format("set", "pairs", "entailment", "contradiction", "neutral", "negation", "licence")
    every: list[SentencePair] = []
    for source in sources:
        pairs = sets.get(source.name, ())
        every += pairs
        yield _counted(source.name, pairs, source.licence or "none stated")
    yield _counted("all", every, "")


def _counted(name: str, pairs: Sequence[SentencePair], licence: str) -> str:
    labels = Counter(pair.label for pair in pairs)
    negated = sum(map(is_about_negation, pairs))
    counts = (labels["entailment"], labels["contradiction"], labels["neutral"])
    return _ROW.format(name, len(pairs), *counts, negated, licence)


def _key(pair: SentencePair) -> str:
    # Sets differ in how they tokenise and end a sentence.
    return " | ".join(re.sub(r"[\W_]+", "", text).casefold() for text in (pair.premise, pair.hypothesis))


if __name__ == "__main__":
    sys.exit(main())
