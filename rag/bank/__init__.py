"""The question bank: questions of all packs in Chroma (`chroma`), searched by meaning (`bank`)."""
