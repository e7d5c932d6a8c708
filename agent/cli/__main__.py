"""The command line as a module: `python -m agent.cli.app`."""

from agent.cli.app import main

main()
