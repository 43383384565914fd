"""What is launched and measured for the access analysis."""
