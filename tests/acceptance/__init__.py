"""One test per acceptance line: the state of the work at a glance. Not met yet: strict xfail with a reason."""
