"""The set-up of Viva: `python3 -m install run` (or `train`, or `test`) makes a fresh clone ready.

It is run by the system's Python before anything is installed, so it uses the standard library alone. Every step is
skipped when its result is there and its inputs have not changed: an interrupted set-up goes on where it stopped.
"""
