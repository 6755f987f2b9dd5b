"""The audit of a task source: what the oracle solves, what it solves with broken tools, what attackers guess."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from mosaic_env.agents.oracle import OracleAgent
from mosaic_env.core.types import Gold
from mosaic_env.envs.setup import Setup
from mosaic_env.evals.quality.attackers import Attacker, usable
from mosaic_env.evals.quality.cases import TOP, Case, KeptSource, Sight, gather
from mosaic_env.evals.quality.classifier import Example
from mosaic_env.evals.quality.controls import CONTROLS, Control
from mosaic_env.evals.quality.knowledge import Fitted, fit
from mosaic_env.evals.quality.play import Played, Progress, play_tasks
from mosaic_env.evals.quality.report import (
    CONSTANT,
    ORACLE,
    Kind,
    Line,
    Report,
    attacker_line,
    rate_line,
)
from mosaic_env.scoring.score import score

#: (answer, case) -> whether the scorer calls it right.
Judge = Callable[[str, Case], bool]


def audit(
    setup: Setup,
    keys: Sequence[str],
    *,
    train: Sequence[Example] = (),
    trained_on: str = "",
    environment: str = "",
    oracle: float = ORACLE,
    progress: Progress | None = None,
) -> Report:
    """Audit tasks.

    Args:
        setup: World, tasks and rules: ``gym.make(...).unwrapped.setup``. Nothing of it is changed.
        keys: The tasks to audit.
        train: Tasks that constant guesses and the classifier are learnt from; without any, the audited
            ones serve, in folds.
        trained_on: Where those come from, for the report.
        environment: The environment's id, for the report.
        oracle: The least share that the oracle has to solve.
        progress: Called with (what, done, total).

    Returns: The report; a pure function of world, tasks and configuration.
    Raises: TaskError (ME-TASK-01, ME-TASK-05) for a broken source.
    Cost: about five episodes a task, played side by side in this process, and a few searches.
    """
    say = progress or (lambda what, done, total: None)
    source = KeptSource(setup.source)
    setup = replace(setup, source=source)
    cases = gather(setup, keys)
    say("tasks read", len(cases), len(keys))
    lines = [_oracle_line(setup, cases, oracle, say)]
    lines += [_control_line(setup, cases, control, say) for control in CONTROLS]
    fitted = fit(cases, train, trained_on)
    judge = make_judge()
    kinds = _kinds(cases, fitted, judge)
    lines.append(_constant_line(cases, fitted, judge))
    sight = Sight(setup.world.kb, source)
    attackers = usable(cases)
    for done, attacker in enumerate(attackers, start=1):
        lines.append(_attacker_line(attacker, cases, fitted, sight, judge))
        say("attackers", done, len(attackers))
    targets, asks = {case.target for case in cases}, {case.question for case in cases}
    return Report(
        environment, setup.world.name, setup.snapshot_id, len(cases), len(targets), len(asks), fitted.what,
        tuple(lines), kinds,
    )  # fmt: skip


def play_oracle(
    setup: Setup,
    cases: Sequence[Case],
    control: Control | None,
    say: Callable[[int, int], None] | None = None,
) -> dict[str, Played]:
    """Play tasks with the oracle, with a fault on purpose or without one."""
    keys = [case.task.key for case in cases]
    if control is None:
        return play_tasks(setup, keys, OracleAgent, say=say)
    change = control.change(setup.world.kb)
    return play_tasks(control.setup(setup), keys, OracleAgent, change=change, say=say)


def _oracle_line(setup: Setup, cases: Sequence[Case], least: float, say: Progress) -> Line:
    playable = [case for case in cases if case.playable]
    played = play_oracle(setup, playable, None, lambda done, total: say("oracle", done, total))
    late = sum(one.right and not one.in_budget for one in played.values())
    notes = []
    if len(playable) < len(cases):
        lacking = f"{len(cases) - len(playable):,} of {len(cases):,} tasks"
        notes.append(f"gold of {lacking} names no chain and no question to a scene: not played")
    if late:
        notes.append(f"{late:,} more were right after the budget")
    unsolved = [case for case in playable if not played[case.task.key].solved]
    if unsolved:
        lost = sum(_lost(case, played[case.task.key]) for case in unsolved)
        keys = ", ".join(case.task.key for case in unsolved[:3]) + (" …" if len(unsolved) > 3 else "")
        notes.append(f"{len(unsolved):,} not solved, {lost:,} for want of a hop's entity ({keys})")
    outcomes = [one.solved for one in played.values()]
    what = "knows the chain, searches and looks"
    return rate_line("oracle", "oracle", what, outcomes, least=least, note="; ".join(notes))


def _lost(case: Case, played: Played) -> bool:
    """Tell whether some entity of the chain was never returned."""
    returned = {key for step in played.steps for call in step.calls for key in call.ranked}
    return any(hop.tail not in returned for hop in case.gold.chain)


def _control_line(setup: Setup, cases: Sequence[Case], control: Control, say: Progress) -> Line:
    playable = [case for case in cases if case.playable]
    played = play_oracle(setup, playable, control, lambda done, total: say(control.name, done, total))
    outcomes = [one.right for one in played.values()]  # an answer after the budget would count as well
    solved = [key for key, one in played.items() if one.right]
    note = "solved all the same: " + ", ".join(solved[:3]) if solved else ""
    return rate_line("control", control.name, control.what, outcomes, most=control.most, note=note)


# --- guesses --------------------------------------------------------------------------------------


def make_judge() -> Judge:
    """Return a judge that asks the scorer once for each answer, gold and question."""

    @cache
    def judged(answer: str, reference: str, aliases: tuple[str, ...], kind: str, question: str) -> bool:
        return score(answer, Gold("", reference, aliases, kind), question).value == "yes"

    def judge(answer: str, case: Case) -> bool:
        gold = case.gold
        return judged(answer, gold.answer, gold.aliases, gold.kind, case.task.question)

    return judge


def _constant_line(cases: Sequence[Case], fitted: Fitted, judge: Judge) -> Line:
    outcomes = [_any(fitted.guesses(case.kind, 1), case, judge) for case in cases]
    what = "the best constant guess of each type of question"
    return rate_line("constant", "constant guess", what, outcomes, most=CONSTANT, sure=True)


def _attacker_line(
    attacker: Attacker, cases: Sequence[Case], fitted: Fitted, sight: Sight, judge: Judge
) -> Line:
    if attacker.scenes and not sight.has_scenes:
        return attacker_line(attacker.name, attacker.what, (), (), "the source knows no scenes: not checked")
    outcomes, several = [], 0
    for case in cases:
        found = attacker.answers(case, fitted.of(case), sight)
        answers = found or fitted.guesses(case.kind, 1)
        constants = fitted.guesses(case.kind, max(len(answers), 1))
        outcomes.append((_any(answers, case, judge), _any(constants, case, judge)))
        several += len(found) > 1
    note = _several_note(attacker, cases, sight, several) if several else ""
    return attacker_line(attacker.name, attacker.what, outcomes, [case.target for case in cases], note)


def _several_note(attacker: Attacker, cases: Sequence[Case], sight: Sight, several: int) -> str:
    inside = sum(
        case.gold.target in map(sight.key, sight.pictured(case.found.get(attacker.route, ())))
        for case in cases
    )
    return (
        f"any of several answers for {several:,} tasks, compared with as many constant guesses; "
        f"the target's own picture is among the {TOP} for {inside:,} of {len(cases):,} tasks"
    )


def _any(answers: Sequence[str], case: Case, judge: Judge) -> bool:
    return any(judge(answer, case) for answer in answers)


def _kinds(cases: Sequence[Case], fitted: Fitted, judge: Judge) -> tuple[Kind, ...]:
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(case.kind, []).append(case)
    kinds = []
    for kind in sorted(found):
        guesses = fitted.guesses(kind, 1)
        right = sum(_any(guesses, case, judge) for case in found[kind])
        kinds.append(Kind(kind, len(found[kind]), "".join(guesses), right))
    return tuple(kinds)
