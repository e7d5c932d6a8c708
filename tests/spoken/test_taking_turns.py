"""Who speaks when: spoken interviews with a candidate who hesitates, and with one who does not stop.

Needs livekit-server and the models that `make test` installs. The personas are in `personas/`.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from agent.model_files.prepare import ModelPaths
from domain.events import AnswerJudged, AnswerTaken, SpeechEnded
from speech import TextNormalizer, Voice
from speech.tts.clauses import split_clauses
from tests.spoken.held import Held, was_heard

OPTIONAL_FIELDS = "I would only add optional fields, so that clients that know nothing of them go on as before"
pytestmark = [pytest.mark.slow, pytest.mark.spoken, pytest.mark.timeout(2700)]


@pytest.mark.parametrize("name", ["hesitant", "lecturing"])
def test_the_interview_ends_well(name: str, held: dict[str, Held]) -> None:
    """Complete, recorded, judged, and what was asked for was understood."""
    assert (held[name].code, held[name].result.faults) == (0, []), held[name].output


def test_thinking_aloud_is_waited_for(held: dict[str, Held]) -> None:
    """After "let me think" two seconds of silence are no end: the answer that is taken has what came after them."""
    hesitant = held["hesitant"]
    first = next(event for event in hesitant.events if isinstance(event, AnswerTaken))
    assert was_heard(OPTIONAL_FIELDS, first.text), first.text
    pauses = [after.start_at - before.end_at for before, after in pairwise(first.words)]
    thinking_s = max(pauses)
    assert thinking_s > 2.0
    words_before = pauses.index(thinking_s) + 1
    assert 2 <= words_before <= 5, first.text  # "let me think", or what the recogniser makes of it


def test_who_goes_on_into_the_feedback_gives_one_answer_that_is_judged_once(held: dict[str, Held]) -> None:
    """The feedback stops, both parts are one answer, and no verdict on the first part alone stands."""
    hesitant = held["hesitant"]
    cut = next(event for event in hesitant.events if isinstance(event, SpeechEnded) and event.speech == "feedback")
    assert cut.interrupted
    joined = next(event for event in hesitant.events if isinstance(event, AnswerTaken) and event.continues)
    assert was_heard(OPTIONAL_FIELDS, joined.text), joined.text
    assert was_heard("I would tell every team early and name the day", joined.text), joined.text
    standing = [turn for turn in hesitant.result.turns if turn.question_id == joined.question_id and turn.scores]
    assert [turn.recognised for turn in standing] == [joined.text]
    assert sum(isinstance(event, AnswerJudged) and event.turn == joined.turn for event in hesitant.events) == 1


def test_a_murmur_does_not_stop_a_question_and_real_words_do(held: dict[str, Held]) -> None:
    """The question goes on over "uh-huh"; "could you say it once more" stops it, and it is asked again."""
    hesitant = held["hesitant"]
    questions = [event for event in hesitant.events if isinstance(event, SpeechEnded) and event.speech == "question"]
    stopped = [number for number, event in enumerate(questions) if event.interrupted]
    assert len(stopped) == 1, [(event.heard, event.interrupted) for event in questions]
    assert questions[stopped[0] + 1].question_id == questions[stopped[0]].question_id
    asked_again = [turn for turn in hesitant.result.turns if turn.intent == "repeat"]
    assert [turn.question_id for turn in asked_again] == [questions[stopped[0]].question_id]
    answered = [turn.recognised for turn in hesitant.result.turns if turn.scores]
    assert not any(text.lower().startswith(("uh", "oh", "ah")) for text in answered)


def test_slower_please_is_heard_in_the_voice(held: dict[str, Held], model_paths: ModelPaths) -> None:
    """What is said after the request takes longer, beside the same words at the voice's own pace."""
    hesitant = held["hesitant"]
    slower = next(turn for turn in hesitant.result.turns if turn.intent == "slower")
    voice = Voice.load(model_paths.voice)
    played_s, own_s = {False: 0.0, True: 0.0}, {False: 0.0, True: 0.0}
    speeches = {False: 0, True: 0}
    for event in hesitant.events:
        if isinstance(event, SpeechEnded) and event.words and not event.interrupted:
            asked = event.turn >= slower.turn
            played_s[asked] += event.words[-1].end_at - event.words[0].start_at
            own_s[asked] += spoken_s(voice, event.heard)
            speeches[asked] += 1
    assert min(speeches.values()) >= 2
    assert played_s[True] / own_s[True] > 1.05 * played_s[False] / own_s[False]


def spoken_s(voice: Voice, text: str) -> float:
    """How long a text takes at the voice's own pace."""
    wording = TextNormalizer(language=voice.language)
    samples = sum(len(voice.speak(wording.say(clause).text).samples) for clause in split_clauses(text))
    return samples / voice.sample_rate


def test_two_minutes_without_a_stop_are_one_answer(held: dict[str, Held]) -> None:
    """Nothing is cut off, and the words of all of it are judged together."""
    lecturing = held["lecturing"]
    first = next(event for event in lecturing.events if isinstance(event, AnswerTaken))
    assert first.words[-1].end_at - first.words[0].start_at > 110
    turn = lecturing.result.turns[0]
    assert turn.scores is not None
    assert turn.recognised == first.text
    assert turn.word_accuracy is not None
    assert turn.word_accuracy > 0.85
    assert was_heard("Other teams depend on this interface, so the first thing I do", first.text[:120])
    assert was_heard(
        "for a whole month do I remove it, together with its tests and its documentation", first.text[-140:]
    )
