"""Tests that need a CUDA GPU: `pytest -m gpu`."""
