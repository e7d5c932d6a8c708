"""The command line, `viva`: `app` holds the commands, the other modules do what they ask for.

Nothing is imported here, so that `viva --help` waits for no model: import the module that you mean.
"""
