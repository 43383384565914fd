"""Parts that come and go: the command palette, questions. None is modal."""
