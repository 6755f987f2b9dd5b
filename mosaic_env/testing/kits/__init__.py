"""Check kits: the contract of an environment, a tool, an encoder, a task source, as plain functions.

Each takes the part, raises ``CheckFailed`` with what to fix, and returns what it checked. The package's own
parts pass through the same kits. ``hostile`` the values that must never hurt · ``base`` what the kits share.
"""
