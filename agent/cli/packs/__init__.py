"""Question packs from outside: which are in force, and `viva pack`. Nothing is imported here: import what you mean.

Viva's own packs, or those of the folder `packs_dir`, come first; what was imported comes on top.
"""
