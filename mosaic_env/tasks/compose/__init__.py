"""Composing tasks from a graph and scenes: a pure function of both and a seed, with static proofs.

``graph`` what is known · ``scene_query`` questions to a scene · ``steps`` how a question denotes entities ·
``relations`` and ``phrases`` words for relations and questions · ``wording`` whole questions · ``chain`` the
hops and what they cost · ``proofs`` why a task is sound · ``level1`` and ``level2`` the two levels ·
``bundle`` both together

Must not: draw pictures, play an episode, or know how a world was made.
"""

from mosaic_env.tasks.compose.bundle import compose_tasks
from mosaic_env.tasks.compose.composed import Composed, Probe
from mosaic_env.tasks.compose.graph import Graph

__all__ = ["Composed", "Graph", "Probe", "compose_tasks"]
