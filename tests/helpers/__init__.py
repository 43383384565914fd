"""Builders of synthetic material for tests. Nothing in here was measured."""
