"""The loss curve as an SVG file, without a plotting library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 720, 360, 56, 44, 36


def write_curve(log: Sequence[Mapping[str, Any]], rounding_from: int, path: Path) -> None:
    """Write the curve of a training log.

    Args:
        log: Entries with ``step`` and ``loss``.
        rounding_from: The step from which weights were rounded; a line marks it.
    """
    last = max(int(entry["step"]) for entry in log)
    highest = max(float(entry["loss"]) for entry in log)

    def place(step: float, loss: float) -> tuple[float, float]:
        x = _LEFT + (_WIDTH - _LEFT - 20) * step / last
        return round(x, 1), round(_HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * loss / highest, 1)

    points = " ".join(f"{x},{y}" for x, y in (place(entry["step"], entry["loss"]) for entry in log))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12" fill="#25232e"><rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14">Loss of the joint encoder by training step</text>',
    ]
    for part in range(5):
        x, y = place(last * part / 4, highest * part / 4)
        parts.append(f'<path d="M{_LEFT} {y}H{_WIDTH - 20}" stroke="#e2dfe8"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{highest * part / 4:.1f}</text>')
        parts.append(f'<text x="{x}" y="{_HEIGHT - 22}" text-anchor="middle">{last * part // 4:,}</text>')
    x, _ = place(rounding_from, 0)
    parts.append(f'<path d="M{x} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="#b0632e" stroke-dasharray="4 4"/>')
    parts.append(
        f'<text x="{x - 6}" y="{_TOP + 12}" text-anchor="end" fill="#b0632e">rounded from here</text>'
    )
    parts.append(f'<polyline points="{points}" fill="none" stroke="#4b3f7c" stroke-width="1.6"/></svg>\n')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(parts), encoding="utf-8")
