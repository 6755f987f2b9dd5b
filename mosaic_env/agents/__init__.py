"""Things that act: ``scripted``, ``random``, ``null`` and ``oracle`` agents, and the loop that plays them."""
