"""Viva's telephone line beside the browser: words heard, waiting, gaps, the loop, four calls at once, and a soak.

`make bench-phone` measures all but the soak; docs/phone.md says what and how.
"""

from bench.phone.command import main

__all__ = ["main"]
