"""Labelled pairs (reference, answer, right or wrong) and the report on what the scorer makes of them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from mosaic_env.core.types import Gold
from mosaic_env.scoring import Verdict, score

COMMITTED = Path(__file__).with_name("pairs.jsonl")


@dataclass(frozen=True, slots=True)
class Pair:
    """One labelled answer."""

    key: str
    family: str
    question: str
    gold: str
    aliases: tuple[str, ...]
    kind: str
    answer: str
    label: bool
    level: str = "own"

    def verdict(self) -> Verdict:
        return score(self.answer, Gold(self.key, self.gold, self.aliases, self.kind), self.question)


@dataclass(frozen=True, slots=True)
class Report:
    """Counts over pairs: true pairs by verdict, false pairs by verdict, and the two rates."""

    true: Counter[str]
    false: Counter[str]
    table: str
    wrong: tuple[tuple[Pair, Verdict], ...]

    @property
    def false_yes(self) -> float:
        """Share of all false pairs that got yes."""
        return self.false["yes"] / max(1, self.false.total())

    @property
    def yes_recall(self) -> float:
        """Share of yes among true pairs that are not unsure."""
        return self.true["yes"] / max(1, self.true["yes"] + self.true["no"])

    @property
    def unsure(self) -> float:
        """Share of unsure among true pairs."""
        return self.true["unsure"] / max(1, self.true.total())


def load(path: Path = COMMITTED) -> list[Pair]:
    pairs = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        row["aliases"] = tuple(row.get("aliases", ()))
        pairs.append(Pair(**{"question": "", "kind": "", **row}))
    return pairs


def report(pairs: Iterable[Pair], judge: Callable[[Pair], Verdict] = Pair.verdict) -> Report:
    """Score pairs and return counts with a table of verdicts by level and family."""
    true: Counter[str] = Counter()
    false: Counter[str] = Counter()
    cells: dict[tuple[str, str, bool], Counter[str]] = defaultdict(Counter)
    wrong = []
    for pair in pairs:
        verdict = judge(pair)
        (true if pair.label else false)[verdict.value] += 1
        for family in (pair.family, "(all)"):
            cells[pair.level, family, pair.label][verdict.value] += 1
        if verdict.value == ("no" if pair.label else "yes"):
            wrong.append((pair, verdict))
    return Report(true, false, _table(cells), tuple(wrong))


def _table(cells: dict[tuple[str, str, bool], Counter[str]]) -> str:
    lines = [f"{'level':10} {'family':16} {'label':6} {'pairs':>6} {'yes':>7} {'no':>7} {'unsure':>7}"]
    for (level, family, label), counts in sorted(
        cells.items(), key=lambda item: (item[0][0], not item[0][2], item[0][1])
    ):
        total = counts.total()
        shares = "".join(f" {counts[value] / total:7.1%}" for value in ("yes", "no", "unsure"))
        lines.append(f"{level:10} {family:16} {'true' if label else 'false':6} {total:6}{shares}")
    return "\n".join(lines)
