"""Evaluation of intents: labelled utterances, and how well a detector does on them."""
