"""The child processes that touch devices and references, and how the program talks to them."""
