"""Command line as a module: `python -m agent.cli`."""

from agent.cli.app import main

main()
