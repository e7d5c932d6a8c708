"""Metrics of an answer beside the judge's scores: how it is reasoned and how clearly it is said, by rule.

`marks` finds the words that show either, `rubrics` makes scores of them, `feedback` words each, `model_wording` has a
language model word it, `measure` has the three metrics, one by one as the nodes of the graph take them, and together.
"""
