"""Reading what somebody typed takes time in proportion to its length, whatever it is.

`re` holds the interpreter's lock: a search whose time grows with the square of the text stops every interview of a
process. Compared is the processor time of this thread for a text and for one four times as long.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from domain.person import user_id_of
from domain.verdict import Quote, Verdict
from graph.candidate.job import read_job
from graph.candidate.profile import doubt, read_profile
from graph.exploration.second_person import in_second_person
from graph.exploration.spoken_names import spoken_project
from graph.feedback.quoting import own_words
from graph.intents import resume
from graph.intents.cues import cue_features
from graph.intents.noise import is_noise
from graph.intents.normalize import Utterance
from graph.intents.self_repair import withdrawal
from graph.intents.slots import detail
from graph.intents.span_boundaries import context
from graph.judging.contradictions.numbers import quantities
from graph.judging.own_work import told
from graph.language_models.parsing import _json_in
from graph.language_models.prompt_history import cut_document
from graph.language_models.prompts import chat_prompt
from graph.language_models.sentence_stream import SentenceCutter
from graph.metrics.marks import find_marks
from graph.planning.role import read_role
from speech.text_normalization import TextNormalizer
from speech.tts.clauses import split_clauses
from tests.graph.fakes import tea_pack

pytestmark = pytest.mark.slow  # half a minute of one processor, which nothing beside it should take a part of

SHORT, LONG = 2_000, 8_000
"""Characters."""
MOST_GROWTH = 10.0
"""Four times the text takes four times as long, and sixteen times where every place is compared with every other.
What else the machine does has made eight times of four."""
UNMEASURABLE_S = 0.005
"""Less than this is taken for as much: other things happen in a process, too."""
RUNS = 5
"""Where a text seems to take long it is read so often, and the quickest counts."""

UNITS = (
    "A.", "A. ", "a.", "a. ", "A ", "a", "a ", "1", "1 ", "1.", "1, ", " ", "\n", "\n\n", "\n ", ".", ". ", "!", "' ",
    '"', '"\\', "-", "--", "a-", "_", "<", "< ", "{", "(", "a, ", ", ", "a b\n\n", "\N{EM DASH} ",
)  # fmt: skip
REQUESTS = (
    "no ", "wait ", "sorry,", "and ", "so much ", "just ", "very ", "what is ", "by ", "do not know what ",
    "questions ", "no scrap that ", "that is wrong ", "i mean ", "do you want the ", "just,", "very,",
    "what,is,", "questions,",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_garbage_is_collected() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def seconds(read: Callable[[str], object], text: str) -> float:
    """Processor time that one reading takes."""
    began = time.thread_time()
    read(text)
    return max(UNMEASURABLE_S, time.thread_time() - began)


def growth(read: Callable[[str], object], short: str, long: str) -> float:
    """How many times longer the reading of a longer text takes."""
    found = seconds(read, long) / seconds(read, short)
    if found < MOST_GROWTH:
        return found
    # Another text each time: some readings are kept.
    again = [[seconds(read, text[: len(text) - run]) for run in range(1, RUNS + 1)] for text in (short, long)]
    return min(again[1]) / min(again[0])


def said(text: str) -> Utterance:
    """The words of an utterance, one at least."""
    return Utterance(text.split() or ["."])


def role(text: str) -> object:
    """Whom the interview is for, from a résumé and a job description."""
    return read_role(text, text, tea_pack())


def hiring(text: str) -> object:
    """The same where a company is looked for at many places."""
    return role(text.replace(".", " is hiring "))


def takes_back(text: str) -> object:
    """Words that take back what was said."""
    return withdrawal(said(text).whole)


def nothing(text: str) -> object:
    """Whether an utterance is noise."""
    return is_noise(said(text).whole)


def asks(text: str) -> object:
    """What a request is, and what it is about."""
    stretch = context(said(text))
    return cue_features(stretch), detail("clarify", stretch.text), detail("change_topic", stretch.text)


def said_back(text: str) -> object:
    """The candidate's own words in the interviewer's mouth."""
    words = text.split() or ["."]
    place = Quote(text=" ".join(words), first_word=0, last_word=len(words) - 1)
    return own_words(Verdict(point="a point", kind="key_point", status="covered", quote=place, probability=1, rule=""))


def of_own_work(text: str) -> object:
    """A part of an account of one's own work."""
    words = text.split() or ["."]
    return told("reason", words), told("measure", words)


def asks_about_resume(text: str) -> object:
    """A wish to be asked about one's own work."""
    return resume.find(said(f"{text} my"))


def of_resume(text: str) -> object:
    """A line and a heading of a résumé, as they are spoken."""
    return in_second_person(f"Built {text}"), spoken_project(text)


def in_sentences(text: str) -> object:
    """A model's reply in sentences."""
    return SentenceCutter().take(text)


def first_json(text: str) -> object:
    """JSON in a model's reply."""
    return list(_json_in(f"{{{text}"))


def between_tags(text: str) -> object:
    """A document between the tags of a prompt, behind what may be one."""
    return chat_prompt("context").values({"resume": f"<{text}"})


def reasoned(text: str) -> object:
    """The words by which an answer shows its reasoning."""
    return find_marks(text.split())


def in_a_resume(text: str) -> object:
    """A profile, below headings that have it read in every way."""
    part = text[: len(text) // 3]
    whole = "".join(f"{heading}\n2019 - 2020\n{part}\n" for heading in ("EXPERIENCE", "SKILLS", "EDUCATION"))
    return read_profile(whole), doubt(text)


READERS = (
    in_a_resume, read_job, role, hiring, partial(cut_document, most_tokens=200), takes_back, nothing, asks, quantities,
    said_back, in_sentences, first_json, between_tags, split_clauses, of_own_work, asks_about_resume, of_resume,
    reasoned, user_id_of,
)  # fmt: skip


@pytest.mark.parametrize("end", ["", "!x"], ids=["cut", "ended"])
@pytest.mark.parametrize("read", READERS, ids=lambda read: getattr(read, "__name__", "document"))
def test_time_grows_with_the_text_and_not_with_its_square(read: Callable[[str], object], end: str) -> None:
    """Four times as long a text takes less than eight times as long, of whatever it is made."""
    for unit in (*UNITS, *REQUESTS):
        short, long = (unit * (size // len(unit)) + end for size in (SHORT, LONG))
        assert growth(read, short, long) < MOST_GROWTH, f"{unit!r} again and again"


def test_speech_of_any_text_is_worked_out_in_time_with_its_length() -> None:
    """A sentence of a model's or of a pack may hold a table, a path or a row of dashes."""
    say = TextNormalizer().say
    say("The rules are made at the first use.")
    for unit in ("-", "1-", "a@", "a.", "x/", "f() ", "*a*", "_", "1:"):
        short, long = (unit * (size // len(unit)) for size in (SHORT // 4, LONG // 4))
        assert growth(say, short, long) < MOST_GROWTH, f"{unit!r} again and again"
