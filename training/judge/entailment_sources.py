"""Sources of sentence pairs for the judge's entailment stage: public repositories, their licences, how each is read.

`training/judge/entailment_folder.py` makes a folder of them. The commits are those that the counts in docs/judging.md
are of. The order matters: of a pair that two sets have the first set keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from training.judge import entailment_readers as readers
from training.judge.public_datasets import SentencePair

_PLAIN = ("premise", "hypothesis", "label")
_GOLD = ("sentence1", "sentence2", "gold_label")
_WIKIPEDIA = ("base_wiki", "sim_wiki", "translate_wiki")
_HELP: readers.Labels = {"entailment": "entailment", "neutral": "neutral", "unk": "neutral"}
_PARAPHRASE: readers.Labels = {"3": "entailment", "0": "neutral"}
"""PARADE's experts, all three or none of them; where they disagreed the pair is left out."""
_TOLD: readers.Labels = {"true": "entailment", "false": "contradiction"}
_INITIALS: readers.Labels = {"e": "entailment", "c": "contradiction", "n": "neutral"}
_ROLES = ("inv_orig_large", "inv_trsf_large", "pass_trsf_pos_large", "pass_trsf_neg_large")
_PLAUSIBLE = 0.9
"""DISCO's teacher was at least so sure of the new label."""


@dataclass(frozen=True, slots=True)
class Source:
    """A set of sentence pairs in a public repository."""

    name: str
    repository: str
    commit: str
    licence: str | None
    """None: the repository states none for its data."""
    paths: tuple[str, ...]
    """Files; `archive.zip!member` is a file in an archive."""
    read: Callable[[list[str]], Iterator[SentencePair]]
    """Takes the texts of the paths, in their order."""


def _each(read: Callable[[str], Iterator[SentencePair]]) -> Callable[[list[str]], Iterator[SentencePair]]:
    return lambda texts: (pair for text in texts for pair in read(text))


def _two_by_two(texts: list[str]) -> Iterator[SentencePair]:
    for pairs, labels in zip(texts[::2], texts[1::2], strict=True):
        yield from readers.parallel(pairs, labels)


def _key_points(texts: list[str]) -> Iterator[SentencePair]:
    for arguments, key_points, matches in zip(texts[::3], texts[1::3], texts[2::3], strict=True):
        yield from readers.matched_key_points(arguments, key_points, matches)


def _scoped(texts: list[str]) -> Iterator[SentencePair]:
    # The last two files are those of one negation, which nobody edited.
    for place, text in enumerate(texts):
        yield from readers.scoped_negations(text, edited=place < len(texts) - 2)


def _json(
    fields: tuple[str, str, str] = _PLAIN, labels: readers.Labels = readers.THREE_WAY
) -> Callable[[list[str]], Iterator[SentencePair]]:
    return _each(partial(readers.json_lines, fields=fields, labels=labels))


def _tabs(
    fields: tuple[str, str, str], labels: readers.Labels = readers.THREE_WAY
) -> Callable[[list[str]], Iterator[SentencePair]]:
    return _each(partial(readers.table, delimiter="\t", fields=fields, labels=labels))


_CANNOT = ("dmlls/cannot-dataset", "3b94fb51fcf8e642ea28cdc065805d1d3da3247f", "CC BY-SA 4.0")
_DISCO = ("eric11eca/disco", "731258b2cbf1efa9d5220bf35d2651ac5ef33819")
_GENERATIVE = ("technion-cs-nlp/Generative-NLI", "8ad699b32b68c4c435781c7871d5444eb85c38c8")
_MULTI = "OANC and others, all free (MultiNLI)"
_SPLITS = ("train", "dev", "test")

SOURCES: tuple[Source, ...] = (
    # Negation that keeps or turns the meaning, and changes of one word.
    Source("opposites", *_CANNOT, ("datasets/antonym-substitution/original/SemAntoNeg_v1.0.json",),
           _each(readers.opposites)),
    Source("refuted-facts", *_CANNOT,
           tuple(f"datasets/wikifactcheck-english/processed/wikifactcheck_english_{part}.tsv" for part in range(5)),
           _each(readers.refuted)),
    Source("sub-clausal-negation", *_CANNOT, ("datasets/nan-nli/original/nan.csv",),
           _each(partial(readers.table, delimiter=",", fields=_PLAIN))),
    Source("diagnostics", *_CANNOT, ("datasets/glue-diagnostic/original/diagnostic-full.tsv",),
           _tabs(("Premise", "Hypothesis", "Label"))),
    Source("scoped-negations", "selenashe/ScoNe", "b02532a2f4185c6118a57a148455e0750592d8c8", "CC0 1.0",
           tuple(f"scone_nli/{split}/{kind}.csv"
                 for kind in ("no_negation", "one_not_scoped", "two_not_scoped", "two_scoped",
                              "one_scoped_one_not_scoped", "one_scoped")
                 for split in ("train", "test")),
           _scoped),
    Source("affirmed", "mosharafhossain/large-afin-and-nlu", "23b33f5f58122234e3ed7e0dfda0686e582be7c9", "Apache-2.0",
           tuple(f"affirmative-interpretation-generation/data/afin/{split}.jsonl" for split in _SPLITS),
           _each(readers.affirmed)),
    Source("one-word", "BIU-NLP/Breaking_NLI", "8a7658c1ce6b732f4e8af3b06560f1a13b8b18b0", "CC BY-SA 4.0",
           ("breaking_nli_dataset.zip!data/dataset.jsonl",), _json(_GOLD)),
    Source("monotonicity", "verypluming/MED", "860ba36ce95ecba9f1ebe348d3d8cf1b3cba435a", "CC BY-SA 4.0",
           ("MED.tsv",), _tabs(_GOLD)),
    Source("word-replaced", "eric11eca/curriculum-ling", "34d86ad7ac2e563eaeb6b2dc4b308015f6d2b6b9",
           "CC BY-SA 4.0 (HELP)", ("benchmark/tasks/monotonicity_infer.zip!monotonicity_infer/train.jsonl",),
           _json(("premise", "hypothesis", "gold_label"), _HELP)),
    Source("and-or", "verypluming/HELP", "3ee5c298d48549704629a3687ccd8a00168281b8", "CC BY-SA 4.0",
           ("output_en/leskexppmb_and.tsv", "output_en/leskexppmb_or.tsv"),
           _tabs(("ori_sentence", "new_sentence", "gold_label"), _HELP)),
    # The same words in other roles.
    Source("overlap", *_GENERATIVE, "MIT (HANS)",
           ("data/mnli/hans/hans_evalset_full_source_file", "data/mnli/hans/hans_evalset_full_lbl_file"), _two_by_two),
    Source("roles", "Aatlantise/syntactic-augmentation-nli", "e3f0a1d354b69deb9902770bcef39b850a90e746", "MIT",
           tuple(f"datasets/{part}.tsv" for part in _ROLES), _each(readers.untitled)),
    # Of many kinds.
    Source("multi-matched", "Alicia-Parrish/ling_in_loop", "9def304e19161efa3a3959349021e6a7860b0afe", _MULTI,
           ("tasks/raw_data/mnli/data/mnli/val.jsonl",), _json()),
    Source("multi-mismatched", *_GENERATIVE, _MULTI,
           ("data/mnli/cl_multinli_dev_mismatched_source_file", "data/mnli/cl_multinli_dev_mismatched_lbl_file"),
           _two_by_two),
    Source("multi-train", "microsoft/TaxiNLI", "60d89b03293c47b99288e24853a4cd3426bea437",
           f"C-UDA 1.0; {_MULTI}", ("taxinli10k.tsv",), _tabs(("prem", "hyp", "label"))),
    Source("written-with-a-model", *_DISCO, "CC BY 4.0 (WANLI)",
           tuple(f"data/input/wanli/{label}_spans.jsonl" for label in ("contradiction", "entailment", "neutral")),
           _json()),
    Source("snli-train", *_DISCO, "CC BY-SA 4.0 (SNLI)", ("data/augment/e2n.jsonl", "data/augment/n2c.jsonl"), _json()),
    Source("counterfactual", *_DISCO, "MIT", ("data/augment/e2n.jsonl", "data/augment/n2c.jsonl"),
           _each(partial(readers.json_lines, fields=("new_premise", "hypothesis", "new_label"),
                         keep=lambda row: bool(row["accept"] and row["score"] >= _PLAUSIBLE)))),
    Source("one-reading", "alisawuffles/ambient", "1fcb43effda068f3047d46b6f9ff0e50e0ee1c1b", "CC BY 4.0",
           ("AmbiEnt/ambient_full.jsonl",), _each(readers.read_one_way)),
    Source("wikipedia", "nyu-mll/semi-automatic-nli", "853c480133141f1b737744dc7d6e2db2686578bb",
           "CC BY-SA 3.0 (Wikipedia)",
           tuple(f"data/{kind}/{split}.jsonl" for kind in _WIKIPEDIA for split in ("train", "test")),
           _json(_PLAIN, _INITIALS)),
    # Facts and knowledge.
    Source("fever-train", "GGKorn/fever-nli", "cc8b3aa20d4007e2eb87c642c8158d8fcefe5fdf", "CC BY-SA 3.0 (FEVER)",
           ("data/vanilla_wiki_data/eval_data_vanilla.csv", "data/vanilla_wiki_data/test_data_vanilla.csv"),
           _each(readers.facts_with_evidence)),
    Source("fever-dev", *_GENERATIVE, "CC BY-SA 3.0 (FEVER)",
           ("data/fever/fever_val_source_file", "data/fever/fever_val_lbl_file"), _two_by_two),
    Source("fever-symmetric", "TalSchuster/FeverSymmetric", "fa25d17e73ea0694edc78133ec654b9f32f6db73", "CC BY-SA 3.0",
           tuple(f"symmetric_v0.2/fever_symmetric_{split}.jsonl" for split in ("dev", "test")),
           _json(("evidence", "claim", "label"), readers.FACTS)),
    Source("fooled", "google-research/fool-me-twice", "d9db753e5acf91c0d9bf543db327ab655661eb94", "Apache-2.0",
           ("dataset/dev.jsonl", "dataset/test.jsonl"), _each(readers.claims)),
    Source("science", *_GENERATIVE, "Apache-2.0 (SciTail)",
           tuple(f"data/scitail/cl_scitail_{split}_{kind}_file"
                 for split in ("val", "test") for kind in ("source", "lbl")),
           _two_by_two),
    Source("proof-steps", "allenai/entailment_bank", "daac2fdb7ab52ec3ef8f2953f59288c1edd7c2f0", "Apache-2.0",
           tuple(f"data/processed_data/tsvs/task_1/{split}.tsv" for split in _SPLITS), _each(readers.proof_steps)),
    Source("explained", "yasumasaonoe/creak", "5e892b28b6dad3e87769cfc01f00a6577ca44068", "MIT",
           ("data/creak/train.json", "data/creak/dev.json"), _json(("explanation", "sentence", "label"), _TOLD)),
    Source("logic", "Yale-LILY/FOLIO", "5d7bb84c7edab3fb358e057d2807f19cf5cf5e2d", "CC BY-SA 4.0",
           ("data/v0.0/folio-train.jsonl", "data/v0.0/folio-validation.jsonl"), _each(readers.conclusions)),
    Source("key-points", "IBM/KPA_2021_shared_task", "2f5e2d5ad5a387fe731da2f00b423ce1d845c5d2", "CDLA-Sharing-1.0",
           tuple(f"{folder}/{kind}_{split}.csv"
                 for folder, split in (("kpm_data", "train"), ("kpm_data", "dev"), ("test_data", "test"))
                 for kind in ("arguments", "key_points", "labels")),
           _key_points),
    # No licence is stated.
    Source("linguists", "Alicia-Parrish/ling_in_loop", "9def304e19161efa3a3959349021e6a7860b0afe", None,
           ("NLI_data/1_Baseline_protocol/train_round4_baseline_combined.jsonl",
            "NLI_data/2_Ling_on_side_protocol/train_round3_LotS_combined.jsonl",
            "NLI_data/3_Ling_in_loop_protocol/train_round3_LitL_combined.jsonl"), _json()),
    Source("definitions", "heyunh2015/PARADE_dataset", "ee0daf026a79f3285c27be8f933393fdadbf3533", None,
           tuple(f"PARADE_{split}.txt" for split in ("train", "validation", "test")),
           _tabs(("Definition1", "Definition2", "Four-class labels"), _PARAPHRASE)),
)  # fmt: skip
"""Every set, contrasts first."""
