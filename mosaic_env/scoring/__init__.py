"""Pure functions from (answer, reference) to a verdict with a reason, and reward terms."""

from mosaic_env.scoring.extract import final_answer
from mosaic_env.scoring.normalise import normalise
from mosaic_env.scoring.score import REASONS, Verdict, score
from mosaic_env.scoring.terms import evidence_recall, hop_progress

__all__ = ["REASONS", "Verdict", "evidence_recall", "final_answer", "hop_progress", "normalise", "score"]
