"""Text of answers: clauses, stems and spoken forms, as the judge compares them."""
