"""Commands of the phone, `viva pin`, `call`, `booking` and `phone`: their options and exit codes."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer

from agent.cli.errors import WRONG_USE, exit_on, settings_or_exit
from agent.cli.options import DocumentError
from agent.cli.phone import options
from agent.cli.phone.times import ACCEPTED, TimeError, moment
from agent.settings import SettingsError

# What takes long to import is imported when a command runs: --help and a mistyped option answer at once.
# ruff: noqa: PLC0415

pin_app = typer.Typer(
    help="Make, list and revoke the PINs by which callers get their interviews (docs/phone.md).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

booking_app = typer.Typer(
    help="List and cancel the calls that are booked; 'viva call' books one (docs/phone.md).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class SrtpOption(StrEnum):
    """Whether sound is encrypted between livekit-sip and the provider."""

    OFF = "off"
    ALLOW = "allow"
    REQUIRE = "require"


@pin_app.command("new")
@options.with_wish_options
def new_pin(
    *,
    asked: options.WishOptions,
    many: Annotated[bool, typer.Option("--many", help="For any number of interviews; without it for one.")] = False,
    start: Annotated[str, typer.Option("--from", metavar="TIME", help="From when on it counts; without it now.")] = "",
    until: Annotated[str, typer.Option(metavar="TIME", help=f"Until when it counts: {ACCEPTED}.")] = "+7d",
    as_json: options.AsJson = False,
) -> None:
    """Make a PIN for an interview, and print it. It is not shown again.

    The exit code is 1 when it cannot be made, and 2 when the command was used wrongly.
    """
    from agent.cli.phone.pins import make_pin
    from agent.interviews.creation import WishError
    from agent.phone.database import PhoneStoreError
    from agent.phone.pins import PinError
    from rag.packs.pack import PackError

    settings = settings_or_exit()
    now = _now()
    with exit_on(TimeError, options.WishOptionsError, DocumentError, WishError, PackError, PinError, code=WRONG_USE):
        valid_from = moment(start, now) if start else None
        valid_until = moment(until, now, ends=True)
        wish = asked.wish(settings)
        with exit_on(PhoneStoreError, SettingsError):
            raise typer.Exit(
                make_pin(
                    settings,
                    wish,
                    once=not many,
                    valid_from=valid_from,
                    valid_until=valid_until,
                    now=now,
                    as_json=as_json,
                )
            )


@pin_app.command("list")
def list_pins(*, as_json: options.AsJson = False) -> None:
    """List what PINs stand for, and until when. The digits are kept nowhere."""
    from agent.cli.phone.pins import list_pins as run
    from agent.phone.database import PhoneStoreError

    with exit_on(PhoneStoreError, SettingsError):
        raise typer.Exit(run(settings_or_exit(), now=_now(), as_json=as_json))


@pin_app.command("revoke")
def revoke_pin(
    which: Annotated[str, typer.Argument(metavar="ID", help="Its id, as listed, or the PIN itself.")],
) -> None:
    """Revoke a PIN: nobody gets in by it any more, and no call that is booked with it is made."""
    from agent.cli.phone.pins import revoke_pin as run
    from agent.phone.database import PhoneStoreError

    with exit_on(PhoneStoreError, SettingsError):
        raise typer.Exit(run(settings_or_exit(), which))


@options.with_wish_options
def call(
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="Whom to call, as the PBX dials it.")],
    *,
    at: Annotated[str, typer.Option(metavar="TIME", help=f"When: {ACCEPTED}.")],
    pin: Annotated[str, typer.Option(help="A PIN that stands for the interview; or say below what it is to be.")] = "",
    account: Annotated[str, typer.Option(help="Extension to call by; without it the first of the settings.")] = "",
    asked: options.WishOptions,
    as_json: options.AsJson = False,
) -> None:
    """Book a call: at that time Viva calls, through an account of the PBX, and holds an interview.

    Nothing personal is said before a key was pressed. Viva has to run then; a call that it missed is not made later.
    The exit code is 1 when it cannot be kept, and 2 when the command was used wrongly.
    """
    from agent.cli.phone.calls import book_call
    from agent.interviews.creation import WishError
    from agent.phone.booking_wishes import CallWish
    from agent.phone.bookings import BookingError
    from agent.phone.database import PhoneStoreError
    from agent.phone.pins import PinError
    from rag.packs.pack import PackError

    settings = settings_or_exit()
    now = _now()
    wrong = (TimeError, options.WishOptionsError, DocumentError, WishError, PackError, PinError, BookingError)
    with exit_on(*wrong, code=WRONG_USE):
        wanted = CallWish(number, account, moment(at, now))
        of = pin or asked.wish(settings)
        with exit_on(PhoneStoreError, SettingsError):
            raise typer.Exit(book_call(settings, wanted, of, now=now, as_json=as_json))


@booking_app.command("list")
def list_bookings(*, as_json: options.AsJson = False) -> None:
    """List the booked calls, and what became of those of the last week."""
    from agent.cli.phone.calls import list_bookings as run
    from agent.phone.database import PhoneStoreError

    with exit_on(PhoneStoreError, SettingsError):
        raise typer.Exit(run(settings_or_exit(), now=_now(), as_json=as_json))


@booking_app.command("cancel")
def cancel_booking(which: Annotated[str, typer.Argument(metavar="ID", help="Its id, as listed.")]) -> None:
    """Cancel a booked call. Its PIN counts on."""
    from agent.cli.phone.calls import cancel_booking as run
    from agent.phone.database import PhoneStoreError

    with exit_on(PhoneStoreError, SettingsError):
        raise typer.Exit(run(settings_or_exit(), which))


def add_setup_command(app: typer.Typer) -> None:
    """Give `viva phone` the command that sets livekit-sip up."""
    app.command("setup")(_set_up)


def _set_up(
    *,
    number: Annotated[
        list[str] | None, typer.Option(help="A number that is called, as the provider sends it; can be given again.")
    ] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="An address or network that calls may come from; can be given again.")
    ] = None,
    user: Annotated[str, typer.Option(help="Name for digest authentication; its password is asked for.")] = "",
    srtp: Annotated[SrtpOption, typer.Option(help="Whether sound is encrypted.")] = SrtpOption.ALLOW,
    as_json: options.AsJson = False,
) -> None:
    """Tell livekit-server how livekit-sip is to take calls: an inbound trunk, and a rule that sends them to Viva.

    Only for livekit-sip; Viva's own line needs none of it. It can be run again: what is there is brought up to date.
    """
    from agent.cli.phone.setup import set_up_livekit_sip
    from agent.phone.livekit_sip import SipSetupError, TrunkWish

    settings = settings_or_exit()
    password = typer.prompt("Password", hide_input=True, err=True) if user else ""
    with exit_on(SipSetupError, SettingsError):
        wish = TrunkWish(number or [], allow or [], user, password, srtp.value)
        raise typer.Exit(set_up_livekit_sip(settings, wish, as_json=as_json))


def _now() -> datetime:
    return datetime.now(UTC).astimezone()
