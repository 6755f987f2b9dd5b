"""Gymnasium environments: the grammar, the rules, the observations, single and vectorised.

``actions`` parse · ``config`` presets and switches · ``engine`` the rules of a step · ``observe`` texts and
pictures · ``messages``, ``prompts`` chats · ``reward`` · ``core`` the environment · ``vector`` many at once ·
``episode`` records and replay · ``catalogue`` ids. Importing this imports none of them.
"""
