"""Benchmarks: `python -m tests.bench [SECTION...]`. Each section is a module with a ``run`` function."""
