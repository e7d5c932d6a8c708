"""Find a Python that can run Viva, and let it do the set-up.

This file alone must be understood by old versions of Python, which are told what is missing.
"""

import os
import shutil
import sys

OLDEST, FIRST_TOO_NEW = (3, 11), (3, 14)


def main() -> int:
    """Hand over to the set-up, in a newer Python when this one cannot run Viva."""
    if not OLDEST <= sys.version_info[:2] < FIRST_TOO_NEW:
        for name in ("python3.13", "python3.12", "python3.11"):
            found = shutil.which(name)
            if found:
                os.execv(found, [found, "-m", "install", *sys.argv[1:]])
        sys.exit(
            f"Viva needs Python 3.11, 3.12 or 3.13, and python3 is {sys.version.split()[0]}: install one of these, for "
            "instance with 'apt-get install python3.11 python3.11-venv', 'brew install python@3.13' or from "
            "https://www.python.org/downloads/"
        )
    from install.setup import main as set_up  # noqa: PLC0415 (an old Python could not even read it)

    return set_up(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
