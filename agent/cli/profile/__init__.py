"""Commands of `viva profile`: what Viva reads in a résumé. Nothing is imported here: import what you mean."""
