"""Offline judging: answers of a file, labels of people, and the explanation of a score. No interview needs it."""
