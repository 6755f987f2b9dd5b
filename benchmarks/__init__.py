"""Measurements behind the claims of this package; ``python -m benchmarks`` prints them all as ratios."""
