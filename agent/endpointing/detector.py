"""End-of-turn detector: asked by LiveKit each time the candidate falls silent.

LiveKit asks once for each silence and each transcript, and stops asking as soon as the candidate speaks again. So the
waiting is done in here: `policy` says how long, and the answer comes when that time is over.

An answer is not over before its last words are known: a long one is recognised in pieces, and a turn that is taken
without the last of them is judged twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from livekit.agents import LanguageCode, llm

from agent.conversation.listening import ListeningSignals
from agent.conversation.transcript import Utterances
from agent.endpointing.endings import ending_of
from agent.endpointing.listening import BEFORE_WORDS_S, granted, meanwhile_in_s, signal_in_s
from agent.endpointing.policy import AN_ORDINARY_ANSWER, Signals, Wait, wait
from domain.events import Event, PauseWeighed, nobody

_log = logging.getLogger(__name__)

_PATIENCE_S = 8.0
"""A recogniser that has not finished after this long has failed; what it gave so far must do."""
_JUDGING_S = 0.6
"""What has been answered is waited for at least this long: the feedback needs it too, so nothing is lost by it."""
_ARRIVAL_S = 0.05
"""Time for the last transcript to pass through the session, which then asks again with all the words."""
_OVER = 1.0
"""What LiveKit is told when the wait is over: it waits no longer by itself."""


class EndOfTurnDetector:
    """Viva's end-of-turn detector, in the form that LiveKit asks for.

    Args:
        all_heard: waits until the words of everything that was said are known.
        chance_over: judges by the sound of the last pause whether the turn is over; None when nobody can.
        utterances: the words of the turn, with their times.
        clock: seconds since the epoch.
        risk: the policy's knob until another is set, see `policy.wait`.
        record: takes events.
        listening: shows the candidate that somebody listens; None for nobody.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        all_heard: Callable[[], Awaitable[None]],
        chance_over: Callable[[], Awaitable[float | None]],
        utterances: Utterances,
        clock: Callable[[], float],
        *,
        risk: float,
        record: Callable[[Event], None] = nobody,
        listening: ListeningSignals | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._all_heard = all_heard
        self._chance_over = chance_over
        self._utterances = utterances
        self._clock = clock
        self._record = record
        self._listening = listening
        self._weighed: tuple[str, float | None, Wait] | None = None
        self._sleep = sleep
        self.risk = risk
        """The chance of cutting off that is taken, between 0 and 1; smaller waits longer."""
        self.expected_words = AN_ORDINARY_ANSWER
        """How long a full answer to the open question is about; 0 where a word is enough."""
        self.touched: Callable[[], Awaitable[float | None]] = _unknown
        """Judges how much of what was asked the words so far have touched, 0 to 1; None when nobody can say."""
        self.on_pause: Callable[[], None] = lambda: None
        """Told of each silence: work may begin on the guess that the answer is over."""

    @property
    def model(self) -> str:
        """Name for LiveKit's metrics."""
        return "chance-of-more"

    @property
    def provider(self) -> str:
        """Who made it, for LiveKit's metrics."""
        return "viva"

    async def unlikely_threshold(self, language: LanguageCode | None) -> float | None:  # noqa: ARG002
        """The probability below which LiveKit would wait longer by itself; it never has to."""
        return _OVER / 2

    async def supports_language(self, language: LanguageCode | None) -> bool:  # noqa: ARG002
        """Any language: words that are not known here only mean that nothing speaks for waiting."""
        return True

    async def predict_end_of_turn(
        self,
        chat_ctx: llm.ChatContext,  # noqa: ARG002 - the utterances have the words with their times
        *,
        timeout: float | None = None,  # noqa: ASYNC109, ARG002 - the signature is LiveKit's
    ) -> float:
        """Come back when the answer is over. Cancelled by LiveKit when the candidate goes on."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                await self._all_heard()
        arrived_at = self._clock()
        self.on_pause()
        signalling = asyncio.ensure_future(self._signal_meanwhile())
        try:
            signals = await self._signals()
        finally:
            signalling.cancel()
        decided = wait(signals, risk=self.risk)
        now = self._clock()
        silent_s = self._silent_s(now)
        due_s = signal_in_s(decided, silent_s=silent_s, new_words=self._words_to_meet())
        if due_s is not None or self._is_met():
            decided = granted(decided, signals, risk=self.risk)
        # LiveKit asks again for a transcript that brought no new words.
        if (asked := (signals.text, self._utterances.voice_ended_at, decided)) != self._weighed:
            self._weighed = asked
            self._record(_weighed(signals, decided, now, silent_s))
        left_s = max(_ARRIVAL_S - (now - arrived_at), decided.seconds - silent_s)
        if self._listening is not None:
            left_s = max(left_s, BEFORE_WORDS_S - (now - self._listening.given_at))
        await self._listen_on(left_s, due_s)
        return _OVER

    async def _signals(self) -> Signals:
        """All that is known of this pause. What the answer has touched must be there before the answer is taken."""
        heard = self._utterances
        touched = asyncio.ensure_future(self._judged(self.touched, "what the answer has touched"))
        try:
            by_sound = await self._judged(self._chance_over, "by sound whether the answer is over")
            signals = Signals(
                heard.text,
                self.expected_words,
                heard.pauses,
                by_sound,
                heard.confidence,
                cut_offs=heard.cut_offs,
                melody=heard.melody,
            )
            heard.sounded(by_sound)
            left_s = wait(signals, risk=self.risk).seconds - self._silent_s(self._clock())
            done, _ = await asyncio.wait([touched], timeout=max(_JUDGING_S, left_s))
            return replace(signals, touched=touched.result()) if done else signals
        finally:
            touched.cancel()

    def _silent_s(self, now: float) -> float:
        return now - (self._utterances.voice_ended_at or now)

    def _words_to_meet(self) -> int:
        """How many words were said since the last listening signal; 0 where none can be given now."""
        if self._listening is None or not self._listening.is_ready():
            return 0
        return self._utterances.words_since(self._listening.given_at)

    async def _signal_meanwhile(self) -> None:
        """Meet the pause with a listening signal while it is judged whether the answer is over."""
        silent_s = self._silent_s(self._clock())
        due_s = meanwhile_in_s(ending_of(self._utterances.text), silent_s=silent_s, new_words=self._words_to_meet())
        if self._listening is not None and due_s is not None:
            await self._sleep(due_s)
            self._listening.give()

    def _is_met(self) -> bool:
        """Whether this silence was met by a listening signal already."""
        ended_at = self._utterances.voice_ended_at
        return self._listening is not None and ended_at is not None and self._listening.given_at >= ended_at

    async def _listen_on(self, left_s: float, due_s: float | None) -> None:
        """Wait until the answer is over, and meet the pause with a listening signal where one is due."""
        if self._listening is not None and due_s is not None:
            await self._sleep(due_s)
            self._listening.give()
            left_s -= due_s
        await self._sleep(max(0.0, left_s))

    async def _judged(self, judge: Callable[[], Awaitable[float | None]], what: str) -> float | None:
        try:
            return await judge()
        except Exception:  # noqa: BLE001 - the edge of the interview: the rest decides alone, and nobody waits for ever
            _log.exception("it could not be judged %s", what)
            return None


def _weighed(signals: Signals, decided: Wait, now: float, silent_s: float) -> PauseWeighed:
    return PauseWeighed(
        at=now,
        ending=decided.ending,
        by_sound=_rounded(signals.end_of_turn),
        touched=_rounded(signals.touched),
        words=len(signals.text.split()),
        expected_words=signals.expected_words,
        pause_s=round(signals.pauses.median_s, 3),
        pause_spread=round(signals.pauses.spread, 3),
        cut_offs=signals.cut_offs,
        trust_in_sound=round(signals.melody.trust, 3),
        chance_of_more=round(decided.chance_of_more, 3),
        silent_s=round(silent_s, 3),
        wait_s=round(decided.seconds, 3),
    )


async def _unknown() -> float | None:
    return None


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 3)
