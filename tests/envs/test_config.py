"""The configuration: frozen presets, a digest over every field, errors of one sentence, pinned worlds."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import mosaic_env
from mosaic_env.core.errors import ConfigError, SnapshotError, TaskError
from mosaic_env.envs import catalogue
from mosaic_env.envs.catalogue import CATALOGUE, CatalogueEntry
from mosaic_env.envs.config import INTERACTIONS, PRESETS, REWARD_TERMS, EnvConfig, make_config
from mosaic_env.envs.setup import open_setup
from mosaic_env.snapshot.locate import find_snapshot
from mosaic_env.snapshot.opened import Snapshot
from mosaic_env.tools.base import load_builtin
from tests.envs.conftest import Make

SEARCHES = [
    "local_text_search", "local_text_search_with_image", "local_text_to_image_search", "local_image_search",
]  # fmt: skip
PAPER_TOOLS = [*SEARCHES, "image_crop", "python_eval", "view_image", "list_images"]
REPO_TOOLS = [SEARCHES[0], *SEARCHES[2:], "image_crop", "python_eval"]
#: Preset ``paper`` of level 1; the others are written as what differs. A change here is a change of
#: what is measured: it needs another environment version and a line in the CHANGELOG.
PAPER_L1: dict[str, Any] = {
    "family": "interlv-l1",
    "preset": "paper",
    "interactions": 3,
    "calls_per_interaction": 3,
    "overflow": "drop",
    "tool_limits": {},
    "final_answer": "extra",
    "memory": "none",
    "memory_lines": 15,
    "tools": PAPER_TOOLS,
    "disabled_tools": [],
    "graph": False,
    "corpus": "paper",
    "image_obs": True,
    "show_ids": False,
    "attach_text_results": False,
    "max_new": 15,
    "max_total": None,
    "max_side": None,
    "difficulty": None,
    "reward": {"outcome": 1.0, "evidence_recall": 0.0, "hop_progress": 0.0, "format": 0.0, "cost": 0.0},
}
LEVEL_2 = {"family": "interlv-l2", "interactions": 7}
REPO = {
    "preset": "repo", "calls_per_interaction": 2, "overflow": "carry", "tools": REPO_TOOLS, "show_ids": True,
    "attach_text_results": True, "max_new": None,
}  # fmt: skip
INFOMOSAIC = {"preset": "infomosaic", "interactions": 20, "calls_per_interaction": None}
FROZEN: dict[tuple[str, str], dict[str, Any]] = {
    ("interlv-l1", "paper"): PAPER_L1,
    ("interlv-l2", "paper"): {**PAPER_L1, **LEVEL_2, "memory": "policy"},
    ("interlv-l1", "repo"): {**PAPER_L1, **REPO},
    ("interlv-l2", "repo"): {**PAPER_L1, **LEVEL_2, **REPO},
    ("interlv-l1", "infomosaic"): {**PAPER_L1, **INFOMOSAIC},
    ("interlv-l2", "infomosaic"): {**PAPER_L1, **LEVEL_2, **INFOMOSAIC},
}


@pytest.mark.parametrize(("family", "preset"), list(FROZEN))
def test_presets_are_frozen(family: str, preset: str) -> None:
    assert make_config(family, preset).model_dump(mode="json") == FROZEN[family, preset]


def test_every_preset_and_family_is_frozen_here() -> None:
    assert set(FROZEN) == {(family, preset) for family in INTERACTIONS for preset in PRESETS}
    assert {entry.family for entry in CATALOGUE} == set(INTERACTIONS)
    named = {name for config in FROZEN.values() for name in config["tools"]}
    assert named <= set(load_builtin())


def test_the_budgets_as_numbers() -> None:
    budget = make_config("interlv-l2", "repo", tool_limits={"image_crop": 2}).budget
    assert (budget.interactions, budget.calls_per_interaction, budget.overflow) == (7, 2, "carry")
    assert budget.tool_calls == {"image_crop": 2}


# --- the digest -------------------------------------------------------------------------------------------

#: Another allowed value for each field.
OTHER: dict[str, Any] = {
    "family": "interlv-l2", "preset": "repo", "interactions": 4, "calls_per_interaction": None, "overflow": "carry",
    "tool_limits": {"image_crop": 0}, "final_answer": "none", "memory": "agent", "memory_lines": 14,
    "tools": list(reversed(PAPER_TOOLS)), "disabled_tools": ["image_crop"], "graph": True, "corpus": "closed",
    "image_obs": False, "show_ids": True, "attach_text_results": True, "max_new": 14, "max_total": 0,
    "max_side": 512, "difficulty": (1, 1), "reward": {"cost": 0.1},
}  # fmt: skip


def test_the_digest_depends_on_every_field() -> None:
    assert set(OTHER) == set(EnvConfig.model_fields)
    base = EnvConfig.model_validate(PAPER_L1)
    digests = {"": base.digest}
    for name, value in OTHER.items():
        changed = EnvConfig.model_validate({**PAPER_L1, name: value})
        assert getattr(changed, name) != getattr(base, name), name
        digests[name] = changed.digest
    assert len(set(digests.values())) == len(digests)


@pytest.mark.parametrize("term", list(REWARD_TERMS))
def test_the_digest_depends_on_every_weight(term: str) -> None:
    assert make_config("interlv-l1", reward={term: 0.5}).digest != make_config("interlv-l1").digest


def test_the_same_configuration_has_the_same_digest() -> None:
    written = make_config("interlv-l1")
    same = make_config(
        "interlv-l1", "paper", interactions=3, tools=list(PAPER_TOOLS), reward={"outcome": 1}, graph=False
    )
    assert written == same and written.digest == same.digest
    assert EnvConfig.model_validate(written.model_dump(mode="json")).digest == written.digest
    limits = ({"image_crop": 1, "view_image": 2}, {"view_image": 2, "image_crop": 1})
    assert len({make_config("interlv-l1", tool_limits=given).digest for given in limits}) == 1


def test_a_tools_version_is_a_part_of_the_setups_digest(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = open_setup("interlv-l1", snapshot=tiny)
    before = setup.digest
    monkeypatch.setattr(type(load_builtin().get("image_crop")), "version", 2)
    assert setup.digest != before and setup.config.digest == make_config("interlv-l1").digest


def test_fields_cannot_be_set() -> None:
    with pytest.raises(ValueError, match="frozen"):
        make_config("interlv-l1").interactions = 9  # type: ignore[misc]


@pytest.mark.parametrize("name", ["reward", "tool_limits"])
def test_mappings_cannot_be_changed(name: str) -> None:
    config = make_config("interlv-l1", tool_limits={"image_crop": 1})
    with pytest.raises(TypeError):
        getattr(config, name)["cost"] = 9


# --- options --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "merged"),
    [
        ({}, REWARD_TERMS),
        ({"outcome": 0}, {**REWARD_TERMS, "outcome": 0.0}),
        ({"cost": 0.25, "format": -0.0}, {**REWARD_TERMS, "cost": 0.25}),
        ({"format": 1, "hop_progress": "0.5"}, {**REWARD_TERMS, "format": 1.0, "hop_progress": 0.5}),
    ],
)
def test_weights_are_merged_with_the_defaults(given: dict[str, Any], merged: dict[str, float]) -> None:
    weights = make_config("interlv-l1", reward=given).reward
    assert weights == merged and list(weights) == list(REWARD_TERMS)
    assert all(type(weight) is float for weight in weights.values())


def test_weights_pay(make: Make) -> None:
    env = make(reward={"outcome": 2.0, "cost": 0.25})
    env.reset(seed=0)
    assert env.step("<query>Velden</query><query>Velden</query>")[1] == -0.5
    _, reward, _, _, info = env.step("<done>red</done>")
    assert reward == 2.0 and info["reward_terms"]["outcome"] == 1.0


@pytest.mark.parametrize(
    ("options", "tools"),
    [
        ({"tools": None}, PAPER_TOOLS),
        ({"tools": "view_image"}, ["view_image"]),
        ({"tools": []}, []),
        ({"tools": ["view_image", "image_crop", "view_image"]}, ["view_image", "image_crop"]),
        ({"disabled_tools": "image_crop"}, [name for name in PAPER_TOOLS if name != "image_crop"]),
        ({"disabled_tools": None}, PAPER_TOOLS),
        ({"disabled_tools": PAPER_TOOLS}, []),
        ({"graph": True}, [*PAPER_TOOLS, "local_graph_neighbors"]),
        ({"corpus": "closed"}, [*PAPER_TOOLS, "local_graph_neighbors"]),
        ({"corpus": "closed", "graph": False}, PAPER_TOOLS),
        ({"corpus": "closed", "disabled_tools": ["local_graph_neighbors"]}, PAPER_TOOLS),
        ({"tools": ["local_graph_neighbors"]}, ["local_graph_neighbors"]),
        ({"tools": ["local_graph_neighbors", "view_image"], "graph": False}, ["view_image"]),
        ({"preset": "repo", "disabled_tools": ["python_eval"]}, REPO_TOOLS[:-1]),
    ],
)
def test_tools(options: dict[str, Any], tools: list[str]) -> None:
    config = make_config("interlv-l1", **options)
    assert list(config.tools) == tools and config.graph == ("local_graph_neighbors" in tools)


def test_disabled_tools_are_nowhere(make: Make) -> None:
    for name in PAPER_TOOLS:
        env: Any = make(disabled_tools=[name], interactions=9)
        env.reset(seed=0)
        schemas = [schema["name"] for schema in env.unwrapped.tool_schemas("interlv")]
        assert schemas == [tool for tool in PAPER_TOOLS if tool != name]
        assert f"\n- {name}(" not in env.unwrapped.prompt()
        info = env.step({"name": name, "arguments": {}})[4]
        assert info["calls"][0]["code"] == "unknown_tool" and info["tool_calls"] == 0


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ({"familly": "x"}, "ME-CONFIG-01", "'familly'"),
        ({"max_step": 3}, "ME-CONFIG-01", "'max_step'"),
        ({"renderer": 1}, "ME-CONFIG-01", "render_mode"),
        ({"preset": "Paper"}, "ME-CONFIG-03", "Nearest: paper"),
        ({"preset": None}, "ME-CONFIG-03", "paper, repo, infomosaic"),
        ({"interactions": 2.5}, "ME-CONFIG-02", "interactions=2.5"),
        ({"interactions": float("nan")}, "ME-CONFIG-02", "interactions=nan"),
        ({"interactions": 10**6}, "ME-CONFIG-02", "10000"),
        ({"calls_per_interaction": -1}, "ME-CONFIG-02", "calls_per_interaction=-1"),
        ({"calls_per_interaction": 65}, "ME-CONFIG-02", "64"),
        ({"overflow": "queue"}, "ME-CONFIG-02", "'drop' or 'carry'"),
        ({"memory": True}, "ME-CONFIG-02", "'policy', 'agent' or 'none'"),
        ({"memory_lines": 0}, "ME-CONFIG-02", "memory_lines=0"),
        ({"max_side": 8}, "ME-CONFIG-02", "max_side=8"),
        ({"max_new": -1}, "ME-CONFIG-02", "max_new=-1"),
        ({"tools": 5}, "ME-CONFIG-02", "tools=5"),
        ({"tools": [5]}, "ME-CONFIG-02", "tools.0=5"),
        ({"tools": {"view_image", "image_crop"}}, "ME-CONFIG-02", "a set has no order"),
        ({"tools": ["view_imge"]}, "ME-CONFIG-02", "view_image"),
        ({"disabled_tools": ["local_graph_neighbors"]}, "ME-CONFIG-02", "not among the tools"),
        ({"tool_limits": {"image_crop": -1}}, "ME-CONFIG-02", "tool_limits.image_crop=-1"),
        ({"tool_limits": {"image_crop": "many"}}, "ME-CONFIG-02", "'many'"),
        ({"tool_limits": {"image_corp": 1}}, "ME-CONFIG-02", "image_crop"),
        ({"reward": {"outcome": float("nan")}}, "ME-CONFIG-02", "from 0 to 1e+06"),
        ({"reward": {"cost": float("-inf")}}, "ME-CONFIG-02", "from 0 to 1e+06"),
        (
            {"reward": {"cost": -0.05}},
            "ME-CONFIG-02",
            "cost has to be from 0 to 1e+06; the term is already negative",
        ),
        ({"reward": {"outcome": -1}}, "ME-CONFIG-02", "outcome has to be from 0 to 1e+06"),
        ({"reward": {"outcomes": 1}}, "ME-CONFIG-02", "outcome, evidence_recall"),
        ({"reward": None}, "ME-CONFIG-02", "reward=None"),
        ({"family": "interlv-l9"}, "ME-CONFIG-02", "interlv-l1"),
        ({"interactions": 0, "final_answer": "none"}, "ME-CONFIG-02", "without any step"),
        ({"disabled_tools": ["x"]}, "ME-CONFIG-02", "See help(mosaic_env.envs.config.EnvConfig)."),
        ({"tools": [type(load_builtin().get("view_image"))]}, "ME-CONFIG-02", "@register_tool"),
        ({"tools": load_builtin().get("view_image")}, "ME-CONFIG-02", "@register_tool"),
        ({"tasks": EnvConfig}, "ME-CONFIG-02", "tasks= got the class EnvConfig. Expected a name"),
        ({"tasks": 5}, "ME-CONFIG-02", "@register_source"),
        ({"split": ["train"]}, "ME-CONFIG-02", "split= got a list"),
        ({"preset": EnvConfig}, "ME-CONFIG-02", "got the class EnvConfig"),
        ({"encoders": "text"}, "ME-CONFIG-02", "got a str. Expected a dict"),
        ({"encoders": {"text": 5}}, "ME-CONFIG-02", "'text': 5"),
        ({"image_obs": "maybe"}, "ME-CONFIG-02", "image_obs='maybe'"),
        ({"corpus": object()}, "ME-CONFIG-02", "'paper' or 'closed'"),
    ],
)
def test_errors_are_one_sentence(tiny: Path, options: dict[str, Any], code: str, says: str) -> None:
    for make in (gym.make, functools.partial(gym.make_vec, num_envs=2)):
        with pytest.raises(ConfigError) as caught:
            make("InterLV-L1-v0", snapshot=str(tiny), **options)
        text = str(caught.value)
        assert caught.value.code == code and says in text and "\n" not in text and text.endswith(f"[{code}]")


def test_a_snapshot_is_a_name_or_a_path(tiny: Path) -> None:
    for given in (tiny, str(tiny)):
        gym.make("InterLV-L1-v0", snapshot=given).close()
    with pytest.raises(ConfigError, match=r"snapshot= got a Snapshot.*folder of a snapshot.*CONFIG-02"):
        gym.make("InterLV-L1-v0", snapshot=Snapshot(tiny))


def test_environments_with_the_same_arguments_share_their_setup(tiny: Path) -> None:
    one, same = (open_setup("interlv-l1", snapshot=tiny, interactions=5) for _ in range(2))
    other = open_setup("interlv-l1", snapshot=str(tiny), interactions=6)
    assert one is same and other is not one and other.world is one.world


# --- the catalogue ------------------------------------------------------------------------------------------------


def wrong_pins(entries: tuple[CatalogueEntry, ...], world: str) -> list[str]:
    """Return the ids whose pin is another world."""
    return [entry.id for entry in entries if entry.world and entry.world != world]


def test_pins_name_the_bundled_world(tiny: Path) -> None:
    try:
        bundled = open_setup("interlv-l1", snapshot=find_snapshot("bundled")).world.id
    except SnapshotError:
        pytest.skip("the bundled snapshot is not built yet")
    assert wrong_pins(CATALOGUE, bundled) == []
    tiny_id = open_setup("interlv-l1", snapshot=tiny).world.id
    pinned = tuple(dataclasses.replace(entry, world=tiny_id) for entry in CATALOGUE)
    assert wrong_pins(pinned, bundled) == [entry.id for entry in CATALOGUE]  # another world is noticed


def test_an_id_that_stays_has_a_pin() -> None:
    assert all(entry.world.startswith("sha256:") for entry in CATALOGUE if not entry.moving)


def test_ids_are_registered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [entry.id for entry in CATALOGUE]
    assert len(set(ids)) == len(ids)
    specs = {name: gym.registry[name] for name in ids}
    registered: list[str] = []
    monkeypatch.setattr(catalogue.gym, "register", lambda id, **given: registered.append(id))
    mosaic_env.register_all()
    assert registered == [] and all(gym.registry[name] is spec for name, spec in specs.items())
    for name, spec in specs.items():
        assert spec.entry_point == "mosaic_env.envs.core:SearchEnv" and not spec.nondeterministic
        assert spec.vector_entry_point == "mosaic_env.envs.vector:SearchVectorEnv"
        assert spec.max_episode_steps is None and spec.id == name


# --- gym.make_vec -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"num_envs": 0}, "num_envs=0"),
        ({"num_envs": 3, "group_size": 2}, "multiple of group_size"),
        ({"num_envs": 2, "group_size": 0}, "group_size=0"),
        ({"num_envs": 2, "autoreset_mode": "never"}, "NextStep, SameStep, Disabled"),
        ({"num_envs": 2, "autoreset_mode": None}, "NextStep, SameStep, Disabled"),
        ({"num_envs": 2, "max_episode_steps": 3}, "budgets end episodes"),
    ],
)
def test_make_vec_refuses(tiny: Path, given: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        gym.make_vec("InterLV-L1-v0", snapshot=str(tiny), **given)
    assert caught.value.code == "ME-CONFIG-02"


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("NextStep", AutoresetMode.NEXT_STEP),
        ("next_step", AutoresetMode.NEXT_STEP),
        ("same-step", AutoresetMode.SAME_STEP),
        ("DISABLED", AutoresetMode.DISABLED),
        (AutoresetMode.SAME_STEP, AutoresetMode.SAME_STEP),
    ],
)
def test_autoreset_modes(tiny: Path, mode: Any, expected: AutoresetMode) -> None:
    env: Any = gym.make_vec("InterLV-L1-v0", num_envs=2, snapshot=str(tiny), autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is expected and env.num_envs == 2


def test_make_vec_passes_the_environments_options_on(tiny: Path) -> None:
    env: Any = gym.make_vec(
        "InterLV-L2-v0", num_envs=2, snapshot=str(tiny), split="train", preset="repo", interactions=4,
        render_mode="ansi",
    )  # fmt: skip
    observation, infos = env.reset(seed=0)
    assert infos["task"].tolist() == ["tiny/2"] * 2 and observation["budget"][0].tolist() == [4, 2, -1]
    assert env.render()[0] == observation["text"][0] and env.task_keys == ("tiny/2",)
    with pytest.raises(TaskError, match="ME-TASK-04"):
        gym.make_vec("InterLV-L2-v0", num_envs=2, snapshot=str(tiny), split="val")


def test_other_ways_to_vectorize_still_work(tiny: Path) -> None:
    env: Any = gym.make_vec(
        "InterLV-L1-v0", num_envs=2, vectorization_mode="sync", snapshot=str(tiny), interactions=5
    )
    assert env.reset(seed=0)[0]["budget"].tolist() == [[5, 3, -1]] * 2


def test_misuse_of_a_vector_raises_gymnasiums_errors(tiny: Path) -> None:
    env: Any = gym.make_vec("InterLV-L1-v0", num_envs=2, snapshot=str(tiny))
    with pytest.raises(gym.error.ResetNeeded):
        env.step(["", ""])
    with pytest.raises(gym.error.ResetNeeded, match="never begun"):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=0)
    env.reset(options={"reset_mask": np.array([True, False])})
    for mask in (np.array([1, 0]), np.array([True]), [True, False, True]):
        with pytest.raises(ConfigError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    for actions in (["x"], "xx", ["x"] * 3):
        with pytest.raises(ConfigError, match="2 actions"):
            env.step(actions)
    with pytest.raises(ConfigError, match="2 values"):
        env.reset(seed=[1, 2, 3])
    env.close()
    for misuse in (lambda: env.step(["", ""]), lambda: env.reset(seed=0)):
        with pytest.raises(gym.error.ClosedEnvironmentError):
            misuse()


def test_the_bundled_snapshot_plays_every_id() -> None:
    try:
        snapshot = Snapshot(find_snapshot("bundled"))
    except SnapshotError:
        pytest.skip("the bundled snapshot is not built yet")
    for entry in CATALOGUE:
        env: Any = gym.make(entry.id, snapshot=str(snapshot.folder))
        assert len(env.unwrapped.task_keys) > 10 and env.unwrapped.config.family == entry.family
