import json
import math
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.rehearsal.candidate import Caption
from agent.rehearsal.hearing import HeardFrames
from bench.voice.barge_in import Interruptions, barge_in_rows, stopped_after_s
from bench.voice.caller import NoReplyError, Part, Reply, reply_after
from bench.voice.curve import draw
from bench.voice.figures import Row, Side, markdown, percentiles
from bench.voice.load import AT_ONCE, Load, cpu_s, load_rows, memory_mb
from bench.voice.replies import gap_rows, model_rows, reply_rows
from bench.voice.results import Results
from bench.voice.talks import Failure, Sample, Talks
from bench.voice.turns import Balance


def heard(*spoken: tuple[float, float], until: float = 20.0) -> HeardFrames:
    """Frames of 10 ms that are loud in these spans of seconds."""
    times = np.round(np.arange(0, until, 0.01), 3)
    peaks = np.zeros(len(times), np.int32)
    for start, end in spoken:
        peaks[(times >= start) & (times < end)] = 9000
    return HeardFrames(times, peaks)


def reply(first: float, *, gap: float = 0.2, talked_into: bool = False) -> Reply:
    """Feedback of two seconds and a question of three."""
    feedback = Part("Good.", first, first + 2, math.inf)
    question = Part("And why?", first + 2 + gap, first + 5 + gap, gap)
    return Reply(first, (feedback, question), talked_into)


def talks(viva: list[Reply], default: list[Reply], snr_db: float | None = None) -> Talks:
    """One conversation of each side."""
    sides: list[tuple[Side, list[Reply]]] = [("Viva", viva), ("default", default)]
    return Talks([Sample(side, "c", "r", snr_db, each) for side, replies in sides for each in replies])


def row(rows: list[Row], what: str) -> Row:
    """The row whose name holds these words."""
    return next(each for each in rows if what in each.what)


def test_first_audio_feedback_question_and_gap_are_taken_from_the_sound() -> None:
    """An answer that ends at 5 s, feedback from 6.0 to 8.0, and a question from 8.2 to 10."""
    captions = [Caption("a", 5.9, "Good."), Caption("b", 8.0, "And why?")]
    made = reply_after(heard((0.0, 1.0), (6.0, 8.0), (8.2, 10.0)), captions, start=2.0, end=5.0)
    assert made.first_audio_s == pytest.approx(1.0, abs=0.02)
    assert not made.talked_into
    assert made.question is not None
    assert made.question.start_s == pytest.approx(3.2, abs=0.02)
    assert made.question.silent_before_s == pytest.approx(0.2, abs=0.02)
    assert made.feedback[-1].end_s == pytest.approx(3.0, abs=0.02)


def test_a_voice_in_the_middle_of_an_answer_talks_into_it() -> None:
    """What is left of the interviewer's own last words at the beginning of an answer does not."""
    own_words = reply_after(heard((0.0, 2.2), (6.0, 8.0)), [], start=2.0, end=5.0)
    into = reply_after(heard((3.0, 3.5), (6.0, 8.0)), [], start=2.0, end=5.0)
    assert (own_words.talked_into, into.talked_into) == (False, True)
    assert into.first_audio_s == pytest.approx(1.0, abs=0.02)


def test_silence_after_an_answer_is_no_reply() -> None:
    """It is raised and counted as a failure, not left out."""
    with pytest.raises(NoReplyError, match="nothing was heard"):
        reply_after(heard((0.0, 1.0)), [], start=2.0, end=5.0)


@given(st.lists(st.floats(0.1, 9), min_size=1, max_size=40), st.lists(st.floats(0.1, 9), min_size=1, max_size=40))
def test_percentiles_are_samples_and_say_how_many(viva: list[float], default: list[float]) -> None:
    """By nearest rank; the 95th is not below the median, and the ratio is that of both."""
    p50, p95 = percentiles("x", viva, default)
    assert p50.viva in viva
    assert p95.default in default
    assert p50.viva is not None
    assert p95.viva is not None
    assert p50.viva <= p95.viva
    assert sum(each <= p95.viva for each in viva) >= 0.95 * len(viva)
    assert p50.samples == f"{len(viva)} / {len(default)}"
    assert p50.ratio == pytest.approx(p50.viva / (p50.default or math.nan))


@pytest.mark.parametrize(
    ("viva", "default", "met"),
    [(0.8, 2.0, True), (0.8, 1.5, False), (1.0, 2.5, False), (0.8, None, None)],
)
def test_waiting_is_short_and_half_of_the_default_or_the_goal_is_missed(
    viva: float, default: float | None, met: bool | None
) -> None:
    """Without a default there is nothing to compare, and no verdict."""
    made = reply_rows(talks([reply(viva)], [] if default is None else [reply(default)]))
    assert row(made, "p50").met is met


def test_answers_that_were_talked_into_are_counted_and_not_timed() -> None:
    """Their share has a row of its own."""
    made = reply_rows(talks([reply(0.8)], [reply(2.0), reply(0.1, talked_into=True)]))
    assert row(made, "p50").default == 2.0
    assert row(made, "talked into").default == 0.5


def test_noise_levels_have_rows_of_their_own_when_there_are_several() -> None:
    """So that one level does not hide behind another."""
    both = talks([reply(0.8)], [reply(2.0)], 20)
    both.add(talks([reply(1.2)], [reply(3.0)], 10))
    made = reply_rows(both)
    assert (row(made, "20 dB").viva, row(made, "10 dB").viva) == (0.8, 1.2)


def test_nineteen_short_gaps_in_twenty_are_enough() -> None:
    """And eighteen are not."""
    short, long = reply(0.8), reply(0.8, gap=0.9)
    assert gap_rows(talks([short] * 19 + [long], []), "x")[0].met is True
    assert gap_rows(talks([short] * 18 + [long] * 2, []), "x")[0].met is False
    assert gap_rows(talks([], []), "x")[0].met is None


def test_feedback_is_complete_when_its_last_sound_was_heard() -> None:
    """Half of the default's time is the goal."""
    made = row(model_rows(talks([reply(1.0)], [reply(5.0)])), "feedback heard to its end, p50")
    assert (made.viva, made.default, made.met) == (3.0, 7.0, True)


@pytest.mark.parametrize(
    ("spoken", "stopped"),
    [
        ([(0.0, 5.2)], 0.2),
        ([(0.0, 4.9), (5.3, 5.9)], 0.9),
        ([(0.0, 5.2), (7.0, 9.0)], 0.2),
        ([(0.0, 4.0)], None),
        ([(5.5, 6.0)], None),
    ],
)
def test_a_voice_has_stopped_when_it_does_not_come_back(
    spoken: list[tuple[float, float]], stopped: float | None
) -> None:
    """Not between two of its sentences; and what had stopped by itself was not stopped by anybody."""
    after = stopped_after_s(heard(*spoken), at=5.0)
    assert after == (None if stopped is None else pytest.approx(stopped, abs=0.02))


def test_barge_in_is_timed_and_what_had_stopped_by_itself_is_told() -> None:
    """Left out of the figures, not of the table."""
    made = Interruptions()
    made.stopped_after_s = {"Viva": [0.1, 0.15], "default": [0.7, 0.8]}
    made.missed["default"] = 1
    rows = barge_in_rows(made)
    assert (rows[0].viva, rows[0].met) == (0.1, True)
    assert row(rows, "by itself").default == 1


def test_four_at_once_are_compared_with_one_alone() -> None:
    """The goal is a factor on Viva's own figure."""
    waits = {1: 0.8, 2: 1.0, 4: 1.3}
    loads = [
        Load("Viva", at_once, talks([reply(waits[at_once])], []), cores=0.4 * at_once, most_mb=1000 + 50 * at_once)
        for at_once in AT_ONCE
    ]
    rows = load_rows(loads)
    assert row(rows, "4 at once: end of speech").met is False
    assert row(rows, "2 at once: end of speech").met is None
    assert row(rows, "4 at once: processor").viva == pytest.approx(0.4)
    assert row(rows, "further interview").viva == pytest.approx(50)


def test_interviews_in_which_nobody_answered_have_no_cost() -> None:
    """A worker that did nothing would look cheap."""
    loads = [Load("Viva", at_once, Talks(), cores=0.01, most_mb=1000) for at_once in AT_ONCE]
    assert all(each.viva is None for each in load_rows(loads))


def test_what_a_process_and_its_children_use_is_added_up() -> None:
    """Memory and processor time of this process, with what a child has used that is gone."""
    subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True)
    here = psutil.Process()
    assert memory_mb(here) > 10
    assert cpu_s(here) > here.cpu_times().user


def test_a_run_is_written_whole_with_what_failed(tmp_path: Path) -> None:
    """As JSON that any reader takes, and as Markdown with every row and every failure."""
    results = Results({"processor": "x"}, talks={"replies": talks([reply(0.8)], [])})
    results.rows = reply_rows(results.talks["replies"])
    results.failures = [Failure("default", "replies-default-1", "nothing was heard within 60 s")]
    results.write(tmp_path)
    data = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert data["samples"]["replies"][0]["reply"]["parts"][0]["silent_before_s"] is None
    assert "Infinity" not in (tmp_path / "results.json").read_text(encoding="utf-8")
    told = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "nothing was heard within 60 s" in told
    assert all(each.what in told for each in results.rows)


def test_a_figure_that_is_missing_is_a_dash() -> None:
    """Never a zero."""
    assert "| x | - | 1.00 s | - |" in markdown([Row("x", None, 1.0)])


def test_the_picture_is_svg_with_every_curve_and_mark() -> None:
    """Names are escaped; what lies beyond the right edge is not drawn."""

    def point(dead_air_s: float, cut: int) -> Balance:
        return Balance(10, cut, cut, dead_air_s, dead_air_s, dead_air_s, (), ())

    curves = {"a & b": [(1.0, point(0.5, 3)), (2.0, point(9.0, 0))], "c": [(1.0, point(1.0, 5))]}
    drawn = ET.fromstring(draw(curves, {"<mark>": point(0.6, 1), "far": point(9.0, 1)}, "t"))
    space = "{http://www.w3.org/2000/svg}"
    texts = {each.text for each in drawn.iter(f"{space}text")}
    assert {"a & b", "c", "<mark>"} <= texts
    assert "far" not in texts
    assert len(list(drawn.iter(f"{space}circle"))) == 3
