"""HTTP: the web process. `app` puts it together, `rooms` serves voice interviews, `text` interviews by text."""
