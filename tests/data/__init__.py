"""Data that tests read, and the scripts that measured it."""
