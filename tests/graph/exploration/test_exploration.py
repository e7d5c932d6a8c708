"""Questions about a résumé in an interview: what is asked, what is kept of it, and how the candidate comes to it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from domain.candidate import CandidateProfile
from domain.events import FellBack, InterviewCreated, SettingChanged
from domain.question import QuestionRecord
from domain.vocabulary import FeedbackMode
from graph.checkpoints.serializer import serializer
from graph.exploration.explored import main_questions
from graph.intents import RuleDetector
from graph.selectors import phase_of
from graph.state import InterviewState
from tests.graph.exploration.resume import PROFILE, ResumeRig, about_resume
from tests.graph.fakes import Rig, begun, kinds, open_question, spoken, tea_pack

TWELVE = 12


async def test_checkpoint_recovery() -> None:
    """A worker that dies in an interview about a résumé is followed by one that goes on from the last checkpoint."""
    saver, rig = InMemorySaver(serde=serializer()), Rig()
    first = about_resume(rig, saver=saver)
    await spoken(first.begin())
    await spoken(first.answer("good answer about the hard part of it", 1))
    asked, explored = await open_question(first), (await first.snapshot())["resume_exploration"]

    second = about_resume(Rig(), saver=saver)
    says = await spoken(second.resume())
    assert says[0].text.endswith(asked.text)
    state = await second.snapshot()
    assert (state["mode"], state["resume_structured"], state["resume_exploration"]) == ("resume", PROFILE, explored)
    await spoken(second.answer("good answer again and in some detail", 2))
    pairs = [(record.anchor, record.aspect) for record in (await second.snapshot())["questions_asked"]]
    assert len(set(pairs)) == len(pairs) == 3


async def test_intent_detection() -> None:
    """Whoever asks for questions about their projects gets them, and a technical assessment when they ask for that."""
    rig = ResumeRig(detector=RuleDetector())
    interview = about_resume(rig, mode="plan")
    await spoken(interview.begin())
    assert (await open_question(interview)).source == "plan"

    says = await spoken(interview.answer("Can you ask me about my projects, please?", 1))
    assert kinds(says) == ["reply", "question"]
    assert (await open_question(interview)).source == "resume"
    state = await interview.snapshot()
    assert (state["mode"], state["phase"]) == ("resume", "exploration")

    await spoken(interview.answer("Can we do a technical assessment?", 2))
    assert (await open_question(interview)).source == "plan"
    state = await interview.snapshot()
    assert (state["mode"], state["phase"]) == ("plan", "technical")
    assert rig.notes.changed == [("mode", "resume"), ("mode", "plan")]


async def test_question_deduplication() -> None:
    """The same aspect of the same anchor never comes twice, nor the same words, however long the interview is."""
    rig = Rig()
    interview = about_resume(rig, minutes=90)
    await spoken(interview.begin())
    for turn in range(1, 40):
        if (await interview.progress()).is_over:
            break
        await spoken(
            interview.answer(f"{'good' if turn % 3 else 'half of an'} answer, this is the number {turn}", turn)
        )
    records = (await interview.snapshot())["questions_asked"]
    explored = main_questions(records)
    assert len({(each.anchor, each.aspect) for each in explored}) == len(explored) == TWELVE
    assert len({each.text for each in explored}) == TWELVE
    assert not rig.notes.of(FellBack)


@pytest.mark.parametrize("quality", ["good", "half of an", "no"])
async def test_resume_exploration(quality: str) -> None:
    """Of three projects twelve questions ask about different aspects of each, whatever the answers are like."""
    interview = about_resume(Rig())
    await spoken(interview.begin())
    for turn in range(1, 40):
        if (await interview.progress()).is_over:
            break
        await spoken(interview.answer(f"{quality} answer, and this is the number {turn}", turn))
    explored = (await interview.snapshot())["resume_exploration"]
    projects = [explored[f"project_{number}"] for number in (1, 2, 3)]
    assert all(len(set(each.aspects_covered)) >= 2 for each in projects)
    assert sum(len(each.aspects_covered) for each in explored.values()) == TWELVE


async def test_evaluation() -> None:
    """Each answer is judged by what its aspect asks for, and how deep it went decides whether it is stayed with."""
    rig = Rig()
    interview = about_resume(rig)
    await spoken(interview.begin())
    question = await open_question(interview)
    assert (question.source, question.targets.parts) == ("resume", ("problem", "action", "result"))
    await spoken(interview.answer("good answer with all that was asked for", 1))
    evaluation = rig.notes.evaluations[0]
    assert [verdict.point for verdict in evaluation.verdicts] == list(question.targets.points)
    assert evaluation.scores is not None
    assert evaluation.scores.overall == 10
    assert (await open_question(interview)).anchor == question.anchor
    explored = (await interview.snapshot())["resume_exploration"]
    assert explored[str(question.anchor)].depth_score == pytest.approx(10 / 3, abs=0.01)


@pytest.mark.parametrize(
    "said", ["I think I've said what there is to say about that.", "That's about it from my side.", "Nothing to add."]
)
@pytest.mark.parametrize("mode", ["coach", "interviewer"])
async def test_who_has_told_all_there_is_is_not_asked_for_more(said: str, mode: FeedbackMode) -> None:
    """Another part of the résumé comes, and nobody thanks them for an explanation that they did not give."""
    rig = Rig()
    interview = about_resume(rig, feedback=mode)
    await spoken(interview.begin())
    first = await open_question(interview)
    await spoken(interview.answer("nothing that helps with this question", 1))
    follow_up = await open_question(interview)
    await spoken(interview.answer(said, 2))
    second = await open_question(interview)
    await spoken(interview.answer(said, 3))
    third = await open_question(interview)

    assert (follow_up.kind, second.kind, third.kind) == ("follow_up", "retrieved", "retrieved")
    assert len({first.anchor, second.anchor, third.anchor}) == 3
    assert [structure.split()[0] for structure in rig.notes.structures[1:]] == ["done", "done"]


async def test_a_thin_answer_is_followed_up_once_and_then_left() -> None:
    """What was left out is asked for once; after that another part of the résumé comes."""
    interview = about_resume(Rig())
    await spoken(interview.begin())
    first = await open_question(interview)
    await spoken(interview.answer("nothing that helps with this question", 1))
    follow_up = await open_question(interview)
    assert (follow_up.kind, follow_up.parent, follow_up.source) == ("follow_up", first.id, "resume")
    await spoken(interview.answer("nothing more comes to mind about this", 2))
    assert (await open_question(interview)).anchor not in (first.anchor, follow_up.anchor)


async def test_a_follow_up_may_be_asked_about_different_work_in_the_same_words() -> None:
    """To ask how it ended is no repetition when it is about something else."""
    rig = Rig()
    interview = about_resume(rig)
    await spoken(interview.begin())
    for turn in range(1, 20):
        if (await interview.progress()).is_over:
            break
        await spoken(interview.answer(f"nothing that helps with question number {turn}", turn))
    assert sum(question.question_kind == "follow_up" for question in rig.notes.questions) >= 6
    assert not rig.notes.of(FellBack)


async def test_feedback_does_not_point_at_what_is_asked_for_next() -> None:
    """Nobody hears that something was left out and is then asked for it in the same breath."""
    rig = Rig()
    interview = about_resume(rig)
    await spoken(interview.begin())
    await spoken(interview.answer("nothing that helps with this question", 1))
    assert "gap" not in rig.notes.structures[0].split()


async def test_without_a_usable_resume_the_interviewer_says_so_and_stays() -> None:
    """Asked for a résumé that is not there, one sentence says so, and the open question is asked again."""
    interview, opening = await begun(Rig())
    says = await spoken(interview.answer("#about_resume", 1))  # type: ignore[attr-defined]
    question = opening[1].text.partition(". ")[2]
    assert kinds(says) == ["question"]
    assert "résumé" in says[0].text
    assert says[0].text.endswith(question)
    assert (await interview.snapshot())["mode"] == "plan"  # type: ignore[attr-defined]


async def test_a_resume_that_says_nothing_leads_to_the_plan() -> None:
    """Whoever chose the résumé hears at the beginning that it cannot be used, and is asked about the topics."""
    interview = about_resume(Rig(), profile=CandidateProfile(name="Robin Example", summary="A person."))
    says = await spoken(interview.begin())
    assert "couldn't find any projects" in says[1].text
    assert (await open_question(interview)).source == "plan"
    assert tea_pack().title.lower() in says[0].text.lower()


async def test_a_wish_at_the_end_of_an_answer_is_honoured_as_well() -> None:
    """The answer is judged, and the next question comes from where the candidate wants it, and so do those after it."""
    rig = Rig()
    interview = about_resume(rig, mode="plan")
    await spoken(interview.begin())
    await spoken(interview.answer("good answer about oxidation of tea #about_resume", 1))
    assert len(rig.notes.evaluations) == 1
    assert (await open_question(interview)).source == "resume"
    await spoken(interview.answer("good answer about this one too", 2))
    assert (await open_question(interview)).source == "resume"
    assert [(each.what, each.value) for each in rig.notes.of(SettingChanged)] == [("mode", "resume")]


async def test_a_part_of_the_resume_can_be_asked_for_by_name() -> None:
    """The name of a project leads there; a topic of the pack leads to the pack, for one question."""
    interview = about_resume(Rig())
    await spoken(interview.begin())
    says = await spoken(interview.answer("#change_topic the order portal", 1))
    assert "nothing under that name" not in says[0].text
    assert (await open_question(interview)).anchor == "project_2"
    await spoken(interview.answer("#change_topic serving", 2))
    assert (await open_question(interview)).topic == "serving"
    await spoken(interview.answer("good answer about serving", 3))
    assert (await open_question(interview)).source == "resume"


async def test_a_skip_leads_to_something_else() -> None:
    """Who does not want to talk about it is asked about another part of their work."""
    interview = about_resume(Rig())
    await spoken(interview.begin())
    first = await open_question(interview)
    await spoken(interview.answer("#skip", 1))
    assert (await open_question(interview)).anchor != first.anchor


async def test_hints_and_other_words_are_there() -> None:
    """Help with a question about one's own work is a ladder like that of any other question."""
    interview = about_resume(Rig())
    await spoken(interview.begin())
    hints = [(await spoken(interview.answer("#hint", turn)))[0].text for turn in (1, 2, 3)]
    assert len(set(hints)) == 3
    question = await open_question(interview)
    assert (await spoken(interview.answer("#rephrase", 4)))[0].text.endswith(question.text)


async def test_the_state_says_where_the_interview_stands() -> None:
    """Skills of the résumé, phase and how the candidate is getting on are explicit; old states have defaults."""
    assert phase_of(InterviewState()) == "intro"
    interview = about_resume(Rig(), minutes=30, user_id="robin")
    await spoken(interview.begin())
    state = await interview.snapshot()
    assert phase_of(state) == "intro"
    assert (state["user_id"], state["resume_skills"]) == ("robin", ["Python", "Kafka", "PostgreSQL"])
    states = []
    for turn in range(1, 5):
        await spoken(interview.answer(f"nothing that helps with question number {turn}", turn))
        states.append((await interview.snapshot())["candidate_state"])
    assert states[0] == "steady"
    assert states[-1] == "struggling"
    await spoken(interview.answer("#stop", 9))
    assert (await interview.snapshot())["phase"] == "closing"


async def test_progress_speaks_of_what_was_told_and_not_of_an_id() -> None:
    """Nobody is told aloud that they did well in project_1."""
    interview = about_resume(Rig())
    await spoken(interview.begin())
    await spoken(interview.answer("good answer with all that was asked for", 1))
    (reply,) = await spoken(interview.answer("#how_am_i_doing", 2))
    assert "what you told me about" in reply.text
    assert "project_" not in reply.text


async def test_an_exam_gives_nothing_away() -> None:
    """In an exam an answer about one's own work is acknowledged, and what was good is kept for the report."""
    rig = Rig()
    interview = about_resume(rig, feedback="exam")
    await spoken(interview.begin())
    says = await spoken(interview.answer("good answer with all that was asked for", 1))
    assert kinds(says) == ["feedback", "question"]
    assert rig.notes.structures == [rig.notes.structures[0], "acknowledgement"]


async def test_what_is_said_before_a_question_does_not_come_twice_in_a_row() -> None:
    """Words that lead from one part of the résumé to the next vary."""
    interview = about_resume(Rig())
    says = await spoken(interview.begin())
    leads = [(await open_question(interview)).lead_in]
    for turn in range(1, 12):
        says = await spoken(interview.answer(f"good answer, and this is number {turn}", turn))
        if kinds(says)[-1] == "question":
            leads.append((await open_question(interview)).lead_in)
    assert all(one != other for one, other in pairwise(leads))


async def test_what_is_likely_to_be_said_is_of_the_resume() -> None:
    """A recogniser is told the skills and the words of the question, and none of the parts that any work has."""
    interview = about_resume(Rig())
    await spoken(interview.begin())
    terms = (await interview.expected()).terms
    assert {"Kafka", "PostgreSQL"} <= set(terms)
    assert "explain" not in terms


def test_records_of_before_there_was_another_source_are_read() -> None:
    """Questions that were asked came from the plan then, and nobody had wished for anything else."""
    old = {"id": "q1", "text": "Why?", "kind": "retrieved", "topic": "t", "difficulty": "easy", "turn": 0}
    assert QuestionRecord.model_validate(old).source == "plan"
    created = InterviewCreated(
        at=0.0, candidate_name="Ada", pack="tea", pack_title="Tea", minutes=20, feedback="coach", room=""
    )
    assert InterviewCreated.model_validate(created.model_dump(exclude={"mode"})).mode is None
