"""Documents: the text of PDF, DOCX, Markdown and plain text files, read where a hostile file does no harm.

`agent/documents/reading.py` is the door: bytes in, a `Document` or a sentence out. Nothing is imported here: import
what you mean.
"""
