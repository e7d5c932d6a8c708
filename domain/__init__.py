"""The domain: what all rooms speak of, each fact in one shape. It imports nothing of Viva's."""
