"""One call of a model: its faults are caught here and nowhere else, and whoever observes is told of its end."""

from __future__ import annotations

import asyncio
import logging
from types import TracebackType

from langchain_core.messages import AIMessage

from graph.language_models.faults import blames_the_model, is_model_fault, why
from graph.language_models.parsing import tokens
from graph.language_models.pool import ModelPool
from graph.language_models.protocol import ModelObserver, Tier
from graph.observer import ModelCall

_log = logging.getLogger(__name__)


class Call:
    """A context for the call itself: a fault of the model ends it, is told, and is kept as `fault`.

    Everything else passes through: cancellation, LangGraph's signals, faults of ours. It can be entered again for the
    same agent, tier and turn.
    """

    def __init__(self, models: ModelPool, observer: ModelObserver, *, agent: str, tier: Tier, turn: int) -> None:
        self.agent = agent
        self.tier: Tier = tier
        self.turn = turn
        self.model = models.model_name(tier)
        self.fault: BaseException | None = None
        self._models = models
        self._observer = observer
        self._begun_at = 0.0
        self._over_at = 0.0
        self._told = False

    def __enter__(self) -> None:
        self._begun_at = self._models.clock()
        self._told = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._over_at = self._models.clock()
        if error is None or self._told:
            return False
        if not is_model_fault(error):
            left = isinstance(error, (asyncio.CancelledError, GeneratorExit))
            self.tell(None, "nobody waited for its end" if left else type(error).__name__)
            return False
        self.fault = error
        _log.warning("%s failed for %s: %s", self.model, self.agent, why(error))
        _log.debug("what %s raised", self.model, exc_info=error)
        if blames_the_model(error):
            self._models.health.failed(self.tier)
        self.tell(None, why(error))
        return True

    def tell(self, raw: AIMessage | None, wrong: str = "", *, seconds: float | None = None) -> None:
        """Tell that the call is over.

        Args:
            raw: what the model replied.
            wrong: why that is of no use; empty when it is.
            seconds: how long it took; without it, from entering to leaving.
        """
        self._told = True
        tokens_in, tokens_out = tokens(raw) if raw is not None else (0, 0)
        self._observer.model_called(
            ModelCall(
                turn=self.turn,
                agent=self.agent,
                tier=self.tier,
                model=self.model,
                seconds=self._over_at - self._begun_at if seconds is None else seconds,
                ok=not wrong,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                why=wrong,
            )
        )
