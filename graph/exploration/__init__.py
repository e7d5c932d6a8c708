"""Exploration of a résumé: questions about what the candidate says they did.

`anchors` are what a question can hang on, `policy` says which comes next and what is asked about it, `wording` and
`second_person` say it, `questions` makes the `Question` of it, with what a good answer tells (`aspects`).
"""
