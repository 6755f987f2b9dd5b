"""Playing a suite of tasks in worker processes, into a run folder that can be continued.

``suite`` what is played · ``plan`` makes it from options · ``folder`` the files · ``pool`` the processes ·
``worker`` the program they run · ``player`` one task in it · ``evaluate`` puts them together.
"""
