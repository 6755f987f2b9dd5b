"""Metrics, statistics, comparison and reports. Reads episodes; gold only through task sources.

``stats`` intervals and pass@k. Importing this imports none of them.
"""
