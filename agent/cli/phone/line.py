"""Phone line on the command line: `viva phone line` runs it, `viva phone status` shows what it is doing."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.cli.errors import exit_on, settings_or_exit

if TYPE_CHECKING:
    from agent.phone.line.status import CallStatus, LineStatus

# Each command imports what it needs when it runs, so that `viva --help` does not wait for LiveKit.
# ruff: noqa: PLC0415

_STYLES = {"registered": "green", "registering": "yellow", "failed": "bold red"}


def add_line_commands(app: typer.Typer) -> None:
    """Give `viva phone` the commands of the line."""
    app.command()(line)
    app.command()(status)


def line() -> None:
    """Run the phone line alone; 'viva up' runs it with everything else when the setting phone is on."""
    from agent.phone.line.process import LineError, run

    with exit_on(LineError):
        run(settings_or_exit())


def status(*, as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False) -> None:
    """Show the calls that the running line holds, and where it is registered."""
    from agent.phone.line.status_socket import LineNotRunningError, ask_status

    with exit_on(LineNotRunningError):
        found = asyncio.run(ask_status(settings_or_exit()))
    if as_json:
        sys.stdout.write(found.model_dump_json(indent=2) + "\n")
    else:
        _print(found, Console(highlight=False))


def _print(status: LineStatus, console: Console) -> None:
    console.print(f"The line listens at {status.address}; {len(status.calls)} of {status.calls_at_once} calls.")
    if status.calls:
        table = Table("call", "", "since", "codec", "loss", "state", box=None, pad_edge=False)
        for call in status.calls:
            way = "out" if call.is_outgoing else "in"
            minutes, seconds = divmod(round(call.seconds), 60)
            table.add_row(call.id, way, f"{minutes}:{seconds:02}", call.codec, f"{call.loss:.1%}", _state(call))
        console.print(table)
    if status.registrations:
        accounts = Table("account", "state", "why", box=None, pad_edge=False)
        for each in status.registrations:
            accounts.add_row(Text(each.address), Text(each.state, style=_STYLES[each.state]), Text(each.detail))
        console.print(accounts)
    console.print(
        f"Refused: {status.refused} calls; passed over, because too many came at once: {status.passed_over}; "
        f"no SIP: {status.junk} datagrams."
    )


def _state(call: CallStatus) -> str:
    if call.room != "inside":
        return "livekit-server is gone" if call.room == "away" else "not in its room"
    if call.is_on_hold:
        return "on hold"
    return "with the interviewer" if call.has_interviewer else "waits for an interviewer"
