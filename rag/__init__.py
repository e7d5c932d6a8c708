"""The question bank: packs, their search, and corrective retrieval. It imports nothing else of Viva's."""
