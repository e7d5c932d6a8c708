"""Where it all comes together: the interviewer in its room, the web process, settings and the command line.

It may import every other room and no other room may import it. Nothing is imported here, so that
`viva --help` and the settings do not wait for LiveKit or onnxruntime: import the module that you mean.
"""
