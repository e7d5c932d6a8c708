"""HTTP: the routes of record, replay and report, the exports, and the pages."""
