"""The timeline without its page: arithmetic in whole nanoseconds, and the drawing."""
