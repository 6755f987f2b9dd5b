"""The curves of examples/learner.py as one SVG file, without a plotting library.

python examples/learner_plot.py learner-*.json blind-*.json --json docs/learner.json --svg docs/pictures/learner.svg
python examples/learner_plot.py docs/learner.json --svg docs/pictures/learner.svg
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 56, 110, 40, 52
#: What the learner has to reach, and what random actions may reach at most.
BARS = {"bar": 0.40, "bar of random": 0.05}
COLOURS = {"sees pictures": "#4b3f7c", "blind copy": "#b0632e", "random": "#6b6876"}
TOP_VALUE = 0.6


def place(episode: float, value: float, last: float) -> tuple[float, float]:
    """Return the point of a value in the picture."""
    x = LEFT + (WIDTH - LEFT - RIGHT) * episode / max(last, 1)
    return round(x, 1), round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / TOP_VALUE, 1)


def band(runs: Sequence[dict[str, Any]]) -> tuple[list[int], Any]:
    """Return the episodes that all runs have a point at, and their values: shape (runs, points)."""
    shared = set.intersection(*({point[0] for point in run["curve"]} for run in runs))
    values = [[point[2] for point in run["curve"] if point[0] in shared] for run in runs]
    return sorted(shared), np.array(values)


def drawn(name: str, runs: Sequence[dict[str, Any]], last: float) -> str:
    """Return the band of a group of runs, their mean, and its name."""
    episodes, values = band(runs)
    points = [[place(e, v, last) for e, v in zip(episodes, row, strict=True)]
              for row in (values.max(0), values.min(0), values.mean(0))]  # fmt: skip
    outline, mean = (" ".join(f"{x},{y}" for x, y in line)
                     for line in (points[0] + points[1][::-1], points[2]))  # fmt: skip
    x, y = points[2][-1]
    return (
        f'<polygon points="{outline}" fill="{COLOURS[name]}" opacity="0.2"/>'
        f'<polyline points="{mean}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>'
        f'<text x="{x + 6}" y="{y + 4}" fill="{COLOURS[name]}">{name}</text>'
    )


def level(name: str, value: float, last: float, colour: str, *, right: bool) -> str:
    """Return a horizontal line with its name."""
    (left, y), (end, _) = place(0, value, last), place(last, value, last)
    x, anchor = (end + 6, "start") if right else (left + 6, "start")
    return (
        f'<path d="M{left} {y}H{end}" stroke="{colour}" stroke-dasharray="5 4"/>'
        f'<text x="{x}" y="{y + 4 if right else y - 5}" text-anchor="{anchor}" fill="{colour}">{name}</text>'
    )


def svg(runs: Sequence[dict[str, Any]]) -> str:
    """Return the picture of all runs."""
    last = max(point[0] for run in runs for point in run["curve"])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12" fill="#25232e"><rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="14">Held-out tasks answered rightly, by training episodes</text>',
    ]
    for part in range(7):
        x, y = place(0, part / 10, last)
        parts.append(f'<path d="M{x} {y}H{WIDTH - RIGHT}" stroke="#e2dfe8"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{part / 10:.1f}</text>')
    for part in range(5):
        x, y = place(last * part / 4, 0, last)
        parts.append(f'<text x="{x}" y="{y + 20}" text-anchor="middle">{round(last * part / 4):,}</text>')
    x, y = place(last / 2, 0, last)
    parts.append(
        f'<text x="{x}" y="{y + 40}" text-anchor="middle">episodes (walks, each with four answers)</text>'
    )
    parts.append(level("bar 0.40", BARS["bar"], last, "#8a8795", right=False))
    parts.append(level("random ≤ 0.05", BARS["bar of random"], last, "#8a8795", right=True))
    parts.append(
        level("random", float(np.mean([run["random"] for run in runs])), last, COLOURS["random"], right=True)
    )
    for name, blind in (("sees pictures", False), ("blind copy", True)):
        group = [run for run in runs if run["blind"] == blind]
        if group:
            parts.append(drawn(name, group, last))
    return "".join(parts) + "</svg>\n"


def main() -> None:
    """Join the files of runs and draw them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="files of single runs, or a joined one")
    parser.add_argument("--json", type=Path, help="write all runs into one file")
    parser.add_argument("--svg", type=Path, help="write the picture")
    asked = parser.parse_args()
    read = [json.loads(path.read_text("utf-8")) for path in asked.files]
    runs = [run for found in read for run in (found if isinstance(found, list) else [found])]
    for run in runs:
        kind = "blind" if run["blind"] else "sees pictures"
        print(f"seed {run['seed']} {kind}: held out {run['held_out']:.3f}, random {run['random']:.3f}")
    if asked.json is not None:
        lines = ",\n".join(json.dumps(run) for run in runs)
        asked.json.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    if asked.svg is not None:
        asked.svg.write_text(svg(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
