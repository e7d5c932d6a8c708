"""Number of examples for properties whose examples take longer than others, or that need more of them."""

from __future__ import annotations

from hypothesis import settings

QUICK = 25
"""What `make check` tries of each property, for somebody waits for it."""


def examples(most: int) -> int:
    """So many examples; where everything is to be quick not more than there.

    A number that stands in a test goes before that of the profile, which then is of no use.
    """
    return min(most, QUICK) if settings.get_current_profile_name() == "quick" else most
