"""Which package may import which: the folders are the stages of the data flow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "mosaic_env"

#: Each package imports only from those before it; ``evals`` may drive ``envs`` and ``agents``.
ORDER = (
    "core", "guard", "snapshot", "index", "scoring", "tools", "tasks", "envs", "world", "record", "agents", "evals",
    "adapters", "testing", "train",
)  # fmt: skip
#: Standing outside the order: the command line and what it prints.
OUTSIDE = {"cli", "console"}
#: Packages that may never be imported by an environment, directly or through others.
NETWORKED = {"record", "agents", "adapters"}
#: Modules that open sockets or start programs; only the named files may import them.
_SOCKETS = {
    "socket",
    "ssl",
    "http",
    "urllib.request",
    "ftplib",
    "smtplib",
    "httpx",
    "requests",
    "aiohttp",
    "asyncio",
}
_PROCESSES = {"subprocess", "multiprocessing", "os.system", "pty"}
_MAY_START_PROCESSES = {"guard/sandbox.py", "guard/sandbox_worker.py"}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py"))


def imports(path: Path, *, top_level: bool = False) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def part(module: str) -> str | None:
    pieces = module.split(".")
    return pieces[1] if pieces[0] == "mosaic_env" and len(pieces) > 1 else None


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_package_imports_only_from_those_above_it(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own in OUTSIDE or own == "__init__":
        return
    for module in imports(path):
        other = part(module)
        if other is None or other == own:
            continue
        if other in OUTSIDE:
            assert own in {"agents", "testing", "evals"}, f"{path.name} imports {module}"
            continue
        if other in ORDER:
            assert ORDER.index(other) < ORDER.index(own), f"{own}/{path.name} imports {module}"


def test_no_environment_can_open_a_socket() -> None:
    """Nothing that envs can import, transitively, imports networking modules or the networked packages."""
    seen: set[Path] = set()
    waiting = [*sorted((PACKAGE / "envs").glob("*.py")), *sorted((PACKAGE / "tools").glob("*.py"))]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        for module in imports(path):
            assert module.split(".")[0] not in _SOCKETS and module not in _SOCKETS, f"{path} imports {module}"
            other = part(module)
            assert other not in NETWORKED, f"{path.relative_to(PACKAGE)} imports {module}"
            if module in _PROCESSES:
                assert path.relative_to(PACKAGE).as_posix() in _MAY_START_PROCESSES, (
                    f"{path} imports {module}"
                )
            target = ROOT / Path(*module.split("."))
            for file in (target.with_suffix(".py"), target / "__init__.py"):
                if file.is_file():
                    waiting.append(file)
    assert len(seen) > 30


def test_only_tasks_and_evaluators_reach_the_private_section() -> None:
    allowed = {"snapshot", "tasks", "evals", "world", "record", "agents", "testing", "cli"}
    for path in modules():
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if own in allowed:
            continue
        names = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Attribute)
        }
        assert "private" not in names, path


def test_torch_is_imported_only_inside_functions() -> None:
    heavy = {"torch", "open_clip", "sentence_transformers", "transformers", "torchvision"}
    for path in modules():
        found = {module.split(".")[0] for module in imports(path, top_level=True)} & heavy
        assert not found, f"{path} imports {found} at the top"
