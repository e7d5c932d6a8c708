"""Console of a rehearsal: the conversation as it happens, and the table at its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.rehearsal.candidate import Caption, SyntheticCandidate
from agent.rehearsal.conversation import SaidLine
from agent.rehearsal.hearing import EARLY_S, caption_onset
from agent.rehearsal.result import RehearsalResult, TurnResult
from domain.vocabulary import Intent

_LOOK_S = 0.1
_CAPTION_SETTLES_S = 0.5
_STYLES = {"interviewer": "cyan", "candidate": "green", "recognised": "dim", "viva": "bold"}

_TITLE = (
    "Seconds after the candidate's last word: first sound; feedback ready, and heard; next question ready, and heard"
)
_COLUMNS = ("turn", "wanted", "heard as", "first", "feedback", "heard", "next", "heard", "words", "score")


class Narrator:
    """Prints the conversation. Times are seconds since `zero`: those of the sounds, as the candidate heard them."""

    def __init__(self, console: Console, *, zero: float, clock: Callable[[], float]) -> None:
        self._console = console
        self._zero = zero
        self._clock = clock
        self._told: set[str] = set()

    def say(self, who: str, text: str, start: float | None = None, end: float | None = None) -> None:
        """Print one line; without a time, the time is now."""
        at = self._clock() if start is None else start
        span = f"{at - self._zero:7.2f}" + (f" - {end - self._zero:7.2f}" if end is not None else " " * 10)
        self._console.print(Text(f"{span}  {who:>11}  ", style=_STYLES.get(who, "")) + Text(text), soft_wrap=True)

    def said(self, said: SaidLine) -> None:
        """Print what the candidate said."""
        self.say("candidate", said.text, said.start, said.end)

    async def follow(self, candidate: SyntheticCandidate) -> None:
        """Print captions when they are complete, until cancelled."""
        while True:
            self.catch_up(candidate)
            await asyncio.sleep(_LOOK_S)

    def catch_up(self, candidate: SyntheticCandidate, *, all_of_them: bool = False) -> None:
        """Print the captions that are complete now, or also those that never will be."""
        for caption in candidate.captions.interviewer:
            if self._is_due(caption, all_of_them=all_of_them):
                heard = candidate.heard_audio.heard(caption.opened_at - 2 * EARLY_S)
                self.say("interviewer", caption.text, caption_onset(heard, caption.opened_at) or caption.opened_at)
        for caption in candidate.captions.recognised:
            if self._is_due(caption, all_of_them=all_of_them):
                self.say("recognised", caption.text, caption.opened_at)

    def _is_due(self, caption: Caption, *, all_of_them: bool) -> bool:
        if caption.segment_id in self._told or not caption.text:
            return False
        settled = caption.closed and self._clock() - caption.opened_at >= _CAPTION_SETTLES_S
        if not (settled or all_of_them):
            return False
        self._told.add(caption.segment_id)
        return True


def print_result(console: Console, result: RehearsalResult) -> None:
    """Print the table, the figures, and where everything is."""
    console.print()
    if result.turns:
        console.print(_turn_table(result))
    p50, p95 = _seconds(result.latency_p50_s), _seconds(result.latency_p95_s)
    console.print(f"End of speech to first audio, as heard: p50 {p50}, p95 {p95}")
    console.print(f"Words recognised: {_percent(result.word_accuracy)}")
    for barge_in in result.barge_ins:
        console.print(
            f"Barge-in at {barge_in.start_s:.2f}: the voice stopped {barge_in.voice_stopped_after_s:.2f} s later"
        )
    for text in result.lost:
        console.print(f"In no turn: {text}", soft_wrap=True)
    if result.report is not None and result.report.overall_score is not None:
        console.print(f"Overall score: {result.report.overall_score:.1f} of 10")
    for name, place in (
        ("Report", result.report_url),
        ("Record", result.record),
        ("Recording", result.recording or "none"),
        ("Heard by the candidate", result.heard),
    ):
        console.print(f"{name}: {place}", soft_wrap=True)
    for fault in result.faults:
        console.print(Text(f"Failed: {fault}", style="bold red"), soft_wrap=True)
    if result.ok:
        judged = ", and was judged" if any(turn.scores for turn in result.turns) else ""
        sentence = f"Passed: the interview took {_seconds(result.interview_s)}, was recorded{judged}."
        console.print(Text(sentence, style="bold green"))


def _turn_table(result: RehearsalResult) -> Table:
    # It has to fit 80 columns: that is what a terminal may have, and what is assumed where there is none.
    table = Table(title=_TITLE, title_justify="left", box=box.SIMPLE, pad_edge=False, padding=(0, 0))
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column in ("wanted", "heard as") else "right")
    for turn in result.turns:
        table.add_row(*_row(turn))
    return table


def _row(turn: TurnResult) -> list[str | Text]:
    times = (
        turn.first_audio_s,
        turn.feedback_ready_s,
        turn.feedback_start_s,
        turn.question_ready_s,
        turn.question_start_s,
    )
    after = ["-" if at is None else f"{at - turn.end_of_speech_s:.2f}" for at in times]
    score = f"{turn.scores.overall:.1f}" if turn.scores else "-"
    return [str(turn.turn), _name(turn.wanted), _understood(turn), *after, _percent(turn.word_accuracy), score]


def _understood(turn: TurnResult) -> Text:
    """In red when it is not what was wanted, with a question mark when the interviewer asked."""
    differs = turn.wanted is not None and turn.intent != turn.wanted
    words = _name(turn.intent) + ("" if turn.honoured else "?")
    return Text(words, style="bold red" if differs else "")


def _name(intent: Intent | None) -> str:
    return "-" if intent is None else intent.replace("_", " ")


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} s"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"
