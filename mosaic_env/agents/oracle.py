"""The oracle: an honest upper bound for tasks whose chain and scenes are known.

It knows the chain, plays it hop by hop with the tools, and reads a scene only for a picture that this
episode attached. It never reads the answer: it asks the scene. A hop whose entity no call returned
ends the walk. So it fails when tools are broken, when pictures are switched off, or when a hop's
entity is missing, which is what controls test.
"""

from __future__ import annotations

from typing import Any

from mosaic_env.core.types import Hop
from mosaic_env.envs.actions import format_answer, format_call
from mosaic_env.envs.core import SearchEnv
from mosaic_env.tasks.compose.scene_query import answer, ask_of

UNKNOWN = "unknown"
#: Results asked for where a query cannot name what it looks for: texts that mention a name come after names like it.
_MORE = 15


class OracleAgent:
    """Plays the gold chain.

    Args:
        env: The environment; its task source must know chains and scenes to be of use.
        seed: Not used: the oracle draws nothing.
    """

    def __init__(self, env: SearchEnv, seed: int = 0) -> None:
        self._env = env
        self._hops: list[Hop] = []
        self._sought = ""
        self._ask: dict[str, str] = {}

    def begin(self, env: SearchEnv, observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Look up the chain of the task."""
        self._env = env
        _, gold = env.setup.source.get(info["task"])
        self._hops, self._sought = list(gold.chain), ""
        self._ask = ask_of(gold)

    def act(self, observation: dict[str, Any], info: dict[str, Any]) -> str:
        """Return the next hop's call, or the answer when the chain has been walked."""
        if info["phase"] == "memory":
            return "- walking the chain; every hop so far was found"
        if not self._found():
            return format_answer(UNKNOWN)
        if self._hops and info["phase"] == "act":
            hop = self._hops.pop(0)
            self._sought = hop.tail
            return self._call(hop)
        return format_answer(self._read())

    def _call(self, hop: Hop) -> str:
        if hop.tool == "local_image_search":
            return format_call(hop.tool, {"image": hop.query})
        kb = self._env.world.kb
        named = hop.tail in kb.rows and kb.labels[kb.rows[hop.tail]] in hop.query
        return format_call(hop.tool, {"query": hop.query, **({} if named else {"top_k": _MORE})})

    def _found(self) -> bool:
        """Tell whether a call of this episode returned the entity of the last hop."""
        calls = (call for step in self._env.episode.steps for call in step.calls)
        return not self._sought or any(self._sought in call.ranked for call in calls)

    def _read(self) -> str:
        """Ask the scene of the target's picture, if this episode attached it."""
        target, source = self._ask.get("of", ""), self._env.setup.source
        for digest in self._attached(target):
            scene = source.scene(digest) if hasattr(source, "scene") else None
            found = None if scene is None else answer(scene, self._ask)
            if found is not None:
                return found
        return UNKNOWN

    def _attached(self, target: str) -> list[str]:
        """Return the digests of attached pictures that show the target."""
        known, episode = self._env.world.kb.by_digest, self._env.episode
        seen = [episode.first, *(step.observation for step in episode.steps)]
        digests = [shown.picture.source or shown.picture.digest for one in seen for shown in one.shown]
        return [digest for digest in digests if digest in known and known[digest].entity == target]
