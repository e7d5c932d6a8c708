"""The policy of exploration, for any résumé and any answers."""

from __future__ import annotations

from collections import Counter, defaultdict

from hypothesis import given
from hypothesis import strategies as st

from domain.candidate import (
    CandidateEducation,
    CandidateExperience,
    CandidateProfile,
    CandidateProject,
    JobRequirements,
)
from graph.exploration.anchors import Anchor, anchors_of
from graph.exploration.policy import DEEP_FROM, MIDDLING_FROM, Step, anchor_named, next_step
from tests.graph.exploration.resume import JOB, PROFILE

TWELVE = 12
NAMES = st.sampled_from(
    ["Orbit", "Order portal", "Billing migration", "Search", "Chat bot", "Kafka", "", "  ", "A (B)"]
)
SKILLS = st.lists(st.sampled_from(["Python", "C", "C++", "C#", "Kafka", "SQL", "Go", "+", ""]), max_size=5).map(tuple)
DATES = st.sampled_from(["", "2019", "2021-04", "present", "n/a"])
LINES = st.lists(st.sampled_from(["Moved billing to Kafka", "Python, SQL", "Led a team of five", "x"]), max_size=3)
PROJECTS = st.builds(CandidateProject, name=NAMES, did=LINES.map(tuple), skills=SKILLS, start=DATES, end=DATES)
POSITIONS = st.builds(CandidateExperience, employer=NAMES, role=NAMES, did=LINES.map(tuple), skills=SKILLS, end=DATES)
DEGREES = st.builds(CandidateEducation, school=NAMES, degree=NAMES, subject=NAMES, end=DATES)
PROFILES = st.builds(
    CandidateProfile,
    skills=SKILLS,
    projects=st.lists(PROJECTS, max_size=4).map(tuple),
    experience=st.lists(POSITIONS, max_size=4).map(tuple),
    education=st.lists(DEGREES, max_size=2).map(tuple),
)
DEPTHS = st.one_of(st.none(), st.floats(0, 10))
ANSWERS = st.lists(
    st.tuples(DEPTHS, st.booleans(), st.sampled_from(["struggling", "steady", "confident"])), max_size=60
)


def explored(anchors: tuple[Anchor, ...], answers: list[tuple[float | None, bool, str]]) -> list[Step]:
    """The steps of an interview with these answers: depth, whether something else was asked for, trend."""
    steps: list[Step] = []
    for depth, moves_on, state in [(None, False, "steady"), *answers]:
        asked = [(step.anchor.id, step.aspect) for step in steps]
        step = next_step(anchors, asked, depth=depth, moves_on=moves_on, state=state)  # type: ignore[arg-type]
        if step is None:
            break
        steps.append(step)
    return steps


def test_what_a_job_requires_goes_before_what_it_welcomes() -> None:
    """And that before what it only mentions; where nobody has read it, a mention counts whole."""
    profile = CandidateProfile(skills=("Go", "Rust", "Python", "Perl"))
    text = "We write Rust, Python and Go."
    job = JobRequirements(must_have=("Python",), nice_to_have=("Rust",))
    weights = {each.title: each.weight for each in anchors_of(profile, text, job)}
    assert weights["Python"] > weights["Rust"] >= weights["Go"] > weights["Perl"]
    plain = {each.title: each.weight for each in anchors_of(profile, text)}
    assert plain["Python"] == plain["Rust"] == plain["Go"] == weights["Python"]


def test_a_degree_is_named_once() -> None:
    """Also where a résumé has the subject within it."""
    degree = CandidateEducation(school="Northwind", degree="BSc Physics", subject="Physics")
    assert [each.title for each in anchors_of(CandidateProfile(education=(degree,)))] == ["BSc Physics"]


@given(PROFILES, ANSWERS)
def test_no_aspect_of_an_anchor_comes_twice(
    profile: CandidateProfile, answers: list[tuple[float | None, bool, str]]
) -> None:
    """Whatever the résumé and the answers are."""
    steps = explored(anchors_of(profile, JOB), answers)
    assert len({(step.anchor.id, step.aspect) for step in steps}) == len(steps)


@given(st.lists(st.tuples(DEPTHS, st.booleans(), st.just("steady")), min_size=TWELVE, max_size=TWELVE), st.data())
def test_of_three_projects_each_is_asked_about_twice_in_twelve_questions(
    answers: list[tuple[float | None, bool, str]], data: st.DataObject
) -> None:
    """Whatever else the résumé has, however the answers go, and however often something else is asked for."""
    rest = data.draw(PROFILES)
    names = ("Orbit", "Order portal", "Billing migration")
    profile = rest.model_copy(update={"projects": tuple(CandidateProject(name=name) for name in names)})
    steps = explored(anchors_of(profile, JOB), answers)[:TWELVE]
    asked = Counter(step.anchor.id for step in steps)
    assert all(asked[f"project_{number}"] >= 2 for number in (1, 2, 3))


@given(PROFILES, ANSWERS)
def test_nothing_is_stayed_with_longer_than_its_answers_are_deep(
    profile: CandidateProfile, answers: list[tuple[float | None, bool, str]]
) -> None:
    """A thin answer, or the wish for something else, ends it, unless there is nothing else to ask about."""
    anchors = anchors_of(profile, JOB)
    steps = explored(anchors, answers)
    for step, before, (depth, moves_on, _) in zip(steps[1:], steps, answers, strict=False):
        if step.anchor.id == before.anchor.id and (moves_on or depth is None or depth < MIDDLING_FROM):
            left: dict[str, int] = defaultdict(int)
            for each in steps[: steps.index(step)]:
                left[each.anchor.id] += 1
            others = [each for each in anchors if each.id != step.anchor.id]
            assert all(left[each.id] >= 3 for each in others)


@given(PROFILES)
def test_anchors_can_be_told_apart(profile: CandidateProfile) -> None:
    """Each has an id of its own and a name that can be spoken, and the weightiest comes first."""
    anchors = anchors_of(profile)
    assert len({anchor.id for anchor in anchors}) == len(anchors)
    assert all(anchor.name.strip() and "." not in anchor.id for anchor in anchors)
    weights = [anchor.weight for anchor in anchors]
    assert weights == sorted(weights, reverse=True)


def test_a_deep_answer_leads_deeper_and_a_thin_one_elsewhere() -> None:
    """Three aspects of one anchor after deep answers, two after middling ones, one after a thin one."""
    anchors = anchors_of(PROFILE, JOB)
    for depth, in_a_row in ((DEEP_FROM, 3), (MIDDLING_FROM, 2), (0.0, 1), (None, 1)):
        steps = explored(anchors, [(depth, False, "steady")] * 6)
        ids = [step.anchor.id for step in steps]
        assert ids[:in_a_row] == [ids[0]] * in_a_row
        assert ids[in_a_row] != ids[0]


def test_what_matters_for_the_job_comes_first() -> None:
    """The first project is the one that fits what the job asks for; another job, another project."""
    assert anchors_of(PROFILE, JOB)[0].id == "project_1"
    front_end = anchors_of(PROFILE, "Front end developer who knows React and builds portals for a warehouse.")
    assert next(anchor for anchor in front_end if anchor.kind == "project").id == "project_2"


def test_who_struggles_is_asked_what_can_be_told() -> None:
    """Weighing up and design wait until there is nothing else."""
    anchors, asked = anchors_of(PROFILE, JOB), []
    for _ in range(6):
        step = next_step(anchors[:1], asked, depth=9.0, state="struggling")
        assert step is not None
        asked.append((step.anchor.id, step.aspect))
    assert not {"tradeoffs", "design"} & {aspect for _, aspect in asked}


def test_an_anchor_is_found_by_what_it_is_called() -> None:
    """By its title or employer, and by nothing else."""
    anchors = anchors_of(PROFILE, JOB)
    assert (found := anchor_named("the chess project orbit", anchors))
    assert found.id == "project_3"
    assert (found := anchor_named("my studies in computer science", anchors))
    assert found.kind == "education"
    assert (found := anchor_named("ask me about my time at fabrikam", anchors))
    assert found.id == "experience_2"
    assert anchor_named("the weather", anchors) is None
    assert anchor_named("", anchors) is None


def test_a_resume_without_anything_to_ask_about_has_no_anchors() -> None:
    """A name and a summary are no work."""
    assert anchors_of(None) == ()
    assert anchors_of(CandidateProfile(name="Robin Example", summary="Somebody who works.")) == ()


def test_the_languages_c_are_three() -> None:
    """C, C++ and C# have ids of their own."""
    ids = {anchor.id for anchor in anchors_of(CandidateProfile(skills=("C", "C++", "C#", "Node.js")))}
    assert ids == {"skill_c", "skill_cpp", "skill_csharp", "skill_node_js"}
