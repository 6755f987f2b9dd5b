"""What a test of an agent can fail with. The failures are ``AssertionError``s: pytest shows them as such."""

from __future__ import annotations

from mosaic_env.core.errors import MosaicError


class AgentFailed(AssertionError):
    """The agent raised, or gave something that is no action."""


class GoldenMissing(AssertionError):
    """There is nothing to compare with; goldens are never made silently."""


class GoldenMismatch(AssertionError):
    """The run is not the recorded one; the message names the side that moved."""


class ModelMiss(AssertionError):
    """The agent asked its model something that is not in the recording."""


class GoldenError(MosaicError, ValueError):
    """A golden file that is damaged, of a foreign version, or of another test."""


class HarnessError(MosaicError, ValueError):
    """The harness was used wrongly."""
