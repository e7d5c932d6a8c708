from __future__ import annotations

import pytest

from agent.rehearsal.alignment import Witness, assemble, latencies, overall_word_accuracy
from agent.rehearsal.candidate import Caption
from agent.rehearsal.conversation import SaidLine
from domain.events import Event, IntentDetected, InterviewEnded, SpeechStarted
from tests.agent.rehearsal.pieces import answered, sound, taken

FEEDBACK = "I noted that kneading builds gluten."
QUESTION = "What happens while it proves overnight?"


def said(text: str, start: float, end: float, turn: int = 1) -> SaidLine:
    """Words of the candidate."""
    return SaidLine(turn, "answer", text, start, end)


def test_a_turn_brings_together_what_was_said_heard_and_decided() -> None:
    """Sounds are as the candidate heard them, decisions as the record has them, all on one clock."""
    events = [taken(1, "it builds gluten", 10.0, 14.0), *answered(1, 14.0, FEEDBACK, QUESTION)]
    heard = sound((2.0, 9.0), (15.6, 17.0), (17.2, 19.0), until=25.0)
    captions = [Caption("s1", 15.3, FEEDBACK, closed=True), Caption("s2", 17.0, QUESTION, closed=True)]
    witness = Witness([said("It builds gluten.", 10.1, 14.05)], captions, heard)

    (turn,), lost = assemble(events, witness, zero=1.0)

    assert (turn.turn, turn.intent, turn.said, turn.recognised) == (
        1,
        "answer",
        "It builds gluten.",
        "it builds gluten",
    )
    assert turn.end_of_speech_s == pytest.approx(13.05)
    assert turn.first_audio_s == pytest.approx(14.6)
    assert turn.feedback_ready_s == pytest.approx(14.2)
    assert turn.feedback_start_s == pytest.approx(14.6)
    assert turn.question_ready_s == pytest.approx(14.4)
    assert turn.supervised_s == pytest.approx(14.5)
    assert turn.question_start_s == pytest.approx(16.2)
    assert (turn.feedback, turn.question, turn.word_accuracy) == (FEEDBACK, QUESTION, 1.0)
    assert turn.scores is not None
    assert lost == []
    assert latencies([turn]) == [pytest.approx(1.55)]


def test_an_answer_that_went_on_is_one_turn() -> None:
    """The part that was taken too early is replaced, and all that was said belongs to the turn that stands."""
    events = [
        taken(1, "it builds", 10.0, 12.0),
        SpeechStarted(at=13.0, speech="feedback", text="I noted that", turn=1),
        taken(2, "it builds gluten", 10.0, 15.0, continues=True),
        *answered(2, 15.0, FEEDBACK, QUESTION),
    ]
    heard = sound((13.2, 13.6), (16.5, 18.0), until=20.0)
    witness = Witness([said("It builds", 10.0, 12.0), said("gluten.", 13.4, 15.0)], [], heard)

    (turn,), lost = assemble(events, witness, zero=0.0)

    assert turn.said == "It builds gluten."
    assert turn.end_of_speech_s == pytest.approx(15.0)
    assert turn.first_audio_s == pytest.approx(16.5)
    assert lost == []


def test_words_said_to_a_dead_worker_are_lost_and_not_part_of_the_next_turn() -> None:
    """Nobody heard them, so they neither count as misheard nor move the next turn's end of speech."""
    events = [taken(1, "here it is again", 40.0, 44.0), *answered(1, 44.0, FEEDBACK, QUESTION)]
    spoken = [said("Nobody hears this.", 10.0, 14.0), said("Here it is again.", 40.0, 44.0)]

    (turn,), lost = assemble(events, Witness(spoken, [], sound(until=50.0)), zero=0.0)

    assert turn.said == "Here it is again."
    assert lost == ["Nobody hears this."]
    assert turn.first_audio_s is None
    assert overall_word_accuracy([turn]) == 1.0


def test_what_is_said_into_a_room_whose_interview_is_over_is_not_lost() -> None:
    """Nobody had to hear it: the goodbye was spoken, and the recording is finished."""
    events = [*answered(1, 14.0, FEEDBACK, QUESTION), InterviewEnded(at=30.0, reason="time_up")]
    spoken = [said("Before the end.", 28.0, 31.0), said("After the end.", 31.0, 33.0)]

    _, lost = assemble(events, Witness(spoken, [], sound(until=50.0)), zero=0.0)

    assert lost == ["Before the end."]


def test_a_turn_taken_in_mid_speech_ends_when_the_interviewer_thought_so() -> None:
    """Its latency is counted from there: the candidate was still speaking when the interviewer answered."""
    events = [taken(1, "it builds", 10.0, 12.0), *answered(1, 12.0, FEEDBACK, QUESTION)]
    witness = Witness([said("It builds gluten and holds gas for long.", 10.0, 18.0)], [], sound((13.0, 15.0), until=20))
    (turn,), _ = assemble(events, witness, zero=0.0)
    assert turn.end_of_speech_s == pytest.approx(12.0)
    assert turn.first_audio_s == pytest.approx(13.0)


def test_a_request_is_a_turn_without_verdicts() -> None:
    """What was said to it is the reply; the next turn's sounds are not its own."""
    events: list[Event] = [
        taken(1, "could you repeat that", 10.0, 12.0),
        IntentDetected(at=12.5, turn=1, intent="repeat", confidence=0.98),
        SpeechStarted(at=13.0, speech="reply", text="Of course. " + QUESTION, turn=1),
        taken(2, "it rises", 20.0, 22.0),
        *answered(2, 22.0, FEEDBACK, QUESTION),
    ]
    heard = sound((13.2, 17.0), (23.5, 25.0), until=30.0)
    asked = SaidLine(1, "repeat", "Could you repeat that?", 10.0, 12.0, is_judged=False)
    turns, _ = assemble(events, Witness([asked], [], heard), zero=0.0)
    request, answer = turns
    assert (request.intent, request.reply, request.verdicts) == ("repeat", "Of course. " + QUESTION, ())
    assert (request.wanted, request.honoured) == ("repeat", True)
    assert (answer.wanted, answer.intent) == (None, "answer")
    assert request.first_audio_s == pytest.approx(13.2)
    assert request.feedback_start_s is None
    assert answer.first_audio_s == pytest.approx(23.5)


def test_an_interviewer_who_never_answered_has_no_latency() -> None:
    """A sound that follows the next turn is no answer to this one."""
    events = [taken(1, "one", 10.0, 11.0), taken(2, "two", 20.0, 21.0, question="q2")]
    turns, _ = assemble(events, Witness([], [], sound((25.0, 26.0), until=30.0)), zero=0.0)
    assert [turn.first_audio_s for turn in turns] == [None, pytest.approx(25.0)]
    assert overall_word_accuracy(turns) is None


def test_nothing_happened() -> None:
    """An empty record has no turns, and what was said is lost."""
    assert assemble([], Witness([said("Hello?", 1.0, 2.0)], [], sound(until=3.0)), zero=0.0) == ([], ["Hello?"])
