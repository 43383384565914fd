"""Budgets of the window, the runs and the emulator, measured: `make bench`. Never part of the test suite."""
