"""What is not Python: livekit-server, the pages, and a browser for the tests."""

from __future__ import annotations

import shutil
from pathlib import Path

from install.debian import install_package, may_install
from install.prerequisites import check_disk, check_node, go_toolchain
from install.running import Runner, SetupError
from install.stamps import key_of, once

LIVEKIT_VERSION = "1.13.5"
_LIVEKIT_MODULE = f"github.com/livekit/livekit-server/cmd/server@v{LIVEKIT_VERSION}"
_HOW_LIVEKIT = "install livekit-server (https://docs.livekit.io/home/self-hosting/local/, 'brew install livekit')"
_AGAIN = "Check the network and run the same command again: it goes on where it stopped."
_STAMP = ".viva-set-up"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def build_livekit(tools: Path, runner: Runner) -> bool:
    """Build livekit-server, unless one is installed or was built before."""
    target = tools / "livekit-server"
    if shutil.which("livekit-server") or LIVEKIT_VERSION in (runner.output([target, "--version"]) or ""):
        return False
    toolchain = go_toolchain(runner, "livekit-server", _HOW_LIVEKIT)
    check_disk(tools, 3, "Building livekit-server")
    folder = tools / "gobin"
    runner.say("      this takes about three minutes on two cores")
    runner.run(
        ["go", "install", "-v", _LIVEKIT_MODULE],
        failure=f"livekit-server could not be built. {_AGAIN}",
        environment={"GOBIN": str(folder), "CGO_ENABLED": "0", "GOTOOLCHAIN": toolchain},
    )
    (folder / "server").replace(target)
    return True


def build_pages(pages: Path, runner: Runner) -> bool:
    """Install the pages' packages and build the pages, each when something it depends on has changed."""
    if not (pages / "package.json").is_file():
        return False

    def install() -> None:
        check_node(runner)
        runner.run(
            ["npm", "ci", "--no-audit", "--no-fund"],
            cwd=pages, failure=f"npm could not install what the pages need. {_AGAIN}",
        )  # fmt: skip

    def build() -> None:
        check_node(runner)
        runner.run(["npm", "run", "build"], cwd=pages, failure="The pages could not be built; its last lines say why.")

    packages = key_of(pages / "package.json", pages / "package-lock.json")
    installed = once(pages / "node_modules" / _STAMP, packages, install)
    return once(pages / "dist" / _STAMP, key_of(_sources(pages)), build) or installed


def find_browser() -> str | None:
    """A Chromium that the tests of the pages can drive."""
    return next((found for name in _BROWSERS if (found := shutil.which(name))), None)


def install_browser(runner: Runner) -> bool:
    """Get Chromium from Debian where this process may install packages.

    Raises:
        SetupError: there is none and it cannot be installed from here.

    """
    if find_browser():
        return False
    if not may_install():
        raise SetupError(
            "The tests of the pages need Chromium, and none of these is on PATH: " + ", ".join(_BROWSERS) + ". Install "
            "it, for instance with 'sudo apt-get install chromium' or 'brew install --cask google-chrome'"
        )
    failure = "Chromium could not be installed; install it with 'apt-get install chromium' and run this again."
    install_package("chromium", runner, failure=failure)
    return True


def _sources(pages: Path) -> list[Path]:
    made = {"node_modules", "dist", "generated"}
    return [
        path
        for path in pages.rglob("*")
        if path.is_file() and not made.intersection(path.relative_to(pages).parts) and path.name[0] != "."
    ]
