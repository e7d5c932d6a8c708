"""The lexicon: its files, and what it finds in texts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from graph.candidate.lexicon.lint import faults, plain_words
from graph.candidate.lexicon.matching import lexicon
from graph.candidate.lexicon.schema import LexiconFiles, SkillFile, load_files
from graph.candidate.lexicon.verb_phrases import VerbPhrase, load_verb_phrases, skills_said, unknown_skills
from graph.encoders.runtime import TOKENIZER

SHORTEST_WORD = 2
"""Letters; pieces of words in an encoder's vocabulary that are as short are no words."""


def test_the_lexicon_has_no_fault() -> None:
    """No spelling stands for two skills or is made by a rule, names are unique, each file has its own category."""
    assert faults(load_files()) == []


def test_plain_words_are_told_apart_from_names() -> None:
    """A plain English word counts only as a name or in lists, or somebody has said that it is a skill."""
    pieces = json.loads(TOKENIZER.read_text(encoding="utf-8"))["model"]["vocab"]
    words = frozenset(word for word in pieces if word.isalpha() and len(word) > SHORTEST_WORD)
    assert plain_words(load_files(), words) == []
    tools = SkillFile(category="tool", ambiguous=("saw",), in_lists=("drill",), skills={"Saw": ("drill", "hammer")})
    found = plain_words(LexiconFiles(skills=(tools,), domains={}), frozenset({"saw", "drill", "hammer"}))
    assert [sentence.split()[0] for sentence in found] == ["'hammer'"]


def test_the_lexicon_is_large_enough() -> None:
    """It knows at least 4,000 skills and 60 fields of work, and a category for each."""
    files = load_files()
    skills = [name for each in files.skills for name in each.skills]
    domains = [name for fields in files.domains.values() for name in fields]
    assert len(skills) >= 4000
    assert len(domains) >= 60
    assert all(map(lexicon().category, [*skills, *domains]))


def test_verb_phrases_say_skills_of_the_lexicon() -> None:
    """Each verb phrase stands for a canonical name; another is told."""
    assert unknown_skills(load_files(), load_verb_phrases()) == []
    sawing = VerbPhrase(skill="Sawing", verbs=("saw",), objects=("wood",))
    assert "'Sawing'" in unknown_skills(load_files(), (sawing,))[0]


@pytest.mark.parametrize(
    ("sentence", "skills"),
    [
        ("Trained six newly hired night nurses in triage", ["Training"]),
        ("Trained the model on two million rows", []),
        ("Responsible for a budget of two million euros", ["Budgeting"]),
        ("Cut costs; the budget held", []),
        ("Interviewed 40 candidates and 12 users", ["Interviewing", "User interviews"]),
        ("Taught it to do so less", []),
        ("Administered medications and assessed patients", ["Medication administration", "Patient assessment"]),
    ],
)
def test_verbs_with_their_objects_say_skills(sentence: str, skills: list[str]) -> None:
    """A verb counts with an object near it and before a mark, and not without."""
    assert [said.skill for said in skills_said(sentence)] == skills


def test_faults_are_named() -> None:
    """A spelling of two skills, a category of two files, and an ambiguous word that is no spelling are told."""
    tools = SkillFile(category="tool", ambiguous=("saw",), skills={"Hammer": ("mallet",), "Mallet": ()})
    again = SkillFile(category="tool", ambiguous=(), skills={"Drill": ()})
    found = faults(LexiconFiles(skills=(tools, again), domains={}))
    assert [sentence.split()[0] for sentence in found] == ["'mallet'", "category", "'saw'"]


def test_what_a_rule_makes_needs_no_spelling() -> None:
    """A spelling is needless when rules make it and all its forms of the others, and not when one would be lost."""
    tools = SkillFile(
        category="tool",
        ambiguous=("saws",),
        skills={"Slow load testing": ("slow load test", "slow load check"), "Saw": ("saws",)},
    )
    found = faults(LexiconFiles(skills=(tools,), domains={}))
    assert [sentence.split(" of ")[0] for sentence in found] == ["'slow load test'"]


def test_a_file_has_no_keys_but_its_own() -> None:
    """A mistyped key is refused, and does not silently leave a category empty."""
    with pytest.raises(ValidationError):
        SkillFile.model_validate({"category": "tool", "ambiguous": [], "skils": {}})


def named(text: str, *, listed: bool = False) -> list[str]:
    """Names that are found in a text."""
    return [found.entry.name for found in lexicon().skills.find(text, listed=listed)]


@pytest.mark.parametrize(
    ("text", "skills"),
    [
        ("Ran k8s in AWS.", ["Kubernetes", "AWS"]),
        ("Wrote it in C++17 and C#, not in C.", ["C++", "C#", "C"]),
        (".NET and ASP.NET Core", [".NET", ".NET"]),
        ("HTML/CSS, CI/CD, PL/SQL", ["HTML", "CSS", "CI/CD", "PL/SQL"]),
        ("Analysed R&D costs with R, not for AT&T", ["R"]),
        ("Moved to Node.js and React Native", ["Node.js", "React Native"]),
        ("We used React. Native speakers wrote the texts.", ["React"]),
        ("JavaScript is no Java", ["JavaScript", "Java"]),
        ("scikit-learn and Scikit Learn", ["Scikit-learn", "Scikit-learn"]),
        ("process optimisation and process optimization", ["Process improvement", "Process improvement"]),
        ("I²C and GD&T", ["I2C", "GD&T"]),
        ("Angular14", ["Angular"]),
        ("error budgets, blameless postmortems and load tests", ["Error budgets", "Post-mortems", "Load testing"]),
        ("Month-end close, accruals; code reviews", ["Month-end close", "Accruals", "Code review"]),
        ("mail me at go@python.example or see java.example.com", []),
    ],
)
def test_names_end_where_words_end(text: str, skills: list[str]) -> None:
    """A name is not found within a longer one, an address, or across the end of a sentence."""
    assert named(text) == skills


@pytest.mark.parametrize(
    "text",
    [
        "I go where the incidents are and excel at express delivery",
        "Go where it hurts",
        "C-level reports and a go-to-market plan",
        "kept the site safe with a solid plan, like a shell or a chapel",
        "he talked to Isabelle in Cairo",
        "had access to the rest of the team, less swift",
        "J. R. Sample, vitamin D",
    ],
)
def test_plain_words_are_no_skills(text: str) -> None:
    """Words that are also names count only where they are written as names."""
    assert named(text) == []


def test_short_names_count_in_lists() -> None:
    """Alone in a list, a letter is a language."""
    assert [named(item, listed=True) for item in ("C", "R", "Go", "go", "Excel")] == [
        ["C"],
        ["R"],
        ["Go"],
        ["Go"],
        ["Excel"],
    ]


def test_what_is_unknown_stays_as_it_was_written() -> None:
    """The canonical name of a known skill, and an unknown one unchanged."""
    assert lexicon().canonical("k8s") == "Kubernetes"
    assert lexicon().canonical(" Underwater Welding Robots ") == "Underwater Welding Robots"


@given(st.text(max_size=300))
def test_every_place_found_is_in_the_text(text: str) -> None:
    """Whatever the text, names are found in order, within it, and do not overlap."""
    end = 0
    for found in lexicon().skills.find(text):
        assert end <= found.start < found.end <= len(text)
        end = found.end


@given(st.sampled_from([name for each in load_files().skills for name in each.skills]))
def test_every_name_is_found_alone(name: str) -> None:
    """Each canonical name stands for itself, alone and as an item of a list."""
    entry = lexicon().skills.exact(name)
    assert entry is not None
    assert entry.name == name
    assert named(name, listed=True) == [name]


@pytest.mark.parametrize(
    ("text", "skills"),
    [
        ("Power Shell scripts and Type Script", ["PowerShell", "TypeScript"]),
        ("Oncall, and moved to NewRelic", ["On-call", "New Relic"]),
        ("golden tests, one security champion in each team", ["Golden testing", "Security champions"]),
        ("Amazon Security Hub, and Security Hub", ["AWS Security Hub", "AWS Security Hub"]),
        ("a YOLOv5 on an STM32H7", ["YOLO", "STM32"]),
        (
            "data catalogue and data catalog, labour law",
            ["Metadata management", "Metadata management", "Employment law"],
        ),
        ("learned to make what it does", []),
    ],
)
def test_other_spellings_need_no_entry(text: str, skills: list[str]) -> None:
    """Names are found joined and divided, in the plural and the singular, with versions and other vendor prefixes."""
    assert named(text) == skills
