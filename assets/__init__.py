"""Assets: what an installation ships beside its code: weights, tokenizers, and which voices there are."""
