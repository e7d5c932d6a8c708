"""A real exchange for tests: Kamailio as registrar and proxy, with passwords and Record-Route."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.phone.baresip import free_port
from install.telephones import find_program

PASSWORD = "s3cret"
_FOLDERS = ("/usr/lib/x86_64-linux-gnu/kamailio/modules", "/usr/lib/aarch64-linux-gnu/kamailio/modules")
_CONFIGURATION = """#!KAMAILIO
debug=0
log_stderror=yes
children=1
disable_tcp=yes
auto_aliases=no
listen=udp:127.0.0.1:{port}
listen=udp:127.0.0.1:{inner}
mpath="{modules}"
loadmodule "sl.so"
loadmodule "tm.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "auth.so"
modparam("rr", "enable_double_rr", 1)
modparam("usrloc", "db_mode", 0)
modparam("registrar", "max_expires", {expires})
modparam("registrar", "min_expires", 0)
request_route {{
    if (is_method("REGISTER")) {{
        if (!pv_www_authenticate("$td", "{password}", "0")) {{ www_challenge("$td", "0"); exit; }}
        save("location");
        exit;
    }}
    if (has_totag()) {{
        if (loose_route()) {{ t_relay(); exit; }}
        if (is_method("ACK")) {{ if (t_check_trans()) t_relay(); exit; }}
        sl_send_reply("404", "Not here");
        exit;
    }}
    if (is_method("CANCEL")) {{ if (t_check_trans()) t_relay(); exit; }}
    if (is_method("INVITE")) {{
        if (!pv_proxy_authenticate("$fd", "{password}", "0")) {{ proxy_challenge("$fd", "0"); exit; }}
        consume_credentials();
    }}
    record_route();
    if ($rU == "busy") {{ sl_send_reply("486", "Busy Here"); exit; }}
    if (!lookup("location")) {{ sl_send_reply("404", "Not Found"); exit; }}
    $fs = "udp:127.0.0.1:{inner}";
    t_relay();
}}
"""


class Kamailio:
    """The exchange. It can be stopped and started again, as exchanges are."""

    def __init__(self, folder: Path, *, expires: int) -> None:
        self.port = free_port()
        self._folder = folder
        modules = next(place for place in _FOLDERS if Path(place).is_dir())
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "kamailio.cfg"
        text = _CONFIGURATION.format(
            port=self.port, inner=free_port(), modules=modules, password=PASSWORD, expires=expires
        )
        self._file.write_text(text)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        program = find_program("kamailio")
        assert program is not None, "the set-up for tests installs it"
        command = [program, "-f", str(self._file), "-DD", "-E", "-Y", str(self._folder), "-m", "32", "-M", "8"]
        with (self._folder / "kamailio.log").open("ab") as log:
            self._process = subprocess.Popen(command, stderr=log, stdout=log, process_group=0)
        time.sleep(0.5)
        assert self._process.poll() is None, (self._folder / "kamailio.log").read_text()

    def stop(self) -> None:
        """Stop it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


@contextmanager
def kamailio(folder: Path, *, expires: int = 60) -> Iterator[Kamailio]:
    """A running exchange.

    Args:
        folder: for its configuration.
        expires: seconds of a registration at most.
    """
    exchange = Kamailio(folder, expires=expires)
    exchange.start()
    try:
        yield exchange
    finally:
        exchange.stop()
