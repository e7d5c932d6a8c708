"""Endpointing: when an answer is over.

`policy` weighs how long to wait, from `endings` (how the words end) and `pauses` (how this candidate pauses);
`detector` does the waiting in the form in which LiveKit asks for it.
"""
