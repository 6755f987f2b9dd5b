"""Golden episodes on the bundled world, and the ways of playing them that must give the same digests.

python -m tests.golden.episodes                    plays them, prints {name: digest} and what was in force
python -m tests.golden.episodes --mode vector      … in another way
python -m tests.golden.episodes --write            writes the actions and digests anew (see CHANGELOG)
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent / "episodes.json"
L1, L2 = "InterLV-L1-v0", "InterLV-L2-v0"
CITY = "city twinned with Lisobrasa"


@dataclass(frozen=True)
class Golden:
    """A golden episode: environment, arguments, seed, and what is done."""

    name: str
    env_id: str
    seed: int
    actions: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    agent: str = ""


def _tool(name: str, **arguments: Any) -> str:
    return f'<tool name="{name}">{json.dumps(arguments)}</tool>'


def recipes() -> Iterator[Golden]:
    """Yield the episodes; those with an agent get their actions when they are written."""
    for seed in range(7):
        yield Golden(f"oracle-l1-{seed}", L1, seed, agent="oracle")
        yield Golden(f"oracle-l2-{seed}", L2, seed, agent="oracle")
    for seed in range(3):
        yield Golden(f"random-l1-{seed}", L1, 100 + seed, agent="random")
        yield Golden(f"random-l2-{seed}", L2, 100 + seed, agent="random")
    yield from _about_pictures()
    yield from _about_budgets()
    yield from _about_formats()


LOOK = _tool("local_text_search_with_image", query=CITY)
CROP = _tool("image_crop", image="kb_1", bbox=[100, 100, 800, 900])
LONG = {"interactions": 12, "memory": "none"}
DONE = "<done>red</done>"


def _about_pictures() -> Iterator[Golden]:
    again = _tool("image_crop", image="kb_1_crop", bbox=[0, 0, 500, 500])
    from_crop = _tool("local_image_search", image="kb_1_crop")
    seen = _tool("view_image", image="kb_1"), _tool("list_images")
    yield Golden("crops", L2, 1, (LOOK, CROP, again, from_crop, *seen, DONE), LONG)
    boxes: tuple[tuple[list[float], str], ...] = (
        ([5, 5, 90, 60], "pixel"),
        ([900, 900, 100, 100], "norm1000"),
        ([0, 0, 0, 0], "norm1000"),
        ([0.1, 0.2, 0.5, 0.6], "norm1000"),
    )
    cuts = [_tool("image_crop", image="kb_1", bbox=box, coords=coords) for box, coords in boxes]
    yield Golden("pixels-and-bad-boxes", L2, 2, (LOOK, *cuts, DONE), LONG)
    similar = _tool("local_image_search", image="kb_1", top_k=9)
    few = {**LONG, "max_side": 64, "max_new": 4, "max_total": 9}
    yield Golden("picture-policy", L2, 13, (LOOK, similar, DONE), few)
    blind = {**LONG, "image_obs": False, "disabled_tools": ["python_eval"]}
    yield Golden("blind", L2, 15, (LOOK, CROP, DONE), blind)
    found = _tool("local_text_to_image_search", query="museum with a dome")
    limits = {**LONG, "show_ids": True, "tool_limits": {"local_text_search_with_image": 1}}
    yield Golden("ids-and-limits", L1, 14, (LOOK, LOOK, found, DONE), limits)


def _about_budgets() -> Iterator[Golden]:
    searches = "<query>painter</query>" * 2
    yield Golden("repo-carries-over", L2, 5, (LOOK * 3 + searches, DONE), {"preset": "repo"})
    other = _tool("local_image_search", image="kb_1", exclude_self=True)
    yield Golden("infomosaic", L1, 6, (LOOK * 6, other, DONE), {"preset": "infomosaic"})
    yield Golden("dropped-calls", L1, 7, (LOOK * 5 + DONE + LOOK,))
    yield Golden(
        "budget-spent", L1, 8, (LOOK, "nothing to do", _tool("nope", a=1), "The final answer is blue.")
    )
    yield Golden("no-answer", L1, 9, (LOOK, LOOK, LOOK, ""))
    yield Golden("truncated", L1, 10, (LOOK, LOOK, LOOK), {"final_answer": "none"})
    memory = (LOOK, "- saw a city\n" * 30, LOOK, "", "<think>x</think>done thinking", DONE)
    yield Golden("memory", L2, 16, memory)


def _about_formats() -> Iterator[Golden]:
    facts = "<query>director of The Idle Inheritance</query>", "<query>born in Lisobrasa</query>"
    edges = _tool("local_graph_neighbors", entity="e_1")
    towns = _tool("local_graph_neighbors", entity="e_2", relation="twin town", limit=3)
    yield Golden("facts-and-graph", L2, 3, (*facts, edges, towns, DONE), {**LONG, "corpus": "closed"})
    program = "<code>print(sum(range(10)))\nx = [n * n for n in range(5)]\nx</code>"
    yield Golden(
        "python", L1, 4, (program, "<code>1 / 0</code>", "<code>while True: pass</code>", DONE), LONG
    )
    odd = (
        "<query>{'query': </query>",
        "<think>never closed",
        "",
        '{"name": "local_text_search"}',
        '<tool name=\'local_text_search\'>{"query": 5, "top_k": 1.0, "zzz": 1}</tool>',
        "\ud800\0 漢字 <done>漢字\ud800</done>",
    )
    yield Golden("malformed", L1, 11, odd, LONG)
    plain = {"name": "local_text_search", "arguments": {"query": CITY, "top_k": 2}}
    native = {
        "type": "function",
        "id": "c",
        "function": {"name": "image_crop", "arguments": '{"image": "kb_1"}'},
    }
    yield Golden("structured", L1, 12, (plain, [{"tool": "list_images"}, native], {"answer": "red"}), LONG)


def stored() -> list[dict[str, Any]]:
    """Return the written episodes: name, env_id, seed, options, actions, digest."""
    episodes: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["episodes"]
    return episodes


def write() -> None:
    """Play every recipe and write its actions and digest."""
    import gymnasium as gym

    import mosaic_env  # noqa: F401
    from mosaic_env.agents.base import AGENTS, play
    from mosaic_env.agents.simple import ScriptedAgent
    from mosaic_env.envs.replay import action_of

    episodes = []
    for recipe in recipes():
        env = gym.make(recipe.env_id, **recipe.options)
        agent = (
            AGENTS.get(recipe.agent)(env.unwrapped, seed=1) if recipe.agent else ScriptedAgent(recipe.actions)
        )
        episode = play(env, agent, seed=recipe.seed)
        actions = [action_of(step) for step in episode.steps]
        episodes.append({"name": recipe.name, "env_id": recipe.env_id, "seed": recipe.seed, "options": recipe.options,
                         "actions": actions, "digest": episode.digest})  # fmt: skip
    FILE.write_text(json.dumps({"version": 1, "episodes": episodes}, indent=1) + "\n", "utf-8")


# --- ways of playing -------------------------------------------------------------------------------------


def single(plant: str = "") -> dict[str, str]:
    """Play one after another."""
    return {golden["name"]: _play(golden, plant) for golden in stored()}


def backwards(plant: str = "") -> dict[str, str]:
    """Play in the opposite order: no episode may depend on those before it."""
    return {golden["name"]: _play(golden, plant) for golden in reversed(stored())}


def _play(golden: dict[str, Any], plant: str = "") -> str:
    env = _make(golden["env_id"], golden["options"], plant)
    env.reset(seed=golden["seed"])
    for action in golden["actions"]:
        env.step(_planted(action, plant))
    return str(env.unwrapped.episode.digest)


def _make(env_id: str, options: dict[str, Any], plant: str = "") -> Any:
    import gymnasium as gym

    import mosaic_env  # noqa: F401

    if plant:
        from tests.golden import plants

        options = plants.with_plant("interlv-l1" if env_id == L1 else "interlv-l2", options)
    return gym.make(env_id, **options)


def _planted(action: Any, plant: str) -> Any:
    return _tool("planted", factor=plant) + action if plant and isinstance(action, str) else action


def forked_episodes() -> dict[str, str]:
    """Play half of each episode, fork, and finish it in the fork."""
    digests = {}
    for golden in stored():
        env = _make(golden["env_id"], golden["options"]).unwrapped
        env.reset(seed=golden["seed"])
        half = len(golden["actions"]) // 2
        for action in golden["actions"][:half]:
            env.step(action)
        fork = env.fork(2)[1]
        for action in golden["actions"][half:]:
            fork.step(action)
        digests[golden["name"]] = fork.episode.digest
    return digests


def threads(plant: str = "") -> dict[str, str]:
    """Play in four threads at once."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        return dict(
            zip((g["name"] for g in stored()), pool.map(lambda g: _play(g, plant), stored()), strict=True)
        )


def fork_process() -> dict[str, str]:
    """Play in a forked child of a process that has opened and searched the world."""
    return _in_child("fork")


def spawn_process() -> dict[str, str]:
    """Play in a spawned child."""
    return _in_child("spawn")


def _in_child(method: str) -> dict[str, str]:
    import multiprocessing

    _play(stored()[0])
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue,))
    child.start()
    digests: dict[str, str] = queue.get(timeout=120)
    child.join(timeout=60)
    return digests


def _child(queue: Any) -> None:
    queue.put(single())


def vector(size: int = 1000) -> dict[str, str]:
    """Play in the package's own vector environment, at most ``size`` episodes at once."""
    import gymnasium as gym

    import mosaic_env  # noqa: F401

    digests = {}
    for group in _groups(size):
        options = group[0]["options"]
        env: Any = gym.make_vec(group[0]["env_id"], num_envs=len(group), autoreset_mode="Disabled", **options)
        env.reset(seed=[golden["seed"] for golden in group])
        for number in range(max(len(golden["actions"]) for golden in group)):
            env.step([g["actions"][number] if number < len(g["actions"]) else None for g in group])
        for golden, episode in zip(group, env.episodes, strict=True):
            digests[golden["name"]] = episode.digest
    return digests


def small_batches() -> dict[str, str]:
    """Play in the vector environment, three episodes at a time."""
    return vector(3)


def sync_vector() -> dict[str, str]:
    """Play in Gymnasium's SyncVectorEnv."""
    from gymnasium.vector import SyncVectorEnv

    digests = {}
    for group in _groups(1000):
        env = SyncVectorEnv([partial(_make, golden["env_id"], golden["options"]) for golden in group])
        env.reset(seed=[golden["seed"] for golden in group])
        for number in range(max(len(golden["actions"]) for golden in group)):
            # An episode that is over is reset by the next step, which ignores its action.
            env.step([g["actions"][number] if number < len(g["actions"]) else "" for g in group])
            for golden, inner in zip(group, env.envs, strict=True):
                if number == len(golden["actions"]) - 1:
                    digests[golden["name"]] = inner.unwrapped.episode.digest
    return digests


def _groups(size: int) -> Iterator[list[dict[str, Any]]]:
    """Yield episodes of one environment and arguments together, at most ``size`` at once."""
    together: dict[str, list[dict[str, Any]]] = {}
    for golden in stored():
        together.setdefault(json.dumps([golden["env_id"], golden["options"]], sort_keys=True), []).append(
            golden
        )
    for group in together.values():
        for start in range(0, len(group), size):
            yield group[start : start + size]


MODES: dict[str, Callable[..., dict[str, str]]] = {
    "single": single, "backwards": backwards, "forks": forked_episodes, "threads": threads, "fork": fork_process,
    "spawn": spawn_process, "vector": vector, "small-batches": small_batches, "sync": sync_vector,
}  # fmt: skip


def main(arguments: list[str]) -> int:
    """Play in one mode and print digests and proof as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=sorted(MODES), default="single")
    parser.add_argument("--plant", default="")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args(arguments)
    if chosen.write:
        write()
        return 0
    from tests.golden.proof import in_force

    sockets: list[str] = []
    sys.addaudithook(lambda event, _: sockets.append(event) if event.startswith("socket.") else None)
    digests = MODES[chosen.mode](plant=chosen.plant) if chosen.plant else MODES[chosen.mode]()
    print(json.dumps({"digests": digests, "in_force": in_force(), "sockets": sorted(set(sockets))}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
