"""Measurements that print a table. Each module is one: `python -m bench.NAME`."""
