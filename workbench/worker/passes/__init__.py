"""What a device worker does with its device. Loaded by the child only."""
