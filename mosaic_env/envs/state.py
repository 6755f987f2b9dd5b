"""The changing part of an episode: small, picklable, copied in time proportional to what changed.

Everything it holds is immutable or copied by ``copy``; the world and the gold are not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from mosaic_env.core.types import Phase, Step, Task
from mosaic_env.tools.handles import Handles


@dataclass(slots=True)
class EpisodeState:
    """Where an episode stands.

    Args:
        task: The public task.
        gold: The id (digest) of its gold.
        seed: Base seed and number of the episode since that seed.
        phase: What the environment expects next.
        interactions: Interactions used.
        tool_calls: Calls run, by tool name.
        handles: Names of pictures and entities.
        attached: Handles of pictures attached so far, with the number of times.
        memory: The agent's long-term memory, as the policy wrote it.
        steps: What happened, one record a step.
        seen: Keys that tools returned so far, in order (evaluators' side; never shown).
        progress: Largest hop progress so far (a potential in [0, 1]).
        malformed: Some part of some action could not be read.
        vectors: Recorded query vectors of a replay: base64 by query digest.
    """

    task: Task
    gold: str
    seed: tuple[int, int]
    phase: Phase = "act"
    interactions: int = 0
    tool_calls: dict[str, int] = field(default_factory=dict)
    handles: Handles = field(default_factory=Handles)
    attached: dict[str, int] = field(default_factory=dict)
    memory: str = ""
    steps: list[Step] = field(default_factory=list)
    seen: dict[str, None] = field(default_factory=dict)
    progress: float = 0.0
    malformed: bool = False
    vectors: Mapping[str, str] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether every part has its type and range: a state may come from a file or another process."""
        types = {
            "task": Task, "gold": str, "seed": tuple, "phase": str, "interactions": int, "tool_calls": dict,
            "handles": Handles, "attached": dict, "memory": str, "steps": list, "seen": dict,
            "progress": float, "malformed": bool, "vectors": Mapping,
        }  # fmt: skip
        typed = all(isinstance(getattr(self, name, None), kind) for name, kind in types.items())
        return (
            typed
            and self.phase in get_args(Phase)
            and self.interactions >= 0
            and all(isinstance(step, Step) for step in self.steps)
        )

    def copy(self) -> EpisodeState:
        """Return an independent copy that shares every immutable part."""
        return EpisodeState(
            self.task, self.gold, self.seed, self.phase, self.interactions, dict(self.tool_calls),
            self.handles.copy(), dict(self.attached), self.memory, list(self.steps), dict(self.seen),
            self.progress, self.malformed, self.vectors,
        )  # fmt: skip
