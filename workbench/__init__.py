"""The method of the ledger: what a version, a run, a gate, a timing, a stage, an account is, and how each is computed."""

VERSION = "0.1.0"
"""The program's version; `pyproject.toml` reads it here."""
