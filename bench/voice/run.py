"""All parts of a run, in the order in which they disturb each other least."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from agent.interviews.resources import load_voice_resources
from agent.model_files.prepare import ModelPaths, ensure_models
from agent.rehearsal.hearing import RATE_HZ as LINE_HZ
from agent.rehearsal.voice import CandidateVoice
from agent.settings import Settings, load_settings
from bench.voice import others
from bench.voice.barge_in import barge_in_rows, interrupt_both, phrases
from bench.voice.complete_answers import CompleteAnswers
from bench.voice.endings import Endings, hear_all
from bench.voice.figures import SIDES, table
from bench.voice.listening import RATE_HZ, Kept, Listener
from bench.voice.load import CORES, load_rows, measure_load, pin_to_two_cores
from bench.voice.manifest import OWN, Pause, Recording, load_manifest
from bench.voice.noises import false_stop_rows, noises, noises_in
from bench.voice.noticing import beginnings, noticing_rows
from bench.voice.options import MeasuredPart, Options, folder_of, stamp
from bench.voice.replies import gap_rows, model_rows, reply_rows
from bench.voice.results import Results, machine
from bench.voice.scripted_ollama import running_models, settings_for
from bench.voice.sounds import Sound, SoundError, at_rate, deterministic_voice, read_audio, sound_of, to_level
from bench.voice.talks import ANSWERS, AnswerTo, Named, Tell, take_turns, whatever_is_asked
from bench.voice.venue import PACK, Venue, open_venue
from rag import load_packs
from speech import SpeechModels
from speech.models import load_detector

P = MeasuredPart
_WITHOUT_MODELS: dict[str, Any] = {"judge": "built-in", "complex_model": "", "fast_model": "", "interviews_at_once": 8}


async def run(options: Options, console: Console) -> Results:
    """Measure what was asked for, print the table, and write the files.

    Raises:
        ManifestError, SoundError: the recordings cannot be used.
        ModelError, SettingsError: the models or settings cannot.
        StackError: the servers did not start.
    """
    began = time.monotonic()

    def tell(line: str) -> None:
        console.print(f"{stamp(began)}  {line}", markup=False, highlight=False, soft_wrap=True)

    bench = await asyncio.to_thread(_Bench, options, tell)
    try:
        await bench.measure()
    finally:
        # What was measured before something broke is not thrown away.
        options.out.mkdir(parents=True, exist_ok=True)
        paths = bench.results.write(options.out)
        _print(bench.results, console)
        console.print(f"Written: {', '.join(map(str, paths))}", soft_wrap=True)
    return bench.results


class _Bench:
    def __init__(self, options: Options, tell: Tell) -> None:
        self._options = options
        self._tell = tell
        self._recordings = load_manifest(options.manifest)
        self._settings: Settings = load_settings()
        self._paths: ModelPaths = ensure_models(self._settings)
        self._voice: Callable[[int], CandidateVoice] | None = None
        if pin_to_two_cores():
            tell(f"everything runs on {CORES} cores")
        self.results = Results(machine())
        self._folder = folder_of(options.out)
        self._human: Sound | None = None

    async def measure(self) -> None:
        """All parts that were asked for."""
        options = self._options
        if options.wants(P.TURNS) or options.human:
            # What the worker loads, with a bank of its own.
            own = self._settings.model_copy(update={"data_dir": self._folder / "viva"})
            models = (await asyncio.to_thread(load_voice_resources, own)).speech
            if options.human:
                self._human = await self._of_a_person(options.human, models)
            if options.wants(P.TURNS):
                await self._turns(models)
        if options.wants(P.NOISES):
            await self._noises()
        if options.wants(P.BARGE_IN, P.LOAD) or self._holds_plain_talks:
            async with open_venue(self._folder / "plain", **_WITHOUT_MODELS) as venue:
                self._tell("both sides are ready, without language models")
                await self._plain(venue)
        if options.wants(P.MODELS):
            await self._with_models()
        for part in (P.HEARING, P.FIRST_AUDIO):
            if options.wants(part):
                self.results.rows += await others.rows_of(part.value, self._tell)

    @property
    def _holds_plain_talks(self) -> bool:
        """The gap is measured in whatever conversations are held; by itself, in those without language models."""
        return self._options.wants(P.REPLIES) or (self._options.wants(P.GAP) and not self._options.wants(P.MODELS))

    async def _turns(self, models: SpeechModels) -> None:
        options = self._options
        part = "tuning" if options.tuning else "held-out"
        chosen = [each for each in self._recordings if each.part == part][: options.recordings]
        listener = Listener(models, options.pace)
        model = f"{self._settings.whisper} {options.pace}"
        heard, faults = await hear_all(
            [(each, self._sound(each)) for each in chosen],
            listener=listener,
            kept=Kept(options.out / "heard", model),
            snrs_db=options.snrs_db,
            tell=self._tell,
        )
        self.results.unheard += faults
        if not heard:
            self.results.notes.append(f"turns: the manifest has no recording of the part {part!r} that could be heard")
            return
        self.results.endings = Endings(heard)
        self.results.rows += self.results.endings.rows()
        self.results.notes.append(self.results.endings.detector())

    async def _noises(self) -> None:
        detector = await asyncio.to_thread(load_detector)
        self.results.rows += await false_stop_rows(detector, "synthesised noises", noises())
        if self._options.noises:
            recorded = await asyncio.to_thread(noises_in, self._options.noises)
            self.results.rows += await false_stop_rows(detector, "recorded noises", recorded)
        part = "tuning" if self._options.tuning else "held-out"
        sounds = [self._sound(each) for each in self._recordings if each.part == part][: self._options.recordings]
        self.results.rows += await noticing_rows(detector, beginnings(sounds, self._options.snrs_db))

    async def _plain(self, venue: Venue) -> None:
        options, results = self._options, self.results
        folder = self._folder
        if self._holds_plain_talks:
            sides = SIDES if options.wants(P.REPLIES) else SIDES[:1]
            talks = await take_turns(
                venue, self._answers(), options.answers, snrs_db=options.snrs_db, folder=folder / "replies",
                tell=self._tell, sides=sides,
            )  # fmt: skip
            results.talks["replies"] = talks
            results.failures += talks.failures
            results.rows += reply_rows(talks) if options.wants(P.REPLIES) else []
            results.rows += gap_rows(talks, "built-in judge") if options.wants(P.GAP) else []
        if options.wants(P.BARGE_IN):
            said = [Named(each.id, self._sound(each)) for each in phrases()]
            made = await interrupt_both(
                venue, self._fluent(), said, options.interruptions, folder=folder / "barge-in", tell=self._tell
            )
            results.failures += made.failures
            results.barge_in = {side: made.stopped_after_s[side] for side in SIDES}
            results.rows += barge_in_rows(made)
        if options.wants(P.LOAD):
            loads = await measure_load(
                venue, self._answers(), options.load_answers, folder=folder / "load", tell=self._tell
            )
            results.loads = loads
            results.failures += [each for load in loads for each in load.talks.failures]
            results.rows += load_rows(loads)

    async def _with_models(self) -> None:
        options, results = self._options, self.results
        with running_models() as url:
            async with open_venue(self._folder / "models", **settings_for(url)) as venue:
                self._tell("both sides are ready, with language models of known speed")
                talks = await take_turns(
                    venue, self._answers(), options.answers, snrs_db=options.snrs_db, folder=self._folder / "models",
                    tell=self._tell,
                )  # fmt: skip
        results.talks["models"] = talks
        results.failures += talks.failures
        results.rows += model_rows(talks)
        results.rows += gap_rows(talks, "models") if options.wants(P.GAP) else []

    def _answers(self) -> list[AnswerTo]:
        """What is said in rooms: the pack's own answers to what is asked, or those of a manifest that was named."""
        if self._options.manifest == OWN:
            complete = CompleteAnswers(load_packs()[PACK], self._sound)
            said: list[AnswerTo] = [complete.to] * (ANSWERS - 1)
        else:
            said = [whatever_is_asked(each) for each in self._fluent()]
        if self._human is None:
            return said
        person = whatever_is_asked(Named("human", self._human))
        each_time = ANSWERS - 1
        groups = [said[first : first + each_time] for first in range(0, len(said), each_time)]
        return [answer for group in groups for answer in (*group, person)]

    def _fluent(self) -> list[Named]:
        """Recordings without a pause that could be taken for their end, so that waiting is not mixed up with cutting
        off.
        """
        fluent = [each for each in self._recordings if each.is_fluent]
        if not fluent:
            raise SoundError(f"{self._options.manifest} has no fluent answer (no pause over half a second, ten words)")
        return [Named(each.id, self._sound(each)) for each in fluent]

    async def _of_a_person(self, path: Path, models: SpeechModels) -> Sound:
        """A recording of which only the sound is known: its end is where the detector hears the voice stop."""
        pcm = to_level(await asyncio.to_thread(read_audio, path))
        try:
            end_s = await Listener(models).speech_end_s(at_rate(pcm, RATE_HZ))
        except RuntimeError as error:
            raise SoundError(f"{path}: {error}") from None
        self._tell(f"the person in {path} has finished after {end_s:.2f} s")
        return Sound(pcm[: round(end_s * LINE_HZ)], end_s, ())

    def _sound(self, recording: Recording) -> Sound:
        """The sound of a recording; what is synthesised is kept, because it takes longer than to say it."""
        if recording.audio is not None:
            return sound_of(recording, self._speak)
        voice = self._paths.voice
        key = f"{recording.say} {recording.seed} {voice.name} {voice.stat().st_size}".encode()
        path = self._options.out / "sounds" / f"{recording.id}-{hashlib.sha256(key).hexdigest()[:16]}.npz"
        if not path.exists():
            sound = sound_of(recording, self._speak)
            path.parent.mkdir(parents=True, exist_ok=True)
            told = np.array([each.model_dump_json() for each in sound.pauses], dtype=str)
            np.savez(path, pcm=sound.pcm, end_s=sound.speech_end_s, pauses=told)
        with np.load(path) as kept:
            pauses = tuple(Pause.model_validate_json(str(each)) for each in kept["pauses"])
            return Sound(kept["pcm"], float(kept["end_s"]), pauses)

    def _speak(self, seed: int) -> CandidateVoice:
        if self._voice is None:
            self._voice = deterministic_voice(self._paths.voice)
        return self._voice(seed)


def _print(results: Results, console: Console) -> None:
    console.print()
    console.print(table(results.rows))
    if results.endings is not None:
        console.print()
        console.print(results.endings.table())
    for note in results.notes:
        console.print(note, markup=False, soft_wrap=True)
    for failure in results.failures:
        console.print(f"Failed: {failure.conversation}: {failure.what}", style="red", markup=False, soft_wrap=True)
    for sentence in results.unheard:
        console.print(f"Not heard: {sentence}", style="red", markup=False, soft_wrap=True)
