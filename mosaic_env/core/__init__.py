"""Words and numbers that everybody shares: values, errors, canonical bytes, seeds, one registry.

No I/O and nothing that knows a game. Read ``types.py`` first.
"""
