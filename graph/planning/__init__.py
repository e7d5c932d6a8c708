"""Plan, difficulty, time and follow-ups: pure functions from the state of an interview to what happens next."""
