"""Who is next at the model that interviews share."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.stt.scheduler import FairScheduler, QueuedJob, Urgency, next_up


class Model:
    """A turn that holds the model until it is let go, and others that note that they were taken."""

    def __init__(self) -> None:
        self.scheduler = FairScheduler()
        self.taken: list[str] = []
        self._free, begun = threading.Event(), threading.Event()
        self.held = self.scheduler.submit("holder", Urgency.INTERIM, lambda: (begun.set(), self._free.wait(10)))
        begun.wait(10)

    def ask(self, owner: str, urgency: Urgency, name: str = "") -> Future[None]:
        return self.scheduler.submit(owner, urgency, lambda: self.taken.append(name or owner))

    def let_go(self, *asked: Future[None]) -> list[str]:
        self._free.set()
        for future in asked:
            future.result(10)
        return self.taken


def test_final_words_go_before_interim_ones() -> None:
    """Somebody waits for an answer; the others still speak."""
    model = Model()
    asked = [model.ask("b", Urgency.INTERIM), model.ask("c", Urgency.PAUSE), model.ask("d", Urgency.FINAL)]
    assert model.let_go(*asked) == ["d", "c", "b"]


def test_interviews_take_turns() -> None:
    """One that asks a lot does not hold up the others."""
    model = Model()
    asked = [model.ask("a", Urgency.INTERIM, f"a{at}") for at in range(3)]
    asked += [model.ask("b", Urgency.INTERIM, f"b{at}") for at in range(2)]
    assert model.let_go(*asked) == ["a0", "b0", "a1", "b1", "a2"]


def test_what_is_cancelled_while_it_waits_is_never_done() -> None:
    """A decode that nobody needs any more costs nothing."""
    model = Model()
    gone, stays = model.ask("a", Urgency.FINAL), model.ask("b", Urgency.FINAL)
    assert gone.cancel()
    assert not model.held.cancel()
    assert model.let_go(stays) == ["b"]


def test_a_failure_reaches_the_one_who_asked_and_nobody_else() -> None:
    """The thread goes on with the next."""
    turns = FairScheduler()
    failed: Future[float] = turns.submit("a", Urgency.FINAL, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        failed.result(10)
    assert turns.submit("b", Urgency.FINAL, lambda: 2).result(10) == 2


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(Urgency)), min_size=1, max_size=30))
def test_nobody_is_passed_over(waiting: list[tuple[int, Urgency]]) -> None:
    """Each request is served once, and no owner twice before another one with the same urgency."""
    queue = [QueuedJob(owner, urgency, lambda: None, Future()) for owner, urgency in waiting]
    served: dict[int, int] = {}
    order: list[QueuedJob] = []
    while queue:
        request = queue.pop(next_up(queue, served))
        assert all(request.urgency <= other.urgency for other in queue)
        for other in queue:
            if other.urgency == request.urgency:
                assert served.get(request.owner, -1) <= served.get(other.owner, -1)
        order.append(request)
        served[int(str(request.owner))] = len(order)
    assert len(order) == len(waiting)
