"""Rules that a program can hold: budgets, habits, imports."""
