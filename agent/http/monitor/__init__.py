"""Monitor over HTTP: an interview watched live by whoever hosts Viva."""
