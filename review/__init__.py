"""What happened in an interview: its record, its report, its pages. It imports nothing of Viva's but the question bank's read side."""
