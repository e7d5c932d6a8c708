"""How the built-in judge learned: its examples, its training, its calibration. An interview loads none of it."""
