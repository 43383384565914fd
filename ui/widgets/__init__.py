"""Small parts that pages and panels are made of; they know tokens, not the method."""
