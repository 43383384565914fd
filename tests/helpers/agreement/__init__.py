"""The agreement set: kernels that must give on the emulator what an H200 gives (tests/data/agreement)."""
