"""Where the ``mosaic`` command starts: outside the package, so that Ctrl-C ends it quietly while it is imported."""

from __future__ import annotations


def main() -> int:
    """Import the command, run it and return its exit code; 130 when it was interrupted."""
    try:
        from mosaic_env.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130
