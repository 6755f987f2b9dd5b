"""Where tasks come from: a source yields ``(Task, Gold)`` pairs; the environment keeps them apart.

``source`` protocol and registry · ``snapshot_tasks`` sets stored in a snapshot · ``generated`` composed on
demand · ``levels`` what those can be · ``interlv`` the official level files · ``reasons`` why a stored task
cannot be played · ``errata`` corrections as data
"""
