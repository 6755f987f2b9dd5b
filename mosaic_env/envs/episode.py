"""Episodes: the immutable record of what was played, its digest, and its file format.

One episode is one line of JSON, version 1; readers of older versions stay. The record is public: it
carries the id of the gold and never gold. The digest covers world, configuration, seed, task, gold
id, and every step (actions, calls, observations, rewards) except the recorded query vectors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from mosaic_env.core.canon import canonical_text, digest, strict_loads
from mosaic_env.core.errors import CanonError, EpisodeError, shorten
from mosaic_env.core.types import Observation, Step, Task

if TYPE_CHECKING:
    from mosaic_env.envs.setup import Setup
    from mosaic_env.envs.state import EpisodeState

FORMAT = "mosaic-episode/1"
_MAX_LINE = 256 * 2**20


@dataclass(frozen=True)
class Episode:
    """What was played.

    Args:
        env_id: Gymnasium id, or ``""``.
        snapshot: Snapshot id the world came from (for people; the digest covers ``world``).
        world: World id.
        config: The configuration as plain data.
        config_digest: Its digest, tool versions included.
        seed: (base seed, number of the episode since it).
        task: The public task.
        gold: Digest of its gold.
        first: The first observation.
        steps: What happened.
        notes: Free fields of whoever ran it (agent's name); not covered by the digest.
    """

    env_id: str
    snapshot: str
    world: str
    config: Mapping[str, Any]
    config_digest: str
    seed: tuple[int, int]
    task: Task
    gold: str
    first: Observation
    steps: tuple[Step, ...]
    notes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, setup: Setup, state: EpisodeState, first: Observation, *, env_id: str = "") -> Episode:
        """Return the record of a running or finished episode."""
        return cls(
            env_id, setup.snapshot_id, setup.world.id, setup.config.model_dump(mode="json"), setup.digest,
            state.seed, state.task, state.gold, first, tuple(state.steps),
        )  # fmt: skip

    @cached_property
    def digest(self) -> str:
        """The digest of everything that was played."""
        return digest(
            {
                "format": FORMAT,
                "world": self.world,
                "config": self.config_digest,
                "seed": [str(part) for part in self.seed],
                "task": self.task.digest,
                "gold": self.gold,
                "first": self.first.as_dict(),
                "steps": [{k: v for k, v in step.as_dict().items() if k != "vectors"} for step in self.steps],
            }
        )

    @property
    def reward(self) -> float:
        """The sum of all rewards."""
        return sum(step.reward for step in self.steps)

    @property
    def answer(self) -> str | None:
        """The final answer, or None."""
        return self.steps[-1].answer if self.steps else None

    @property
    def success(self) -> bool:
        """True when the final answer was judged right."""
        return bool(self.steps) and self.steps[-1].verdict == "yes"

    @property
    def finished(self) -> bool:
        """True when the episode was terminated or truncated."""
        return bool(self.steps) and (self.steps[-1].terminated or self.steps[-1].truncated)

    @property
    def vectors(self) -> dict[str, str]:
        """All recorded query vectors: base64 by query digest."""
        return {key: value for step in self.steps for key, value in step.vectors.items()}

    def to_line(self) -> str:
        """Return the episode as one line of JSON without the line's end."""
        return canonical_text(
            {
                "format": FORMAT,
                "env_id": self.env_id,
                "snapshot": self.snapshot,
                "world": self.world,
                "config": dict(self.config),
                "config_digest": self.config_digest,
                "seed": [str(part) for part in self.seed],
                "task": self.task.as_dict(),
                "gold": self.gold,
                "first": self.first.as_dict(),
                "steps": [step.as_dict() for step in self.steps],
                "notes": dict(self.notes),
                "digest": self.digest,
            }
        )

    @classmethod
    def from_line(cls, line: str | bytes, *, where: str = "the line") -> Episode:
        """Read an episode.

        Raises: EpisodeError (ME-EPISODE-01) for damaged lines, foreign versions and wrong digests.
        """
        try:
            plain = strict_loads(line, max_bytes=_MAX_LINE)
        except CanonError as error:
            raise _damaged(where, error.what) from None
        if not isinstance(plain, dict) or plain.get("format") not in _READERS:
            found = plain.get("format") if isinstance(plain, dict) else plain
            raise _damaged(where, f"its format is {shorten(found)}", "one of " + ", ".join(_READERS))
        try:
            episode: Episode = _READERS[plain["format"]](plain)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = ".".join(map(str, first["loc"]))
            raise _damaged(where, f"{name}: {first['msg']}") from None
        if episode.digest != plain.get("digest"):
            found = shorten(plain.get("digest"))
            raise _damaged(where, f"its content has the digest {episode.digest}", found)
        return episode


def _damaged(where: str, what: str, expected: str = "a whole episode") -> EpisodeError:
    return EpisodeError(
        "ME-EPISODE-01", f"{where} is not an episode: {what}", expected=expected,
        fix="Record it again; read_episodes(…, repair=True) leaves out a last line that a crash cut short",
    )  # fmt: skip


@cache
def _version_1() -> TypeAdapter[Episode]:
    return TypeAdapter(Episode)


def _read_version_1(plain: Mapping[str, Any]) -> Episode:
    return _version_1().validate_python(plain)


_READERS = {FORMAT: _read_version_1}


def write_episodes(path: Path, episodes: Iterable[Episode], *, append: bool = False) -> int:
    """Write episodes, one a line, and return their number.

    A file whose last line was cut by a crash is never continued in the middle: appending starts a
    new line, and readers report the cut one.
    """
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b" if append else "wb") as stream:
        if append and stream.tell() > 0:
            stream.seek(-1, 2)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        for episode in episodes:
            stream.write(episode.to_line().encode("ascii") + b"\n")
            count += 1
    return count


def read_episodes(path: Path, *, repair: bool = False) -> Iterator[Episode]:
    """Yield the episodes of a file, one line at a time.

    Args:
        repair: Leave out a last line that a crash cut short.

    Raises: EpisodeError (ME-EPISODE-01) naming the line.
    """
    if not path.is_file():
        raise EpisodeError(
            "ME-EPISODE-01", f"the file {path.name!r} does not exist", expected="episodes, one a line"
        )
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                yield Episode.from_line(line, where=f"line {number} of {path.name}")
            except EpisodeError:
                if repair and not line.endswith(b"\n"):
                    return
                raise


def pretty(value: Any) -> str:
    """Return plain data as indented JSON, for diffs that people read."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
