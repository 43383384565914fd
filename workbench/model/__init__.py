"""Frozen values: what a project, a version, a run, a gate, a timing, a suggestion and a ledger line *are*."""
