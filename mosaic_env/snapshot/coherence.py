"""Whether the sections of a snapshot fit each other: what ``verify`` asks after each is whole in itself.

Must not: repair anything, or quote gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mosaic_env.core.errors import shorten
from mosaic_env.core.registry import Registry
from mosaic_env.snapshot.manifest import MANIFEST_NAME
from mosaic_env.snapshot.objects import object_path
from mosaic_env.snapshot.opened import PublicSnapshot, Snapshot

#: A path below the snapshot, and what is wrong with it.
Finding = tuple[str, str]

#: Checks of sections whose form a later package knows: given the public part of a snapshot whose
#: ``kb`` and ``objects`` are whole, they yield findings.
SECTION_CHECKS: Registry[Callable[[PublicSnapshot], Iterator[Finding]]] = Registry("section check")
SECTION_CHECKS.add("index", "mosaic_env.index.check:problems")


def parse_section(snapshot: Snapshot, name: str) -> None:
    """Read everything a section holds.

    Raises: CorruptError (ME-CORRUPT-01, ME-CORRUPT-04).
    """
    public = snapshot.public
    if name == "kb":
        _ = public.kb.triples
    elif name == "tasks":
        _ = public.tasks
    elif name == "responses":
        _ = public.responses
    elif name == "objects":
        list(public.object_rows())
    elif name == "private":
        snapshot.private.golds()
        snapshot.private.scenes()
        snapshot.private.things()


def missing_sections(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what is missing beside the sections that exist."""
    have = snapshot.manifest.sections.keys()
    for name, needed in (("kb", {"index", "objects"}), ("index", {"kb"}), ("tasks", {"kb", "index", "private"}),
                         ("private", {"tasks"})):  # fmt: skip
        if name in have and needed - have:
            missing = ", ".join(sorted(needed - have))
            yield MANIFEST_NAME, f"the section {name} needs a section that is missing: {missing}"


def other_world(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a finding when the knowledge base names another world than the manifest."""
    if snapshot.public.kb.world != snapshot.manifest.world:
        yield _file(snapshot, "kb"), "the knowledge base is of another world than the manifest names"


def unlisted_pictures(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield the pictures of the knowledge base that are not listed as objects of their size."""
    sizes = {name: size for name, size, _ in snapshot.public.object_rows()}
    for stored in snapshot.public.kb.stored_pictures:
        if sizes.get(stored.picture.digest) != stored.size:
            yield object_path(stored.picture.digest), "a picture's object is not listed"


def unlisted_task_pictures(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield the tasks with a picture that is not listed as an object."""
    known = {name for name, _, _ in snapshot.public.object_rows()}
    for row in snapshot.public.tasks.rows:
        if any(picture.digest not in known for picture in row.task.pictures):
            yield _file(snapshot, "tasks"), f"a picture of the task {shorten(row.task.key)} is not listed"


def unmatched_golds(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield tasks without gold, and gold without a task."""
    tasks = {row.task.key for row in snapshot.public.tasks.rows}
    golds = snapshot.private.golds().keys()
    for key in sorted(tasks - golds):
        yield _file(snapshot, "private"), f"there is no gold for the task {shorten(key)}"
    for key in sorted(golds - tasks):
        yield _file(snapshot, "private"), f"there is gold for {shorten(key)}, which is not a task"


def unfit_index(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what is wrong with the index beside the knowledge base."""
    yield from SECTION_CHECKS.get("index")(snapshot.public)


#: Each check with the sections it reads: it is made when all of them are there and whole.
CHECKS: tuple[tuple[tuple[str, ...], Callable[[Snapshot], Iterator[Finding]]], ...] = (
    ((), missing_sections),
    (("kb",), other_world),
    (("kb", "objects"), unlisted_pictures),
    (("tasks", "objects"), unlisted_task_pictures),
    (("tasks", "private"), unmatched_golds),
    (("index", "kb", "objects"), unfit_index),
)


def _file(snapshot: Snapshot, section: str) -> str:
    return snapshot.manifest.sections[section].files[0]
