"""Parts working together: processes, sessions, the real program."""
