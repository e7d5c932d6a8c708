"""All parts of a run, in the order in which they disturb each other least."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from bench.phone.baresip import need_baresip
from bench.phone.codecs import codec_rows
from bench.phone.interviews import Talk, by_phone, in_browser
from bench.phone.loop import measure_four, measure_loop
from bench.phone.options import Options, PhonePart
from bench.phone.relay import Network
from bench.phone.rows import SIDES, four_rows, interview_rows, loop_rows
from bench.phone.soak import Mark, soak, soak_table
from bench.phone.venue import PhoneVenue, open_line, open_viva, pack_of_key_points
from bench.voice.caller import NoReplyError
from bench.voice.complete_answers import CompleteAnswers, recording_of
from bench.voice.figures import Row, markdown, table
from bench.voice.load import CORES, pin_to_two_cores
from bench.voice.options import folder_of, stamp
from bench.voice.results import machine
from bench.voice.sounds import deterministic_voice, sound_of

P = PhonePart


async def run(options: Options, console: Console) -> list[str]:
    """Measure what was asked for, print the table, and write the files; a sentence for each part that failed.

    Raises:
        NoTelephoneError, SippError: a program to call with is missing, or calls failed.
        RelayError, StackError: something does not start.
        ManifestError, SoundFileError, ModelError, SettingsError: what is needed cannot be used.
    """
    began = time.monotonic()

    def tell(line: str) -> None:
        console.print(f"{stamp(began)}  {line}", markup=False, highlight=False, soft_wrap=True)

    if options.only & {P.INTERVIEWS, P.LOOP, P.FOUR}:
        need_baresip()
    bench = _Bench(options, tell)
    if pin_to_two_cores():
        tell(f"everything runs on {CORES} cores")
    try:
        await bench.measure()
    finally:
        # What was measured before something broke is not thrown away.
        if bench.rows:
            console.print(table(bench.rows, SIDES))
        if bench.marks:
            console.print(soak_table(bench.marks))
        console.print(f"Written: {', '.join(map(str, bench.write()))}", soft_wrap=True)
    return bench.failures


class _Bench:
    def __init__(self, options: Options, tell: Callable[[str], None]) -> None:
        self._options = options
        self._tell = tell
        self._folder = folder_of(options.out)
        self._machine = machine()
        self.rows: list[Row] = []
        self.marks: list[Mark] = []
        self.talks: dict[str, Talk] = {}
        self.failures: list[str] = []

    async def measure(self) -> None:
        """All parts that were asked for."""
        only = self._options.only
        if only & {P.LOOP, P.FOUR}:
            async with open_line(self._folder / "line", Network()) as venue:
                if P.LOOP in only:
                    await self._try("loop", lambda: self._loop(venue))
                if P.FOUR in only:
                    await self._try("four", lambda: self._four(venue))
        if P.INTERVIEWS in only:
            await self._interviews()
        if P.CODECS in only:
            voice = ensure_models(load_settings()).voice
            self.rows += await asyncio.to_thread(codec_rows, self._options.people, voice, self._tell)
        if P.SOAK in only:
            folder = self._folder / "soak"
            folder.mkdir()
            self.marks = await soak(folder, self._options.soak_calls, self._tell, trace=self._options.trace)

    async def _try(self, name: str, part: Callable[[], Awaitable[None]]) -> None:
        try:
            await part()
        except NoReplyError as error:
            self.failures.append(f"{name}: {error}")
            self._tell(f"FAILED {self.failures[-1]}")

    async def _loop(self, venue: PhoneVenue) -> None:
        clean = await measure_loop(venue, self._folder / "loop", Network())
        self._tell(f"loop, good network: {_milliseconds(clean)}")
        bad = await measure_loop(venue, self._folder / "loop-bad", self._options.network)
        self._tell(f"loop, with loss and jitter: {_milliseconds(bad)}")
        self.rows += loop_rows(clean, bad)

    async def _four(self, venue: PhoneVenue) -> None:
        telephones = await measure_four(venue, self._folder / "four", self._options.four_s)
        for each in telephones:
            self._tell(f"four at once: {len(each.gaps)} gaps in {each.seconds:.0f} s, {each.late} packets too late")
        self.rows += four_rows(telephones)

    async def _interviews(self) -> None:
        options = self._options
        pack = pack_of_key_points(options.answers)
        say = deterministic_voice(ensure_models(load_settings()).voice)
        recordings = {each.id: each for each in map(recording_of, pack.questions)}
        # Said once before anything is measured: that takes longer than to play it.
        sounds = {id_: sound_of(each, say) for id_, each in recordings.items()}
        answers = [CompleteAnswers(pack, lambda each: sounds[each.id]).to] * options.answers
        words = {id_: each.words for id_, each in recordings.items()}
        async with open_viva(self._folder / "interviews", pack, options.network) as (phone_venue, venue):
            self._tell("Viva is ready, and its line")
            self.talks = {
                "browser": await in_browser(venue, answers, words, self._folder / "browser", self._tell),
                "phone": await by_phone(phone_venue, answers, words, self._folder / "phone", self._tell),
            }
        for name, talk in self.talks.items():
            if talk.failure:
                self.failures.append(f"{name}: {talk.failure}")
                self._tell(f"FAILED {self.failures[-1]}")
        self.rows += interview_rows(self.talks["phone"], self.talks["browser"])

    def write(self) -> list[Path]:
        """Write the files of this run; their paths."""
        out = self._options.out
        machine_line = "; ".join(f"{name} {value}" for name, value in self._machine.items())
        failed = "".join(f"- {each}\n" for each in self.failures)
        written = {
            "results.md": f"{markdown(self.rows, SIDES)}\nMachine: {machine_line}.\n\n{failed}",
            "results.json": json.dumps(
                {
                    "machine": self._machine,
                    "rows": [asdict(row) for row in self.rows],
                    "talks": {name: asdict(talk) for name, talk in self.talks.items()},
                    "soak": [{**asdict(mark), "line": mark.line.model_dump()} for mark in self.marks],
                    "failures": self.failures,
                },
                indent=1,
            ),
        }
        for name, text in written.items():
            (out / name).write_text(text, encoding="utf-8")
        return [out / name for name in written]


def _milliseconds(delays: Sequence[float]) -> str:
    return ", ".join(f"{each * 1000:.0f}" for each in delays) + " ms" if delays else "nothing came back"
