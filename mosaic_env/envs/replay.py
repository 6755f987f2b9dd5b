"""Replaying an episode: the same actions again, compared byte for byte.

Needs no encoder: query vectors of ``recorded`` encoders come from the episode, and one that is missing
is an error of that call, which the comparison shows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mosaic_env.core.canon import canonical_text, strict_loads
from mosaic_env.core.errors import CanonError, EpisodeError, ReplayError, shorten
from mosaic_env.core.types import Step
from mosaic_env.envs.config import EnvConfig
from mosaic_env.envs.core import drive
from mosaic_env.envs.episode import Episode, pretty
from mosaic_env.envs.messages import MAX_ACTION_BYTES
from mosaic_env.envs.setup import Setup, open_setup
from mosaic_env.tasks.levels import GENERATED_KEY
from mosaic_env.tasks.source import get_pair


@dataclass(frozen=True, slots=True)
class Difference:
    """The first byte at which a replay differs.

    Args:
        step: Number of the step, from 1; 0 is the first observation.
        part: What differs: ``observation``, ``images``, ``reward``, ``calls``…
        byte: Position in that part.
        recorded, replayed: The bytes around it.
    """

    step: int
    part: str
    byte: int
    recorded: str
    replayed: str

    def __str__(self) -> str:
        return (
            f"step {self.step}, {self.part}, byte {self.byte}: recorded …{self.recorded}…, "
            f"replayed …{self.replayed}…"
        )


def setup_for(
    episode: Episode, *, snapshot: str | os.PathLike[str] | None = None, tasks: str | None = None
) -> Setup:
    """Return the setup an episode was played in.

    Args:
        snapshot: Where its world is; None searches as ``gym.make`` does.
        tasks: The task source; None takes generated tasks for a key of theirs, else the snapshot's default set.

    Raises: EpisodeError (ME-EPISODE-02) when world or configuration differ.
    """
    config = dict(episode.config)
    foreign = sorted(config.keys() ^ EnvConfig.model_fields.keys())
    if foreign:  # an episode says how it was played, not which files to open
        raise EpisodeError(
            "ME-EPISODE-02", f"its configuration has or lacks {shorten(foreign[0])}",
            expected="the fields of mosaic_env.envs.config.EnvConfig",
            fix="Use the release of mosaic_env that recorded it",
        )  # fmt: skip
    if tasks is None and GENERATED_KEY.fullmatch(episode.task.key):
        tasks = "generated"
    family, preset = str(config.pop("family")), str(config.pop("preset"))
    setup = open_setup(family, snapshot=snapshot, tasks=tasks, preset=preset, **config)
    if setup.world.id != episode.world:
        raise EpisodeError(
            "ME-EPISODE-02",
            f"the episode was played in the world {episode.world[:19]}…, not in {setup.world.id[:19]}…",
            expected=f"the snapshot {episode.snapshot[:19]}…, or one with the same kb, objects and index",
            fix="Give it with --snapshot",
        )
    if setup.digest != episode.config_digest:
        raise EpisodeError(
            "ME-EPISODE-02", "the configuration or a tool's version is not the episode's",
            expected=episode.config_digest, fix="Use the release of mosaic_env that recorded it",
        )  # fmt: skip
    return setup


def replay(episode: Episode, setup: Setup) -> Episode:
    """Play an episode's actions again and return the new record.

    Raises: EpisodeError (ME-EPISODE-02) when the task or its gold is another one.
    """
    task, gold = get_pair(setup.source, episode.task.key)
    if task.digest != episode.task.digest or gold.digest != episode.gold:
        raise EpisodeError(
            "ME-EPISODE-02",
            f"the task {task.key} has changed since the episode was recorded",
            expected=episode.gold,
        )
    state, first, reward = setup.engine.begin(task, gold, episode.seed)
    state.vectors = episode.vectors
    for step in episode.steps:
        if state.phase == "done":
            break
        drive(setup.engine.play(state, reward, action_of(step)), setup.world)
    return Episode.of(setup, state, first, env_id=episode.env_id)


def action_of(step: Step) -> Any:
    """Return the action of a step in the form it was given.

    Raises: EpisodeError (ME-EPISODE-01) for a structured action that is no JSON.
    """
    if not step.structured:
        return step.action
    try:
        return strict_loads(step.action, max_bytes=MAX_ACTION_BYTES)
    except CanonError as error:
        raise EpisodeError("ME-EPISODE-01", f"an action that was not text cannot be read: {error.what}",
                           expected="JSON, as it was recorded") from None  # fmt: skip


def differences(recorded: Episode, replayed: Episode) -> Iterator[Difference]:
    """Yield, for each part that differs, where it first does; nothing when the digests are equal."""
    if recorded.digest == replayed.digest:
        return
    pairs: list[tuple[int, Mapping[str, Any], Mapping[str, Any]]] = [
        (0, {"observation": recorded.first.as_dict()}, {"observation": replayed.first.as_dict()})
    ]
    for number, (one, other) in enumerate(zip(recorded.steps, replayed.steps, strict=False), start=1):
        pairs.append((number, one.as_dict(), other.as_dict()))
    for number, one_parts, other_parts in pairs:
        for part in one_parts:
            if part != "vectors" and one_parts[part] != other_parts[part]:
                yield _first_byte(number, part, one_parts[part], other_parts[part])
    if len(recorded.steps) != len(replayed.steps):
        lengths = f"{len(recorded.steps)} steps", f"{len(replayed.steps)} steps"
        yield Difference(min(len(recorded.steps), len(replayed.steps)) + 1, "steps", 0, *lengths)


def _first_byte(number: int, part: str, recorded: Any, replayed: Any) -> Difference:
    if part == "observation" and recorded["text"] != replayed["text"]:
        part, one, other = "observation text", recorded["text"], replayed["text"]
    else:
        one, other = canonical_text(recorded), canonical_text(replayed)
    a, b = one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass")
    position = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return Difference(number, part, position, _around(a, position), _around(b, position))


def _around(data: bytes, position: int) -> str:
    return data[max(position - 20, 0) : position + 40].decode("utf-8", "replace")


def check_replay(episode: Episode, setup: Setup) -> None:
    """Replay an episode and raise when a byte differs.

    Raises: ReplayError (ME-REPLAY-01) naming the first byte, EpisodeError.
    """
    again = replay(episode, setup)
    first = next(differences(episode, again), None)
    if first is not None:
        raise ReplayError(
            "ME-REPLAY-01", f"the replay of {episode.task.key} differs at {first}", expected=episode.digest,
            fix="If the change is meant, record the episode again",
        )  # fmt: skip


def show(episode: Episode) -> str:
    """Return an episode as indented JSON, for people and diffs."""
    return pretty(strict_loads(episode.to_line(), max_bytes=2**28))
