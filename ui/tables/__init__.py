"""Tables of the pages: what their cells say is decided by pure functions, drawn by one delegate."""
