"""A second reading of tasks, written apart from the package: from triples, labels, nouns and scenes alone.

Nothing of ``mosaic_env.tasks.compose`` is used here. Steps and asks are read as plain data, every relation is
looked for in every reading that means the same, and a scene is asked with code of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

#: (relation, read from its tail) pairs that mean the same, spelled out once more.
FATHER, CHILD, CAPITAL, CAPITAL_OF = "P22", "P40", "P36", "P1376"
MEANS = [
    [(FATHER, 0), (CHILD, 1)], [(FATHER, 1), (CHILD, 0)], [(CAPITAL, 0), (CAPITAL_OF, 1)],
    [(CAPITAL, 1), (CAPITAL_OF, 0)], [("P155", 0), ("P156", 1)], [("P155", 1), ("P156", 0)],
    [("P84", 0), ("P287", 0)], [("P84", 1), ("P287", 1)], [("P26", 0), ("P26", 1)], [("P47", 0), ("P47", 1)],
    [("P190", 0), ("P190", 1)],
]  # fmt: skip


class Known:
    """A world as plain tables.

    Args:
        labels, nouns, years, scenes: By entity key.
    """

    def __init__(
        self,
        triples: Iterable[tuple[str, str, str]],
        labels: Mapping[str, str],
        nouns: Mapping[str, Sequence[str]],
        years: Mapping[str, int],
        scenes: Mapping[str, Any],
    ) -> None:
        self.nouns, self.years = nouns, years
        self.scenes = {key: scene for key, scene in scenes.items() if "flaw" not in scene}
        self.called: dict[str, set[str]] = defaultdict(set)
        for key, label in labels.items():
            self.called[label.lower()].add(key)
        self.ends: dict[tuple[str, str, int], set[str]] = defaultdict(set)
        for head, relation, tail in triples:
            for group in [g for g in MEANS if (relation, 0) in g] or [[(relation, 0)]]:
                for name, turned in group:
                    self.ends[(head, name, turned)].add(tail)
            for group in [g for g in MEANS if (relation, 1) in g] or [[(relation, 1)]]:
                for name, turned in group:
                    self.ends[(tail, name, turned)].add(head)

    def walk(self, steps: Sequence[Mapping[str, Any]], start: str) -> list[set[str]]:
        """Return who is meant after each step; ``start`` is whom an attached picture shows."""
        found: list[set[str]] = []
        current: set[str] = set()
        for step in steps:
            if "named" in step:
                current = set(self.called[step["named"].lower()])
            elif "shown" in step:
                current = {start} if start in self.scenes and step["noun"] in self.nouns[start] else set()
            elif "cue" in step:
                current = {
                    k
                    for k in current
                    if k in self.scenes and look(self.scenes[k], step["cue"]) == [step["value"]]
                }
            else:
                reached = {
                    end
                    for key in current
                    for end in self.ends.get((key, step["relation"], int(step["inverse"])), ())
                }
                current = {end for end in reached if self.fits(end, step)}
            found.append(current)
        return found

    def fits(self, key: str, step: Mapping[str, Any]) -> bool:
        if step["noun"] not in self.nouns[key] or step["year"] not in (0, self.years[key]):
            return False
        if not step["also"]:
            return True
        relation, inverse, label = step["also"]
        named = self.called[label.lower()]
        return any(key in self.ends.get((one, relation, int(inverse)), ()) for one in named)

    def removable(self, steps: Sequence[Mapping[str, Any]], start: str, target: str) -> list[int]:
        """Return the steps without which the rest still means the target alone."""
        found = []
        hops = [n for n, step in enumerate(steps) if "relation" in step]
        for n in hops[:-1]:
            cue = n + 1 < len(steps) and "cue" in steps[n + 1]
            rest = [*steps[:n], *steps[n + 1 + cue :]]
            if self.walk(rest, start)[-1] == {target}:
                found.append(n)
        for n, before in zip(hops[1:], hops[:-1], strict=True):
            if self.alone(steps[n], self.walk(steps[: n + 1], start)[-1]):
                found.append(before)
        return found

    def alone(self, step: Mapping[str, Any], meant: set[str]) -> bool:
        """Tell whether a year or second relation denotes what a step means, whatever came before."""
        if not step["also"] and not step["year"]:
            return False
        bare = {**step, "relation": "", "inverse": False}
        everyone = {key for key in self.nouns if self.fits(key, bare)}
        return everyone == meant and len(meant) == 1

    def cue_needed(self, steps: Sequence[Mapping[str, Any]], start: str) -> bool:
        """Tell whether every cue has two or three pictured candidates and leaves one of them."""
        sets = self.walk(steps, start)
        return all(
            2 <= len(sets[n - 1]) <= 3 and sets[n - 1] <= self.scenes.keys() and len(sets[n]) == 1
            for n, step in enumerate(steps)
            if "cue" in step
        )


def look(scene: Mapping[str, Any], ask: Mapping[str, str]) -> list[str]:
    """Return everything a picture could answer; a sound question has one answer."""
    seen = [entry for entry in scene["things"] if not entry.get("hidden")]
    if "role" in ask:
        return [entry["name"] for entry in seen if entry.get("role") == ask["role"]]
    if "place" in ask:
        return [entry["text"] for entry in scene["lettering"] if entry["place"] == ask["place"]]
    if "beside" in ask:
        axis, place = ("line", 0) if "line" in ask else ("column", 1)
        row = [entry for entry in scene["things"] if entry.get(axis) == ask[axis]]
        middle = [entry["at"][place] for entry in row if entry["name"] == ask["beside"]]
        if len(middle) != 1:
            return []
        less = ask["side"] in ("left", "above")
        there = [e for e in row if (e["at"][place] < middle[0] if less else e["at"][place] > middle[0])]
        there.sort(key=lambda e: abs(e["at"][place] - middle[0]))
        return [there[0]["name"]] if there else []
    attribute = {"facial": "style"}.get(ask["type"], ask["type"])
    return [str(entry[attribute]) for entry in seen if entry["name"] == ask["thing"] and attribute in entry]
