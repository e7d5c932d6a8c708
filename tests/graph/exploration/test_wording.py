"""Wording of questions about a résumé: lines in the second person, names as they are spoken, the words before."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.vocabulary import AnchorType, Aspect
from graph.exploration.anchors import Anchor, anchors_of
from graph.exploration.aspects import aspect_sheets
from graph.exploration.policy import ASPECTS, Step
from graph.exploration.second_person import in_second_person
from graph.exploration.spoken_names import spoken_degree, spoken_position, spoken_project
from graph.exploration.wording import worded
from graph.follow_ups.validators import QUESTION_CHECKS, Worded
from graph.templates import feedback_wording, resume_wording
from graph.validators import first_fault
from tests.graph.exploration.resume import JOB, PROFILE

LINES = {
    "Moved billing to Kafka, cutting latency by 40%": "You moved billing to Kafka",
    "• Designed and built the order API in Python": "You designed and built the order API in Python",
    "Reduced page load time from 3.2s to 0.8s": "You reduced page load time",
    "Responsible for maintaining the payment gateway": "You maintained the payment gateway",
    "Successfully migrated 40+ services to Kubernetes": "You migrated services to Kubernetes",
    "Migrated the monolith to services; introduced CI": "You migrated the monolith to services",
    "Working closely with the design team to ship the app": "You worked closely with the design team to ship the app",
    "Build and operate the data platform (Spark, Airflow)": "You built and operated the data platform",
    "Wrote my thesis on graph colouring": "You wrote your thesis on graph colouring",
    "Managed stakeholders & budget": "You managed stakeholders and budget",
    "I rewrote our search in Rust": "You rewrote your search in Rust",
    "Cut costs by 30%": "You cut costs",
    "Increased revenue by $2M": "You increased revenue",
    "Leading a team of five engineers": "You led a team of five engineers",
    "Wrote a job that compares the stock of three systems every night": (
        "You wrote a job that compares the stock of three systems every night"
    ),
    "Built a portal in which customers follow their orders, with React": (
        "You built a portal in which customers follow their orders"
    ),
    "Built a model which tells who leaves, with an AUC of 0.81": "You built a model which tells who leaves",
    "Built a cache that made the search 40% faster": "You built a cache",
    "Supported 1,200 users across 4 sites": "You supported 1,200 users across 4 sites",
}
NOT_TO_BE_TURNED = [
    "Python, Django, Postgres",
    "Design and build of internal tools",
    "Embedded software for cars",
    "Winner of the 2019 hackathon",
    "Used daily by 2,000 people",
    "Led to a 20% increase in sales",
    "Built https://contoso.example shop",
    "Led by example",
    "A chess engine in Rust",
    "Built",
    "",
]


@pytest.mark.parametrize(("line", "said"), LINES.items())
def test_a_line_of_a_resume_is_said_in_the_second_person(line: str, said: str) -> None:
    """Cut where the first thing has been said, in the past tense, without figures that would sound odd."""
    assert in_second_person(line) == said


@pytest.mark.parametrize("line", NOT_TO_BE_TURNED)
def test_what_cannot_be_turned_safely_is_not(line: str) -> None:
    """A list, a noun, a passive or an address is no "You …"."""
    assert in_second_person(line) == ""


@given(st.text(max_size=300))
def test_any_line_gives_a_clause_that_can_be_said_or_nothing(line: str) -> None:
    """Of few words, without a stop, a bracket or a percent sign."""
    said = in_second_person(line)
    if said:
        assert said.startswith("You ")
        assert len(said.split()) <= 16
        assert not set(said) & set("%$()[]<>|•:;?!")


@pytest.mark.parametrize(
    ("title", "spoken"),
    [
        ("Billing migration", "the billing migration"),
        ("Kafka migration (2021)", "the Kafka migration"),
        ("Order Portal", "the order portal"),
        ("REST API for partners", "the REST API for partners"),
        ("The Great Migration", "the Great Migration"),
        ("Fraud detection", "your work on fraud detection"),
        ("Home energy meter", "the home energy meter"),
        ("Clean water", "your work on clean water"),
        ("Orbit", "your project Orbit"),
    ],
)
def test_a_project_is_spoken_of_as_a_person_would(title: str, spoken: str) -> None:
    """A thing has an article, a brand has none, and names of their own keep their capital."""
    assert spoken_project(title, frozenset({"kafka"})) == spoken


def test_positions_and_degrees_are_spoken_of_as_the_candidates_own() -> None:
    """With their employer or school, or by what they were."""
    assert spoken_position("Contoso Ltd.", "Engineer") == "your time at Contoso Ltd"
    assert spoken_position("", "Assistant") == "your work as an assistant"
    assert spoken_degree("BSc", "Physics", "Northwind") == "your studies in physics"
    assert spoken_degree("BSc", "Computer Science", "") == "your studies in computer science"
    assert spoken_degree("BA", "English Literature", "") == "your studies in English literature"
    assert spoken_degree("BSc", "", "Northwind") == "your time at Northwind"


def test_a_follow_up_does_not_begin_like_a_question_that_was_asked() -> None:
    """Nobody is asked twice who noticed the difference."""
    asked = ["You read a meter. Who noticed the difference, and how?"]
    ways = [each.text for each in aspect_sheets().follow_ups("impact", asked)]
    assert not [text for text in ways if text.startswith("Who noticed")]


@pytest.mark.parametrize("kind", get_args(AnchorType))
@pytest.mark.parametrize("aspect", get_args(Aspect))
def test_every_aspect_of_every_kind_can_be_asked_about_in_several_ways(kind: AnchorType, aspect: Aspect) -> None:
    """Each way is one question for the ear that names what it is about."""
    anchor = replace(next(each for each in anchors_of(PROFILE, JOB) if each.kind == kind), did=())
    wording = resume_wording()
    step = Step(anchor, aspect, stays=True)
    texts = {worded(step, wording, turn=turn, place="same").text for turn in range(12)}
    assert len(texts) >= 3
    for text in texts:
        assert anchor.name.removeprefix("your project ") in text
        assert first_fault(QUESTION_CHECKS, Worded(text)) == ""
    assert aspect in ASPECTS[kind]


def test_every_part_that_is_asked_for_has_its_words_in_feedback() -> None:
    """What feedback says of a part that was told, or left out, stands in a sentence."""
    wording = feedback_wording()
    for part in aspect_sheets().parts:
        assert wording.ways(f"story.{part}")
        assert wording.ways(f"story.strength.{part}")
        assert wording.ways(f"story.gap.{part}")


def test_a_question_quotes_a_line_that_was_not_used_and_names_the_employer() -> None:
    """The next time it is another line, and when there is none the name."""
    anchor = anchors_of(PROFILE, JOB)[0]
    step, wording = Step(anchor, "challenges"), resume_wording()
    first = worded(step, wording, turn=0, place="first")
    assert first.text.startswith("You moved billing to Kafka at Contoso. ")
    second = worded(step, wording, turn=0, place="back", asked=[first.text])
    assert second.text.startswith("You wrote a nightly job that compares the invoices. ")
    third = worded(step, wording, turn=0, place="back", asked=[first.text, second.text])
    assert "the billing migration" in third.text


def test_no_tool_is_picked_for_people() -> None:
    """To a line like "Led a team of five" nobody asks which tools were used: it goes with what fits it."""
    anchor = next(each for each in anchors_of(PROFILE, JOB) if each.id == "experience_1")
    wording = resume_wording()
    assert "You led a team of five engineers" in worded(Step(anchor, "impact"), wording, turn=0, place="leave").text
    assert "You led" not in worded(Step(anchor, "tools"), wording, turn=0, place="leave").text


def test_leaving_something_names_it() -> None:
    """The words before a question say what it leaves."""
    anchor = anchors_of(PROFILE, JOB)[0]
    said = worded(
        Step(anchor, "impact", returns=True), resume_wording(), turn=0, place="leave", before="the order portal"
    )
    assert said.lead_in == "Let's leave the order portal there."


def test_what_was_not_built_is_not_asked_how_it_was_built() -> None:
    """A line about reading a meter is no answer to how something is put together; then the thing is named."""
    anchor = Anchor("project_1", "project", "Home meter", "the home meter", did=("Read the meter of our house",))
    assert "put together" in worded(Step(anchor, "design"), resume_wording(), turn=0, place="leave").text
    assert worded(Step(anchor, "challenges"), resume_wording(), turn=0, place="leave").text.startswith("You read")


def test_no_thing_is_made_of_a_thesis() -> None:
    """What nobody uses is not asked about as if somebody did, and is the candidate's own."""
    assert spoken_project("Thesis") == "your thesis"
    anchor = Anchor("project_1", "project", "Thesis", "your thesis")
    texts = {worded(Step(anchor, "impact"), resume_wording(), turn=turn, place="leave").text for turn in range(9)}
    assert not any("once your thesis was there" in text for text in texts)


def test_the_same_words_come_again_only_when_all_others_did() -> None:
    """Also about something else: whoever hears "once the … was there" twice hears a form being filled in."""
    asked: list[str] = []
    ways = [way for way in resume_wording().ways("project.results") if "{did}" not in way]
    for number in range(len(ways)):
        anchor = Anchor(f"project_{number}", "project", f"Tool {number}", f"the tool {number}")
        asked.append(worded(Step(anchor, "results"), resume_wording(), turn=4, place="leave", asked=asked).text)
    assert len({text.replace(f"tool {number}", "") for number, text in enumerate(asked)}) == len(ways)


def test_at_one_employer_the_next_question_is_about_another_thing_done_there() -> None:
    """And the employer is not named twice."""
    lines = ("Moved the billing to Kafka", "Designed an interface for partners")
    anchor = Anchor("experience_1", "experience", "Contoso", "your time at Contoso", employer="Contoso", did=lines)
    first = worded(Step(anchor, "impact"), resume_wording(), turn=0, place="leave")
    then = worded(Step(anchor, "challenges"), resume_wording(), turn=1, place="same", asked=[first.text])
    assert first.text.startswith("You moved the billing to Kafka at Contoso.")
    assert then.text.startswith("You designed an interface for partners.")
    assert "your time at Contoso" in then.lead_in
