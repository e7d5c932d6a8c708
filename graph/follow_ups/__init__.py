"""Follow-ups: whether to stay with a question (`policy`), and in which words (`wording`, `validators`)."""
