"""Metrics of an answer beside the judge's scores: how it is reasoned and how clearly it is said, by rule.

`marks` finds the words that show either, `reasoning` and `clarity` make a score of them, `measure` does both,
`overall` puts the three metrics together and words them.
"""
