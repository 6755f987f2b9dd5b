"""Showing a run to people: the same summary in a terminal, in Markdown, and as a page with every episode."""
