"""Metrics, statistics, comparison and reports. Reads episodes; gold only through task sources.

    records, tables   what metrics read, and what they make for reports
    load              episodes with their gold and verdict
    judge             rules first, a language model for what they leave open
    metrics           tables of a run · ``compare`` of two · ``stats`` intervals and pass@k
    quality           whether tasks are worth playing

Importing this imports none of them.
"""
