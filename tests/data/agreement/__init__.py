"""The kernels of the agreement set, their index, and what an H200 gave for them."""
