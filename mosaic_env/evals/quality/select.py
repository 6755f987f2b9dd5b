"""Playing filters: the tasks that the oracle solves and no cheap strategy gives away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mosaic_env.envs.setup import Setup
from mosaic_env.evals.quality.attackers import usable
from mosaic_env.evals.quality.audit import make_judge, play_oracle
from mosaic_env.evals.quality.cases import KeptSource, Sight, gather
from mosaic_env.evals.quality.knowledge import Knowledge, example
from mosaic_env.evals.quality.play import Progress
from mosaic_env.tasks.source import keys_of, some_keys


@dataclass(frozen=True)
class Selection:
    """What the filters kept.

    Args:
        kept: Keys, in the order given.
        rejected: By key, the name of the first filter that the task did not pass.
    """

    kept: tuple[str, ...]
    rejected: Mapping[str, str]


def select(setup: Setup, keys: Sequence[str] | None = None, *, progress: Progress | None = None) -> Selection:
    """Keep the tasks that the oracle solves within budget and no attacker gives away.

    An attacker gives a task away when an answer that it *found* is right, be it by chance: a constant guess
    does not count, or the commonest answers would all go. The classifier says nothing about a single task.

    Args:
        setup: World, tasks and rules: ``gym.make(...).unwrapped.setup``.
        keys: The tasks to choose from; None is all of the source, which has to have an end.
        progress: Called with (what, done, total).

    Determinism: a pure function of world, tasks and configuration; whether a task is kept depends on the
        others only by the vocabulary of its type of question.
    Cost: one episode a task and a few searches.
    """
    say = progress or (lambda what, done, total: None)
    source = KeptSource(setup.source)
    setup = replace(setup, source=source)
    listed = keys_of(setup.source) if keys is None else keys
    cases = gather(setup, some_keys(listed, fix="Pass keys= of your choice"))
    playable = [case for case in cases if case.playable]
    played = play_oracle(setup, playable, None, lambda done, total: say("oracle", done, total))
    known = Knowledge([example(case.task, case.gold) for case in cases])
    sight, judge = Sight(setup.world.kb, source), make_judge()
    attackers = [one for one in usable(cases) if not one.learns and (sight.has_scenes or not one.scenes)]
    kept, rejected = [], {}
    for case in cases:
        key = case.task.key
        filters = (
            one.name
            for one in attackers
            if any(judge(answer, case) for answer in one.answers(case, known, sight))
        )
        reason = next(filters, "") if key in played and played[key].solved else "oracle"
        if reason:
            rejected[key] = reason
        else:
            kept.append(key)
    return Selection(tuple(kept), rejected)
