"""Tries of PINs: how long a caller, or an address, has to wait after wrong ones. Pure.

A few are free, since people mistype; from then on each wrong one doubles the wait. What callers say of their number is
theirs to choose, so each address is counted too. Behind the address of a telephone exchange are many callers: it may
try more often, and waits for less long, or one stranger could keep everybody out.
"""

from __future__ import annotations

from dataclasses import dataclass

_MOST_DOUBLINGS = 30


@dataclass(frozen=True, slots=True)
class Tries:
    """What is known of somebody's wrong PINs."""

    wrong: int = 0
    last_at: float = 0.0
    """When the last one was, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How often somebody may be wrong."""

    free: int
    """The wait begins with this wrong one."""
    first_wait_s: float
    longest_wait_s: float
    forgotten_after_s: float
    """After so long without a wrong one all of them are forgotten."""


OF_CALLER = Allowance(free=5, first_wait_s=30, longest_wait_s=3600, forgotten_after_s=24 * 3600)
OF_ADDRESS = Allowance(free=20, first_wait_s=30, longest_wait_s=300, forgotten_after_s=6 * 3600)
FORGOTTEN_AFTER_S = max(each.forgotten_after_s for each in (OF_CALLER, OF_ADDRESS))


def wait_s(tries: Tries, allowance: Allowance, now: float) -> float:
    """How long no PIN of theirs is looked at from now on, in seconds; 0 when the next one is.

    Args:
        tries: what is known of them.
        allowance: how often they may be wrong.
        now: seconds since the epoch.
    """
    if tries.wrong < allowance.free or _is_forgotten(tries, allowance, now):
        return 0.0
    doublings = min(tries.wrong - allowance.free, _MOST_DOUBLINGS)
    whole_s = min(allowance.first_wait_s * float(2**doublings), allowance.longest_wait_s)
    # The clock may have been set back.
    return min(max(tries.last_at + whole_s - now, 0.0), whole_s)


def counted(tries: Tries, allowance: Allowance, now: float) -> Tries:
    """The tries with one more wrong one."""
    before = 0 if _is_forgotten(tries, allowance, now) else tries.wrong
    return Tries(before + 1, now)


def _is_forgotten(tries: Tries, allowance: Allowance, now: float) -> bool:
    return now - tries.last_at > allowance.forgotten_after_s
