"""Tests of the declaration."""
