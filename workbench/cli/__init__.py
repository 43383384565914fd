"""One sub-command per command."""
