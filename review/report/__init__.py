"""The report: answers, verdicts and scores as a candidate reads them, derived from the record."""
