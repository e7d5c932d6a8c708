"""livekit-sip on the command line, `viva phone setup`."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict

from agent.phone.livekit_sip import TrunkWish, set_up
from agent.settings import Settings


def set_up_livekit_sip(settings: Settings, wish: TrunkWish, *, as_json: bool) -> int:
    """Set up trunk and rule, and print what was done; the exit code.

    Raises:
        SipSetupError: it failed.
    """
    done = asyncio.run(set_up(settings, wish))
    if as_json:
        sys.stdout.write(json.dumps(asdict(done), indent=2) + "\n")
        return 0
    sys.stdout.write(
        f"Inbound trunk {done.trunk_id}: {done.trunk}.\n"
        f"Dispatch rule {done.rule_id}: {done.rule}. Each call gets a room of its own, where Viva asks for the PIN.\n"
    )
    return 0
