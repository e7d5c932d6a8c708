"""Three ways to meet an answer: a coach says what was missing, an interviewer gives nothing away, an exam is silent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from domain.events import FeedbackReady, SettingChanged
from domain.question import KeyPoints, Question
from domain.verdict import Counts, Evaluation, Quote, Verdict
from domain.vocabulary import VerdictStatus
from graph.checkpoints.serializer import serializer
from graph.exploration.aspects import aspect_sheets
from graph.feedback.coaching import coach_on, coached
from graph.feedback.compose import About, Feedback, Manner, compose
from graph.feedback.guardrails import MOST_WORDS, states, tells
from graph.feedback.lessons import LONGEST_LEAD, LONGEST_TRUTH, Lesson, lesson_on
from graph.feedback.noun_phrases import as_subject
from graph.feedback.quoting import own_words
from graph.feedback.structures import STRUCTURES
from graph.judging.scoring import evaluation_of
from graph.planning.questions import from_bank
from graph.templates import feedback_wording
from rag.packs.pack import BankQuestion, FollowUpSeed, Pack, load_packs
from tests.examples import examples
from tests.graph.fakes import Rig, begun, open_question, spoken, tea_pack
from tests.graph.language_models.test_with_models import ScriptedModels

WORDING = feedback_wording()
SAID = "so, um, the copy is kept near the reader and that makes the second read a lot faster"
STATUSES: tuple[VerdictStatus, ...] = ("covered", "partly", "missing", "contradicted")


def taught_pack() -> Pack:
    """The pack about tea, with what holds instead of each misconception, and with a case of each idea."""
    pack = tea_pack()
    questions = [
        each.model_copy(
            update={"corrections": [f"Taste depends on {each.concepts[0]} more than on anything else in the kitchen."]}
        )
        for each in pack.questions
    ]
    concepts = [
        each.model_copy(update={"examples": [f"A cup went wrong because nobody thought of {each.name}."]})
        for each in pack.concepts
    ]
    return pack.model_copy(update={"questions": questions, "concepts": concepts})


def as_asked(bank: BankQuestion, pack: Pack) -> Question:
    """A question of a pack as an interview asks it."""
    names = {concept.id: concept.name for concept in pack.concepts}
    concepts = tuple(names[each] for each in bank.concepts)
    return from_bank(bank, topic_title="t", concepts=concepts, grade="high", attempts=1)


def question_of(number: int = 0, **targets: object) -> Question:
    """A question of that pack, as it is asked; parts of its rubric can be replaced."""
    pack = taught_pack()
    bank = pack.questions[number]
    names = {concept.id: concept.name for concept in pack.concepts}
    asked = from_bank(
        bank, topic_title="t", concepts=tuple(names[each] for each in bank.concepts), grade="high", attempts=1
    )
    return asked.model_copy(update={"targets": asked.targets.model_copy(update=targets)})


def judged(
    question: Question, *statuses: VerdictStatus, stated: bool = False, sure: float = 1.0, said: str = SAID
) -> Evaluation:
    """An evaluation with these statuses for its points, in their order; the rest is missing."""
    points = question.targets.points
    quote = Quote(text=said, first_word=0, last_word=len(said.split()) - 1)
    every = (*statuses, *["missing"] * len(points))
    verdicts = [
        Verdict(point=point, status=status, probability=sure, quote=None if status == "missing" else quote)  # type: ignore[arg-type]
        for point, status in zip(points, every, strict=False)
    ]
    if stated:
        wrong = Quote(text="it makes no difference at all", first_word=90, last_word=95)
        idea = question.targets.misconceptions[0]
        verdicts.append(Verdict(point=idea, kind="misconception", status="contradicted", probability=sure, quote=wrong))
    return evaluation_of("test", question, verdicts)


def meet(question: Question, evaluation: Evaluation, *, knows: bool = True, turn: int = 0) -> tuple[Lesson, Feedback]:
    """What a coach says about an answer."""
    concept = taught_pack().concept(question.concepts[0]) if question.concepts else None
    lesson = lesson_on(evaluation, question, concept=concept, knows=knows)
    assert lesson is not None
    about = About(
        gap=as_subject(question.concepts[0]) if question.concepts else "",
        strength="storage",
        parts=dict(zip(question.targets.points, question.targets.parts, strict=False)),
        own_work=question.source == "resume",
    )
    return lesson, coached(evaluation, about, lesson, Manner(turn=turn, wording=WORDING, knows=knows))


def test_a_coach_says_the_first_open_point_outright_behind_what_was_good() -> None:
    """In the candidate's words what was there, in the pack's what the whole answer also has."""
    question = question_of()
    lesson, feedback = meet(question, judged(question, "covered"))
    assert lesson.told == question.targets.points[1:2]
    assert feedback.structure in {"strength add", "noted add"}
    assert "makes the second read a lot faster" in feedback.sentences[0]
    assert feedback.sentences[1].endswith(f"{question.targets.points[1]}.")


@pytest.mark.parametrize(("told", "heading"), [(False, "coach.recap"), (True, "coach.add")])
def test_of_what_was_perhaps_said_nobody_says_that_it_comes_on_top(told: bool, heading: str) -> None:
    """Whoever said it would hear that they left it out; it is put into a sentence for them."""
    question = question_of()
    evaluation = judged(question, "covered")
    unsure = [
        each.model_copy(update={"told": told}) if each.status == "missing" else each for each in evaluation.verdicts
    ]
    lesson, feedback = meet(question, evaluation.model_copy(update={"verdicts": tuple(unsure)}))
    assert feedback.sentences[1] in {way.format(truth=lesson.truth) for way in WORDING.ways(heading)}


def test_what_is_not_surely_right_is_not_praised() -> None:
    """Who made a point, as far as anybody can tell, hears their words back; neither they nor ideas are called good."""
    question = question_of()
    evaluation = judged(question, "covered", "covered", "partly")
    unsure = [
        each.model_copy(update={"told": False if each.status == "covered" else None}) for each in evaluation.verdicts
    ]
    evaluation = evaluation.model_copy(update={"verdicts": tuple(unsure)})
    lesson, feedback = meet(question, evaluation)
    assert lesson.told == question.targets.points[2:3]
    assert feedback.structure == "heard add"
    said = own_words(evaluation.credited[0])
    assert said
    assert feedback.sentences[0] in {way.format(said=said) for way in WORDING.ways("heard")}
    assert feedback.sentences[1] in {way.format(truth=f"{lesson.truth}") for way in WORDING.ways("coach.recap")}
    for turn in range(12):
        spoken = compose(evaluation, About(gap="time", strength="warmth"), Manner(turn=turn, wording=WORDING))
        assert {"strength", "noted"}.isdisjoint(spoken.structure.split())


def test_nobody_is_on_firm_ground_with_what_is_to_be_checked() -> None:
    """An idea is not praised by name and doubted by the same name in one breath."""
    question = question_of()
    evaluation = judged(question, "covered", stated=True)
    bare = [
        each.model_copy(update={"quote": each.quote and each.quote.model_copy(update={"text": "an um"})})
        for each in evaluation.verdicts
    ]
    evaluation = evaluation.model_copy(update={"verdicts": tuple(bare)})
    assert evaluation.doubts
    composer = Manner(turn=0, wording=WORDING)
    for strength, named in (("time", 1), ("warmth", 1)):
        lesson = lesson_on(evaluation, question)
        feedback = coached(evaluation, About(gap="time", strength=strength), lesson, composer)
        assert feedback.text.count("time") == named
        assert ("warmth" in feedback.text) == (strength == "warmth")


def test_what_is_to_be_checked_is_not_praised_by_name_for_want_of_room() -> None:
    """Where the candidate's words are too long to be said back, either."""
    question = question_of()
    evaluation = judged(question, "covered", stated=True)
    lesson = lesson_on(evaluation, question)
    assert lesson is not None
    coach = coach_on(evaluation, About(gap="time", strength="time"), lesson, Manner(turn=0, wording=WORDING))
    assert "time" not in coach.sentence("strength.plain")


def test_what_was_half_said_is_said_in_full() -> None:
    """Where the half is what is praised, the other half follows."""
    question = question_of()
    lesson, feedback = meet(question, judged(question, "partly", "covered", "covered"))
    assert lesson.told == question.targets.points[:1]
    praised = judged(question, "partly", "partly", "partly")
    lesson, feedback = meet(question, praised)
    assert feedback.sentences[1] in {way.format(truth=f"{lesson.told[0]}.") for way in WORDING.ways("coach.half")}


def test_a_point_that_is_surely_open_comes_before_one_that_may_have_been_said() -> None:
    """Otherwise the author's order counts."""
    question = question_of()
    first, second, third = question.targets.points
    verdicts = [
        Verdict(point=first, status="missing", probability=0.45, told=False),
        Verdict(point=second, status="missing", probability=0.9, told=True),
        Verdict(point=third, status="missing", probability=0.9, told=True),
    ]
    lesson = lesson_on(evaluation_of("test", question, verdicts), question)
    assert lesson is not None
    assert lesson.told == (second,)


def test_of_points_that_may_have_been_said_the_one_that_was_hardly_said_is_told() -> None:
    """A judge that does not say how likely each status is leaves it to the author's order."""
    question = question_of()
    first, second, third = question.targets.points
    likely, hardly = Counts(covered=0.4, missing=0.6), Counts(partly=0.2, missing=0.8)
    verdicts = [
        Verdict(point=first, status="missing", probability=0.5, told=False, counts=likely),
        Verdict(point=second, status="missing", probability=0.5, told=False, counts=hardly),
        Verdict(point=third, status="covered", probability=0.9),
    ]
    lesson = lesson_on(evaluation_of("test", question, verdicts), question)
    assert lesson is not None
    assert lesson.told == (second,)
    silent = [each.model_copy(update={"counts": None}) for each in verdicts]
    lesson = lesson_on(evaluation_of("test", question, silent), question)
    assert lesson is not None
    assert lesson.told == (first,)


def test_what_does_not_hold_is_named_and_corrected() -> None:
    """A misconception by the pack's correction, a key point by itself; and neither is asked about."""
    question = question_of()
    lesson, feedback = meet(question, judged(question, "covered", stated=True))
    assert feedback.structure.endswith("doubt correct")
    assert "makes no difference at all" in feedback.text
    assert question.targets.corrections[0] in feedback.text
    assert lesson.told[0] == question.targets.misconceptions[0]
    lesson, feedback = meet(question, judged(question, "covered", "contradicted", "covered"))
    assert lesson.told == question.targets.points[1:2]
    assert question.targets.points[1] in feedback.text


def test_who_was_corrected_is_corrected_on_all_that_they_said_in_those_words() -> None:
    """A key point and a misconception often speak of one claim: nobody is asked about it after that."""
    question = question_of(corrections=())
    evaluation = judged(question, "covered", "contradicted")
    wrong = next(each for each in evaluation.verdicts if each.status == "contradicted")
    also = wrong.model_copy(update={"point": question.targets.misconceptions[0], "kind": "misconception"})
    both = evaluation.model_copy(update={"verdicts": (*evaluation.verdicts, also)})
    lesson = lesson_on(both, question)
    assert lesson is not None
    assert {also.point, wrong.point} <= set(lesson.told)


def test_of_a_doubt_that_is_not_sure_what_holds_is_said_and_nobody_is_doubted() -> None:
    """The better an answer, the surer a contradiction has to be; what holds is true whoever is right."""
    question = question_of()
    evaluation = judged(question, "covered", "covered", stated=True, sure=0.55)
    lesson, feedback = meet(question, evaluation)
    assert lesson.kind == "recap"
    assert lesson.doubt is None
    assert lesson.truth in question.targets.corrections
    assert question.targets.misconceptions[0] in lesson.told
    assert feedback.structure == "strength add"
    assert feedback.sentences[1] in {way.format(truth=lesson.truth) for way in WORDING.ways("coach.recap")}
    again = lesson_on(evaluation, question, told=lesson.told)
    assert again is not None
    assert again.truth != lesson.truth


def test_words_that_perhaps_do_not_hold_are_not_praised() -> None:
    """Where they rest on what may be wrong, the idea is named."""
    question = question_of()
    evaluation = judged(question, "covered", "contradicted", sure=0.55)
    untold = [
        each.model_copy(update={"told": False if each.status == "contradicted" else None})
        for each in evaluation.verdicts
    ]
    evaluation = evaluation.model_copy(update={"verdicts": tuple(untold)})
    assert own_words(evaluation.credited[0])
    assert not evaluation.doubts
    _, feedback = meet(question, evaluation)
    assert own_words(evaluation.credited[0]) not in feedback.text


def test_without_a_correction_the_doubt_is_told_and_a_point_that_is_open() -> None:
    """As in packs that somebody wrote before there were corrections."""
    question = question_of(corrections=())
    lesson, feedback = meet(question, judged(question, "covered", stated=True))
    assert lesson.kind == "doubt"
    assert feedback.structure.endswith("doubt add")
    assert question.targets.misconceptions[0] not in lesson.told
    assert f"{question.targets.points[1]}." in feedback.text


def test_who_does_not_know_hears_what_it_is_about_and_a_case() -> None:
    """In words for somebody who meets it for the first time."""
    question = question_of()
    lesson, feedback = meet(question, judged(question), knows=False)
    assert feedback.structure == "honest gist example"
    assert "The basics of oxidation." in feedback.text
    assert "A cup went wrong because nobody thought of oxidation." in feedback.text
    assert lesson.kind == "gist"


def test_who_said_it_all_hears_a_case_to_have_ready_and_never_the_same_twice() -> None:
    """Praise alone teaches nothing; when there is no case that they have not heard, there is only that."""
    question = question_of()
    concept = taught_pack().concept(question.concepts[0])
    all_of_it = judged(question, "covered", "covered", "covered")
    lesson, feedback = meet(question, all_of_it)
    case = "A cup went wrong because nobody thought of oxidation."
    assert lesson.kind == "case"
    assert feedback.sentences[1] in {way.format(truth=case) for way in WORDING.ways("coach.case")}
    assert lesson_on(all_of_it, question, concept=concept, told=lesson.told) is None
    follow_up = question.model_copy(update={"kind": "follow_up"})
    assert lesson_on(all_of_it, follow_up, concept=concept) is None


def test_a_case_comes_before_a_point_that_was_made_as_far_as_anybody_can_tell() -> None:
    """Of such points every other one was said in full; where there is no case, it is put into a sentence after all."""
    question = question_of()
    made = judged(question, "covered", "covered", "covered", sure=0.45)
    concept = taught_pack().concept(question.concepts[0])
    kinds = [lesson.kind for each in (concept, None) if (lesson := lesson_on(made, question, concept=each))]
    assert kinds == ["case", "recap"]


STORY = """The shop asked for a new form and nobody agreed on it, so I wrote down what each of them wanted, I showed it
to all of them, I asked which of it they needed on the first day, and then I built just that and they were glad of it"""
OUR_STORY = STORY.replace(" I ", " we ").replace(" first ", " two ").replace(" nobody ", " none of us ")


@pytest.mark.parametrize(
    ("told", "tip"),
    [(STORY, "figure"), (f"{STORY} after two weeks", None), (OUR_STORY, "mine"), ("I built it", None)],
)
def test_a_story_with_all_its_parts_is_told_better_by_what_anybody_can_hear(told: str, tip: str | None) -> None:
    """It has no number, or nobody knows what the candidate did themselves. Each is said once in an interview."""
    question = question_of(parts=("situation", "action", "result"))
    all_of_it = judged(question, "covered", "covered", "covered", said=told)
    lesson = lesson_on(all_of_it, question, words=told.split())
    assert (lesson and lesson.tip) == tip
    if lesson:
        about = About(parts=dict(zip(question.targets.points, question.targets.parts, strict=True)))
        feedback = coached(all_of_it, about, lesson, Manner(turn=0, wording=WORDING))
        assert feedback.sentences[1] in WORDING.ways(f"coach.tip.{tip}")
        assert lesson_on(all_of_it, question, words=told.split(), told=lesson.told) is None


def test_who_does_not_know_what_a_follow_up_asks_for_hears_just_that() -> None:
    """It asks for one thing, so the gist of the whole matter would be no answer."""
    question = question_of().model_copy(update={"kind": "follow_up"})
    lesson, feedback = meet(question, judged(question), knows=False)
    assert feedback.structure == "honest add"
    assert lesson.told == question.targets.points[:1]
    assert f"{question.targets.points[0]}." in feedback.text


def test_of_a_story_it_is_said_which_part_is_missing_and_how_to_tell_it() -> None:
    """As the pack says it, else by the part; its key points are never read out."""
    parts = ("situation", "action", "result")
    question = question_of(parts=parts, spoken=("", "", "Say what changed in the end, with a number."))
    told = judged(question, "covered", "covered")
    _, feedback = meet(question, told)
    assert "Say what changed in the end, with a number." in feedback.text
    lesson, feedback = meet(question, judged(question, "covered"))
    assert feedback.sentences[-1] in WORDING.ways(f"coach.part.{lesson.part}")
    assert not any(point in feedback.text for point in question.targets.points)


def test_of_a_good_story_the_part_that_is_as_likely_as_not_untold_gets_advice() -> None:
    """Praise alone helps nobody to tell it better; where all of it was surely told there is nothing to add."""
    question = question_of(parts=("situation", "action", "result"), spoken=("", "Say what you did first.", ""))
    evaluation = judged(question, "covered", "covered", "covered")

    def second_told(probability: float) -> Evaluation:
        first, second, third = evaluation.verdicts
        unsure = second.model_copy(update={"probability": probability, "told": False})
        return evaluation.model_copy(update={"verdicts": (first, unsure, third)})

    lesson, feedback = meet(question, second_told(0.4))
    assert lesson.told == question.targets.points[1:2]
    assert "Say what you did first." in feedback.text
    assert lesson_on(second_told(0.6), question) is None


def test_of_ones_own_work_only_what_was_surely_left_out_is_missed() -> None:
    """As everywhere: nobody hears that they left out what they may have told."""
    targets = aspect_sheets().targets("challenges")
    question = question_of().model_copy(update={"source": "resume", "concepts": (), "targets": targets})

    def covered_first(*, told: bool) -> Evaluation:
        evaluation = judged(question, "covered", sure=0.8)
        verdicts = (
            each.model_copy(update={"told": told}) if each.status == "missing" else each for each in evaluation.verdicts
        )
        return evaluation.model_copy(update={"verdicts": tuple(verdicts)})

    lesson, feedback = meet(question, covered_first(told=True))
    assert feedback.sentences[-1] in WORDING.ways(f"coach.part.{lesson.part}")
    assert lesson_on(covered_first(told=False), question) is None


def test_a_sentence_that_is_too_long_is_not_said_at_all() -> None:
    """The next open point is told in its place."""
    long = "This goes on and " * 12 + "on"
    question = question_of(points=(long, *question_of().targets.points[1:]))
    lesson, feedback = meet(question, judged(question))
    assert lesson.told == question.targets.points[1:2]
    assert "goes on" not in feedback.text


def test_what_leads_to_it_leaves_room_for_it() -> None:
    """So that what is said outright is never dropped."""
    longest_lead = max(len(lead.split()) for lead in WORDING.ways("lead"))
    for name, ways in WORDING.situations.items():
        if name.startswith("coach.") and any("{truth}" in way for way in ways):
            assert max(len(way.split()) - 1 for way in ways) + longest_lead <= LONGEST_LEAD, name
    assert LONGEST_LEAD + LONGEST_TRUTH <= MOST_WORDS


def test_a_point_in_the_first_person_is_said_to_the_candidate() -> None:
    """In the interviewer's mouth "I compare" would be about the interviewer."""
    question = question_of(points=("I compare my tea with water only", *question_of().targets.points[1:]))
    lesson, _ = meet(question, judged(question))
    assert lesson.truth == "You compare your tea with water only."


def shipped() -> Iterator[Question]:
    """Every question that comes with Viva."""
    for pack in load_packs().values():
        names = {concept.id: concept.name for concept in pack.concepts}
        for bank in pack.questions:
            yield from_bank(
                bank, topic_title="t", concepts=tuple(names[each] for each in bank.concepts), grade="high", attempts=1
            )


def answered(question: Question) -> Iterator[tuple[Evaluation, bool]]:
    """Ways to answer a question, and whether the candidate knows anything."""
    count = len(question.targets.points)
    for statuses in ((), ("covered",), ("missing", "covered"), ("partly",) * count, ("covered",) * (count - 1)):
        yield judged(question, *statuses), True
        yield judged(question, *statuses, stated=True), True
    yield judged(question, "contradicted"), True
    yield judged(question), False
    unclear = judged(question).model_copy(update={"scores": None})
    yield unclear, True
    yield unclear.model_copy(update={"verdicts": ()}), True


def test_no_question_of_any_pack_gets_more_than_fifty_five_words_or_a_sentence_twice() -> None:
    """However it was answered, with all corrections and advice that the packs have."""
    packs = load_packs()
    concepts = {concept.name: concept for pack in packs.values() for concept in pack.concepts}
    said: list[str] = []
    for number, question in enumerate(shipped()):
        if number % 3 == 0:
            said = []
        parts = dict(zip(question.targets.points, question.targets.parts, strict=False))
        about = About(gap=as_subject(question.concepts[0]), strength=as_subject(question.concepts[-1]), parts=parts)
        for turn, (evaluation, knows) in enumerate(answered(question)):
            lesson = lesson_on(evaluation, question, concept=concepts[question.concepts[0]], knows=knows)
            feedback = coached(
                evaluation, about, lesson, Manner(turn=turn + number, wording=WORDING, said=said, knows=knows)
            )
            assert 1 <= len(feedback.sentences) <= 3, feedback
            assert len(feedback.text.split()) <= MOST_WORDS, feedback.text
            assert feedback.text.endswith((".", "!", "?"))
            assert lesson is None or lesson.truth in feedback.text
            assert not set(feedback.sentences) & set(said)
            said += feedback.sentences


def test_an_interviewer_gives_no_point_of_any_pack_away() -> None:
    """Whatever was missed."""
    for number, question in enumerate(shipped()):
        about = About(gap=as_subject(question.concepts[0]), strength=as_subject(question.concepts[-1]))
        for turn, (evaluation, knows) in enumerate(answered(question)):
            if question.targets.parts:
                continue
            feedback = compose(evaluation, about, Manner(turn=turn + number, wording=WORDING, knows=knows))
            missed = [point for point in evaluation.missed if not tells(SAID, point)]
            assert not [point for point in missed if any(tells(each, point) for each in feedback.sentences)]
            assert not any(text in feedback.text for text in question.targets.corrections)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from(STATUSES), min_size=3, max_size=3), st.booleans(), st.integers(0, 30))
def test_nobody_is_sent_to_read_up_on_what_they_have_spoken_of(
    statuses: Sequence[VerdictStatus], stated: bool, turn: int
) -> None:
    """Nor thanked twice for one answer."""
    question = question_of()
    evaluation = judged(question, *statuses, stated=stated)
    about = About(gap="oxidation", strength="oxidation", gap_is_theirs=True)
    feedback = compose(evaluation, about, Manner(turn=turn, wording=WORDING))
    study = {way.format(concept="oxidation") for way in WORDING.ways("gap.study")}
    assert not study & set(feedback.sentences)
    assert sum("hank" in each for each in feedback.sentences) <= 1


def test_no_structure_thanks_twice() -> None:
    """Having a go at it and giving an answer are one thing."""
    used = [set(each.split()) for structures in STRUCTURES.values() for each in structures]
    assert not [parts for parts in used if {"effort", "transition"} <= parts and "unclear" not in parts]


ANSWERS = (
    "half of what tea leaves are about", "nothing that helps with this question", "wrong answer about oxidised leaves",
    "nothing that helps with this question", "i don't know", "good answer about oxidation of tea",
)  # fmt: skip


@pytest.mark.parametrize("minutes", [20, 40])
async def test_nobody_is_asked_for_what_they_were_told(minutes: int) -> None:
    """Neither for a point that was told, nor about a doubt that was corrected; the other points are asked for."""
    rig = Rig(pack=taught_pack())
    interview, _ = await begun(rig, minutes=minutes, feedback="coach")
    asked_on = 0
    for turn in range(1, 16):
        if (await interview.progress()).is_over:
            break
        await spoken(interview.answer(ANSWERS[turn % len(ANSWERS)], turn))
        state = await interview.snapshot()
        told = {point for points in state["given_away"].values() for point in points}
        asked = state["current_question"]
        if asked is not None and asked.kind != "retrieved":
            asked_on += 1
            assert not told & {*asked.targets.points, *asked.open_points}
            assert asked.anchor not in told
    assert asked_on
    heard = (await interview.snapshot())["feedback_said"]
    assert len(heard) == len(set(heard))


async def test_a_second_follow_up_knows_all_of_its_points() -> None:
    """Which part of a story they tell and how they are said, though the first follow-up asked for others."""
    parts = ["situation", "task", "result"]
    spoken_points = {number: f"Say more about part number {number}." for number in (1, 2, 3)}
    pack = taught_pack()
    told = [each.model_copy(update={"parts": parts, "spoken_points": spoken_points}) for each in pack.questions]
    seeds = [FollowUpSeed(points=[number], text=f"Could you say more, number {number}?") for number in (1, 2, 3)]
    told = [each.model_copy(update={"follow_ups": seeds}) for each in told]
    rig = Rig(pack=pack.model_copy(update={"questions": told}))
    interview, _ = await begun(rig, feedback="interviewer")
    for turn in (1, 2):
        await spoken(interview.answer("nothing that helps with this question", turn))
        targets = (await open_question(interview)).targets
        assert targets.parts == (parts[turn - 1],)
        assert targets.spoken == (spoken_points[turn],)


async def test_an_interviewer_asks_for_all_that_was_missed() -> None:
    """Nothing was told, so nothing is left out."""
    rig = Rig(pack=taught_pack())
    interview, _ = await begun(rig)
    points = (await open_question(interview)).targets.points
    await spoken(interview.answer("nothing that helps with this question", 1))
    asked = await open_question(interview)
    assert (*asked.targets.points, *asked.open_points) == points
    assert not (await interview.snapshot()).get("given_away")


async def test_an_exam_says_nothing_of_the_verdicts_and_keeps_what_a_coach_would_say() -> None:
    """A word of thanks is heard; what was missing is in the report, and may still be asked for."""
    rig = Rig(pack=taught_pack())
    interview, _ = await begun(rig, feedback="exam")
    points = (await open_question(interview)).targets.points
    says = await spoken(interview.answer("nothing that helps with this question", 1))
    assert says[0].text in WORDING.ways("acknowledge")
    kept, heard = rig.notes.of(FeedbackReady)
    assert (kept.delivery, heard.delivery) == ("kept", "heard")
    assert points[0] in kept.text
    assert (await interview.snapshot())["given_away"] == {}
    assert points[0] in (await open_question(interview)).targets.points


async def test_how_answers_are_met_can_be_asked_for_and_outlives_a_crash() -> None:
    """From the next answer on; the record says so."""
    rig = Rig(pack=taught_pack())
    saver = InMemorySaver(serde=serializer())
    interview = rig.interview(saver, feedback="interviewer")
    await spoken(interview.begin())
    point = (await open_question(interview)).targets.points[0]
    says = await spoken(interview.answer("#feedback_coach", 1))
    assert [say.kind for say in says] == ["reply"]
    again = rig.interview(saver, feedback="interviewer")
    says = await spoken(again.answer("nothing that helps with this question", 2))
    assert point in says[0].text
    await spoken(again.answer("#feedback_interviewer", 3))
    await spoken(again.answer("#feedback_now", 4))
    await spoken(again.answer("#feedback_later", 5))
    await spoken(again.answer("#feedback_now", 6))
    assert [each.value for each in rig.notes.of(SettingChanged)] == ["coach", "interviewer", "exam", "coach"]


async def test_an_interview_of_an_older_version_goes_on_as_it_was() -> None:
    """Its word for feedback after each answer is none any more, and its rubrics have no corrections."""
    rig = Rig()
    interview, _ = await begun(rig, feedback="practice")
    says = await spoken(interview.answer("nothing that helps with this question", 1))
    assert says[0].kind == "feedback"
    assert not (await interview.snapshot()).get("given_away", {}).get(1)
    assert KeyPoints.model_validate({"points": ["a"], "misconceptions": ["b"]}).correction("b") == ""


async def test_what_a_model_says_for_a_coach_must_be_the_point() -> None:
    """Else the point is said in the words of the pack, behind what the model said was good."""
    for second, spoken_by_model in (("Think about it some more.", False), ("Moisture spoils dry leaves.", True)):
        models = ScriptedModels(text=f"You did name the tin.|{second}")
        rig = Rig(pack=_about_leaves(), models=models, model_feedback=True)
        interview, _ = await begun(rig, feedback="coach")
        says = await spoken(interview.answer("half of what tea leaves are about", 1))
        text = " ".join(say.text for say in says if say.kind == "feedback")
        assert "You did name the tin." in text
        assert (second in text) == spoken_by_model
        assert "oisture spoils dry leaves" in text


def _about_leaves() -> Pack:
    """A pack whose first question has one point to tell."""
    pack = taught_pack()
    points = ["Moisture spoils dry leaves", *pack.questions[0].key_points[1:]]
    every = [each.model_copy(update={"key_points": points, "follow_ups": []}) for each in pack.questions]
    return pack.model_copy(update={"questions": every})


def test_a_statement_turned_round_is_not_the_point() -> None:
    """A "not" too many or too few is another claim."""
    truth = "An index makes writes slower, because it has to be updated."
    assert states("The whole answer also has that an index makes writes slower, because it has to be updated.", truth)
    assert not states("An index does not make writes slower, because it has to be updated.", truth)
    assert not states("Think about writes.", truth)
