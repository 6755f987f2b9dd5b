"""Composing tasks from a graph and scenes: a pure function of both and a seed, with static proofs.

``graph`` what is known · ``scene_query`` questions to a scene · ``steps`` how a question denotes entities ·
``splits`` who belongs to train, val and test · ``pool`` what a split can ask · ``routes``, ``cues`` single hops ·
``frames``, ``asking``, ``phrases``, ``relations`` words · ``wording`` whole questions · ``chain`` the hops and
what they cost ·
``proofs`` why a task is sound · ``composer`` one task on demand · ``bundle`` a stored set ·
``counterfactual`` the same question over a changed picture

Must not: draw pictures, play an episode, or know how a world was made.
"""

from mosaic_env.tasks.compose.bundle import compose_tasks
from mosaic_env.tasks.compose.composed import Composed, Probe
from mosaic_env.tasks.compose.composer import Composer
from mosaic_env.tasks.compose.graph import Graph

__all__ = ["Composed", "Composer", "Graph", "Probe", "compose_tasks"]
