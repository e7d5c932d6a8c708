"""Registrar: keeps an account registered at its PBX, whatever happens to the network or to the PBX.

aiosipua refreshes and answers challenges; it gives up at the first fault, and that is where this begins again, each
time after a longer pause.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import random
import socket
from collections.abc import Callable

from aiosipua.auth import SipDigestAuth
from aiosipua.registration import Registration
from aiosipua.uac import SipUAC

from agent.phone.line.setting_values import Account
from agent.phone.line.status import RegistrarState, RegistrationStatus
from agent.phone.line.transactions import Address

_log = logging.getLogger(__name__)

EXPIRES_S = 300
"""How long a registration is asked for; after nine tenths of what is granted it is refreshed."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 2.0, 60.0
_WRONG_PASSWORD_PAUSE_S = 300.0
"""A PBX bans who tries a wrong password again and again."""
_WRONG_PASSWORD = frozenset({401, 403, 407})
_UNREGISTER_S = 0.2


def pause_before(tries: int, status: int, rng: random.Random) -> float:
    """Seconds before an account is registered again.

    Args:
        tries: how many have failed in a row.
        status: of the last one; 0 if the PBX's host has no address.
        rng: spreads what many lines do after the same fault.
    """
    if status in _WRONG_PASSWORD:
        return _WRONG_PASSWORD_PAUSE_S
    longest = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(tries - 1, 10))
    return longest * (0.75 + 0.25 * rng.random())


def fault_of(status: int, reason: str, account: Account) -> str:
    """Why a PBX did not register an account, and what to look at, for people.

    Args:
        status: of its answer; 408 also where there was none.
        reason: the words that came with it.
        account: the account, whose password is not told.
    """
    host, port = account.server
    match status:
        case 403:
            # Asterisk says so, too, where another telephone is registered as that extension.
            return (
                "the PBX forbids it (403): check name and password in phone_accounts, and how many telephones may be "
                f"registered as {account.user}"
            )
        case 401 | 407:
            return f"the PBX does not accept its name or password ({status}): check phone_accounts"
        case 404:
            return f"the PBX knows no extension {account.user} (404): check phone_accounts, and the PBX"
        case 408:
            return f"no answer from {host}:{port} over UDP: check whether the PBX is there, and phone_host"
        case 423 | 503:
            return f"the PBX takes no registration at the moment ({status} {reason})"
        case _:
            return f"the PBX answers {status} {reason}"


class Registrar:
    """Keeps one account registered. `start` it, and `stop` it in any case."""

    def __init__(self, uac: SipUAC, account: Account, contact: Address, rng: random.Random, user_agent: str) -> None:
        self.account = account
        self.state: RegistrarState = "registering"
        self.detail = ""
        """Why it failed last, for people; empty while all is well."""
        self.server: Address | None = None
        """Where the PBX is; None until its name was looked up."""
        self.pause: Callable[[int, int, random.Random], float] = pause_before
        self._uac = uac
        self._contact = contact
        self._rng = rng
        self._user_agent = user_agent
        self._registration: Registration | None = None
        self._failed: asyncio.Event = asyncio.Event()
        self._status = 0
        self._tries = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def status(self) -> RegistrationStatus:
        """How it is at the moment."""
        return RegistrationStatus(address=self.account.address, state=self.state, detail=self.detail)

    def start(self) -> None:
        """Begin to register."""
        self._task = asyncio.get_running_loop().create_task(self._keep())

    async def stop(self) -> None:
        """Take the registration back, as far as the PBX can be reached."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._registration is not None:
            if self.state == "registered":
                # A challenge has to be answered; the answer to that is not waited for.
                self._registration.unregister()
                await asyncio.sleep(_UNREGISTER_S)
            self._drop()

    async def _keep(self) -> None:
        while True:
            self._failed.clear()
            self.state = "registering"
            try:
                self.server = await look_up(self.account.server)
            except OSError:
                self._fail(0, f"{self.account.server[0]} has no IPv4 address that can be found")
            else:
                self._register()
            await self._failed.wait()
            self._drop()
            pause_s = self.pause(self._tries, self._status, self._rng)
            _log.warning("%s is not registered: %s; again in %.0f s", self.account.address, self.detail, pause_s)
            await asyncio.sleep(pause_s)

    def _register(self) -> None:
        assert self.server is not None
        account = self.account
        host, port = self._contact
        registration = self._registration = Registration(
            self._uac, account.address, self.server,
            expires=EXPIRES_S,
            auth=SipDigestAuth(account.login, account.password),
            contact_uri=f"sip:{account.user}@{host}:{port}",
            user_agent=self._user_agent,
        )  # fmt: skip
        registration.on_registered = self._succeeded
        registration.on_failed = lambda _registration, status, reason: self._fail(
            status, fault_of(status, reason, account)
        )
        registration.on_expired = lambda _registration: self._fail(408, "the PBX did not refresh it")
        registration.register()

    def _succeeded(self, registration: Registration) -> None:
        if self.state != "registered":
            _log.info("%s is registered for %d s", self.account.address, registration.granted_expires)
        self.state, self.detail, self._tries = "registered", "", 0

    def _fail(self, status: int, why: str) -> None:
        self._tries += 1
        self.state, self.detail, self._status = "failed", why, status
        self._failed.set()

    def _drop(self) -> None:
        if self._registration is not None:
            self._registration._cancel_timers()  # noqa: SLF001 (there is no public way to stop without a REGISTER)
            self._uac._registrations.pop(self._registration.call_id, None)  # noqa: SLF001 (likewise)
            self._registration = None


async def look_up(server: tuple[str, int]) -> Address:
    """The address of a host. Raises `OSError` if it has none."""
    host, port = server
    with contextlib.suppress(ValueError):
        return str(ipaddress.IPv4Address(host)), port
    found = await asyncio.get_running_loop().getaddrinfo(host, port, family=socket.AF_INET, type=socket.SOCK_DGRAM)
    return str(found[0][4][0]), port
