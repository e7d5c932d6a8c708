"""Embeddings: sentences as vectors, by MiniLM or by a model that the host names."""
