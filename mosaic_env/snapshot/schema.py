"""Which tables each SQLite section has: what ``verify`` needs to recompute a section's digest."""

from __future__ import annotations

from mosaic_env.snapshot.kb import KB_TABLES
from mosaic_env.snapshot.responses import RESPONSE_TABLES
from mosaic_env.snapshot.tables import Table
from mosaic_env.snapshot.taskset import PRIVATE_TABLES, TASK_TABLES

SECTION_TABLES: dict[str, tuple[Table, ...]] = {
    "kb": KB_TABLES,
    "responses": RESPONSE_TABLES,
    "tasks": TASK_TABLES,
    "private": PRIVATE_TABLES,
}
