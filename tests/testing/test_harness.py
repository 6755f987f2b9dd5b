"""Playing, reading runs, chats with pictures, models, trials: without pytest in between."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mosaic_env.agents.simple import NullAgent, ScriptedAgent
from mosaic_env.core.errors import ConfigError, TaskError
from mosaic_env.testing import Mosaic
from mosaic_env.testing.errors import AgentFailed, GoldenMismatch, GoldenMissing, HarnessError, ModelMiss
from mosaic_env.testing.golden import Golden, golden_path, read_golden, write_golden
from mosaic_env.testing.match import Change, cells, first_changed_value, table
from mosaic_env.testing.recording import Exchange
from mosaic_env.testing.store import GoldenStore
from mosaic_env.testing.trials import chance_of_loss, compare

LOOK = '<tool name="local_text_search_with_image">{"query": "Gold Cobra", "top_k": 1}</tool>'
ENV = "InterLV-L1-v0"
Play = Callable[..., Any]


def scripted(*texts: str) -> Callable[[Any], str]:
    """Return an agent that writes the texts, one a step."""
    return lambda chat: texts[sum(message["role"] == "assistant" for message in chat)]


@pytest.fixture
def mosaic(tmp_path: Path) -> Mosaic:
    return Mosaic(GoldenStore(tmp_path / "goldens" / "t.json", "t"))


@pytest.fixture
def play(mosaic: Mosaic, tiny: Path) -> Play:
    return lambda agent, env=ENV, **options: mosaic.play(agent, env, snapshot=str(tiny), **options)


# --- reading a run -------------------------------------------------------------------------------------------


def test_a_run_reads_like_sentences(play: Play) -> None:
    odd = '<tool name="nope">{}</tool><query>{"a": </query>'
    run = play(scripted(LOOK * 5 + "<query>Velden</query>", odd, "<done>red</done>"))
    assert run.success and run.reward == 1.0 and run.answer == "red"
    assert (run.steps, run.interactions) == (3, 3) and run.pictures == 1
    assert (
        run.calls() == 3
        and run.calls("local_text_search_with_image") == 3
        and run.calls("local_text_search") == 0
    )
    assert run.saw("Gold Cobra") and run.saw("Q1") and not run.saw("Ashgrove") and not run.saw("Q6")
    assert repr(run) == "Run(tiny/1, answer='red', reward=1.0)"


def test_names_that_do_not_exist_are_not_zero(play: Play) -> None:
    run = play(scripted("<done>red</done>"), disabled_tools=["image_crop"])
    assert run.calls("image_crop") == 0 and run.calls("local_graph_neighbors") == 0  # they exist, not here
    with pytest.raises(
        HarnessError, match=r"no tool 'image_search'.*Nearest: local_image_search.*ME-TESTING-01"
    ):
        run.calls("image_search")
    with pytest.raises(HarnessError, match=r"no entity 'Veldn'.*Nearest: Velden"):
        run.saw("Veldn")


# --- agents ----------------------------------------------------------------------------------------------------


def test_the_chat_holds_everything_and_the_pictures(play: Play) -> None:
    chats: list[Any] = []

    def agent(chat: Any) -> str:
        chats.append(chat)
        chat[-1]["content"].append("spoiled")  # whatever an agent does to its chat stays its own
        return LOOK if len(chats) == 1 else "<done>red</done>"

    play(agent)
    assert [message["role"] for message in chats[1]] == ["system", "user", "assistant", "user"]
    pictures = [part for part in chats[1][3]["content"][:-1] if part["type"] == "image"]
    assert [part["handle"] for part in pictures] == ["kb_1"]
    assert all(part["data"].startswith(b"\x89PNG") and part["media_type"] == "image/png" for part in pictures)
    assert "spoiled" not in chats[1][1]["content"]


def test_memory_turns_are_turns_of_the_chat(play: Play) -> None:
    def agent(chat: Any) -> str:
        last = chat[-1]["content"][-1]["text"]
        if "Write your memory now" in last:
            return "- a note"
        return "<query>Ashgrove</query>" if len(chat) < 6 else "<done>blue</done>"

    run = play(agent, "InterLV-L2-v0", task="tiny/2")
    assert run.success and [step.phase for step in run.episode.steps] == ["act", "memory", "act"]


def test_objects_and_classes_are_agents_too(play: Play) -> None:
    assert play(NullAgent).reward == 0.0
    assert play(ScriptedAgent(["<done>red</done>"])).success
    assert play(
        lambda chat: [{"tool": "local_text_search", "arguments": {"query": "x"}}, {"answer": "red"}]
    ).success


def test_an_agent_that_raises_is_named_with_its_step(play: Play) -> None:
    def agent(chat: Any) -> str:
        if len(chat) > 2:
            raise KeyError("label")
        return LOOK

    with pytest.raises(AgentFailed, match=r"the agent raised at step 2: KeyError: .*label") as caught:
        play(agent)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("value", [None, 5, b"<done>red</done>", object()])
def test_what_is_no_action_is_named(play: Play, value: Any) -> None:
    with pytest.raises(AgentFailed, match="at step 1; expected a text"):
        play(lambda chat: value)


def test_wrong_agents_and_arguments(play: Play) -> None:
    async def later(chat: Any) -> str:
        return ""

    with pytest.raises(HarnessError, match=r"asyncio\.run"):
        play(later)
    with pytest.raises(HarnessError, match="is not an agent"):
        play("<done>red</done>")
    with pytest.raises(TaskError):
        play(NullAgent, task="tiny/9")
    with pytest.raises(ConfigError):
        play(NullAgent, presett="paper")
    with pytest.raises(AgentFailed, match="no end after 7 steps"):
        play(scripted(*["nothing"] * 9), interactions=None, max_steps=7)


# --- models --------------------------------------------------------------------------------------------------


def make(tmp_path: Path, **how: Any) -> tuple[Mosaic, GoldenStore]:
    store = GoldenStore(tmp_path / "goldens" / "t.json", "t", **how)
    return Mosaic(store), store


def test_bytes_are_recorded_by_digest_and_the_same_question_keeps_its_answers_in_order(
    tmp_path: Path,
) -> None:
    answers = iter(["one", "two", "three"])
    mosaic, store = make(tmp_path, update=True)
    model = mosaic.model(lambda prompt, *, image: next(answers))
    said = [model("q", image=b"png" * 100) for _ in range(3)]
    store.save()
    recorded = json.loads((tmp_path / "goldens" / "t.json").read_text())["exchanges"]
    assert recorded[0]["input"]["kwargs"]["image"]["size"] == 300 and len(recorded) == 3
    mosaic, _ = make(tmp_path)
    model = mosaic.model(lambda prompt, *, image: pytest.fail("asked for real"))
    assert [model("q", image=b"png" * 100) for _ in range(3)] == said == ["one", "two", "three"]
    assert model("q", image=b"png" * 100) == "three"
    with pytest.raises(ModelMiss, match="--mosaic-update"):
        model("q", image=b"gif")


def test_long_texts_of_a_chat_stand_once_in_the_file(tmp_path: Path) -> None:
    mosaic, store = make(tmp_path, update=True)
    model = mosaic.model(lambda chat: "fine")
    chat = [{"role": "system", "content": "rules " * 500}]
    for n in range(20):
        chat.append({"role": "user", "content": f"{n} " * 100})
        model(chat)
    store.save()
    path = tmp_path / "goldens" / "t.json"
    whole = len(json.dumps([chat[: n + 2] for n in range(20)]))
    assert len(json.loads(path.read_text())["texts"]) == 21 and path.stat().st_size < whole / 2
    assert GoldenStore(path, "t").recording._recorded[-1].input["args"] == [chat]  # type: ignore[index]


@pytest.mark.parametrize("value", [object(), {1: 2}, float("nan"), 2**80, {"a": [set()]}])
def test_models_take_json_data(tmp_path: Path, value: Any) -> None:
    mosaic, _ = make(tmp_path)
    with pytest.raises(HarnessError, match=r"wrapped model has .* as args"):
        mosaic.model(lambda given: "x")(value)
    with pytest.raises(HarnessError, match=r"wrapped model has .* as output"):
        mosaic.model(lambda: value)()


def test_models_have_names(tmp_path: Path) -> None:
    mosaic, store = make(tmp_path, update=True)
    models = [mosaic.model(lambda: "a"), mosaic.model(lambda: "b"), mosaic.model(lambda: "c", name="judge")]
    assert [model() for model in models] == ["a", "b", "c"]
    assert [exchange.model for exchange in store.recording.made] == ["model", "model_2", "judge"]
    with pytest.raises(HarnessError, match="models are wrapped as 'judge'"):
        mosaic.model(lambda: "d", name="judge")


def test_another_model_of_the_same_agent_is_told(tmp_path: Path, tiny: Path) -> None:
    """The answer of question 1 differs only in thoughts; the action of step 2 is the agent's own doing."""
    for how, thought, answer in (({"update": True}, "hm", "red"), ({"live": True}, "aha", "blue")):
        mosaic, store = make(tmp_path, **how)
        model = mosaic.model(lambda n, thought=thought: f"<think>{thought if n == 1 else ''}</think>")

        def agent(chat: Any, model: Any = model, answer: str = answer) -> str:
            said = model(len(chat) // 2)
            return said + (LOOK if len(chat) == 2 else f"<done>{answer}</done>")

        run = mosaic.play(agent, ENV, snapshot=str(tiny))
        if "update" in how:
            run.check_golden()
            store.save()
            continue
        with pytest.raises(GoldenMismatch) as caught:
            run.check_golden()
        text = str(caught.value)
        assert (
            "moved: agent\n" in text
            and "before it, question 1 to the model (step 1) is the recorded one" in text
        )


# --- trials ----------------------------------------------------------------------------------------------------


class Lucky:
    """Right on the trials whose seed allows it."""

    share = 2

    def __init__(self, env: Any, seed: int = 0) -> None:
        self.right = seed % self.share == 0

    def begin(self, env: Any, observation: Any, info: Any) -> None:
        self.answer = "red" if self.right else "green"

    def act(self, observation: Any, info: Any) -> str:
        return f"<done>{self.answer}</done>"


def test_trials(tmp_path: Path, tiny: Path) -> None:
    mosaic, _ = make(tmp_path)
    trials = mosaic.trials(Lucky, ["tiny/1"], k=12, env=ENV, snapshot=str(tiny))
    right = sum(trials.successes["tiny/1"])
    assert 0 < right < 12 and trials.pass_at(1) == right / 12
    assert trials.pass_hat(12) == 0.0 and trials.pass_at(12) == 1.0
    low, high = trials.interval()
    assert 0 < low < right / 12 < high < 1
    seeds = [run.episode.seed[0] for run in trials.runs["tiny/1"]]
    assert len(set(seeds)) == 12 and not any(b - a == 1 for a, b in itertools.pairwise(seeds))
    text = str(trials)
    assert f"{right} of 12" in text and "pass^12 0.000" in text and "over 12 task-trials" in text
    assert [
        run.episode.seed for run in mosaic.trials(Lucky, None, 12, ENV, snapshot=str(tiny)).runs["tiny/1"]
    ] == [run.episode.seed for run in trials.runs["tiny/1"]]
    with pytest.raises(ConfigError, match="ME-STATS-01"):
        trials.pass_at(13)


def test_trials_default_to_the_option(tiny: Path, tmp_path: Path) -> None:
    mosaic = Mosaic(GoldenStore(tmp_path / "t.json", "t"), trials=3)
    assert len(mosaic.trials(NullAgent, env=ENV, snapshot=str(tiny)).runs["tiny/1"]) == 3


def toy_trials(
    tmp_path: Path, tiny: Path, agent: Any, keys: tuple[str, ...] = ("toy/1", "toy/2", "toy/3"), **how: Any
) -> tuple[Any, GoldenStore]:
    mosaic, store = make(tmp_path, **how)
    return mosaic.trials(agent, keys, 2, ENV, snapshot=str(tiny), source="tests.envs.toy:toy-hundred"), store


def knows(*numbers: int) -> Callable[[Any], str]:
    """Return an agent that can double some numbers."""

    def agent(chat: Any) -> str:
        number = int(chat[1]["content"][0]["text"].split()[3])
        return f"<done>{2 * number if number in numbers else 'no idea'}</done>"

    return agent


def test_flips_in_both_directions(tmp_path: Path, tiny: Path) -> None:
    trials, store = toy_trials(tmp_path, tiny, knows(1, 2), update=True)
    trials.check_golden()
    store.save()
    toy_trials(tmp_path, tiny, knows(1, 2, 3))[0].check_golden()  # more is no failure
    trials, _ = toy_trials(tmp_path, tiny, knows(1, 3))
    flips = trials.flips()
    assert (
        flips
        and flips.lost == (("toy/2", "2 of 2", "0 of 2"),)
        and flips.gained == (("toy/3", "0 of 2", "2 of 2"),)
    )
    with pytest.raises(GoldenMismatch) as caught:
        trials.check_golden()
    text = str(caught.value)
    assert "in every trial before and in none now: 1 task\n" in text and "moved: agent (or the model" in text
    assert any(
        line.split() == ["lost", "toy/2", "2", "of", "2", "0", "of", "2"] for line in text.splitlines()
    )
    assert any(line.split()[:2] == ["gained", "toy/3"] for line in text.splitlines())
    earlier, _ = toy_trials(tmp_path, tiny, knows(1, 2))
    assert not earlier.flips(earlier) and trials.flips(earlier) == flips


def share(solved: int, k: int) -> list[bool]:
    return [number < solved for number in range(k)]


def test_sampling_noise_is_no_failure() -> None:
    before = {f"t/{n}": share(n % 4, 3) for n in range(20)}
    unlucky = {**before, "t/2": share(1, 3), "t/3": share(0, 3), "t/6": share(1, 3)}
    flips = compare(before, unlucky)
    assert [row[0] for row in flips.lost] == ["t/3"] and [row[0] for row in flips.fell] == ["t/2", "t/6"]
    assert flips.noisy and flips.chance > 0.05 and not flips.worse()
    half = {key: share(sum(trials) // 2, 3) for key, trials in before.items()}
    assert compare(before, half).worse() and not compare(half, before).worse()


def test_an_unchanged_random_agent_fails_one_time_in_twenty() -> None:
    draw = random.Random(5)
    rates = [draw.random() for _ in range(12)]

    def played() -> dict[str, list[bool]]:
        return {f"t/{n}": [draw.random() < rate for _ in range(3)] for n, rate in enumerate(rates)}

    failed = sum(compare(played(), played()).worse() for _ in range(1000))
    assert 10 <= failed <= 60  # the exact test is discrete, so a little below 50


@pytest.mark.parametrize(("k", "chance"), [(1, 1 / 2), (2, 1 / 6), (3, 1 / 20), (4, 1 / 70)])
def test_the_chance_of_a_loss_is_exact(k: int, chance: float) -> None:
    assert chance_of_loss([(share(k, k), share(0, k)), (share(k, k), share(k, k))]) == pytest.approx(chance)
    assert chance_of_loss([(share(0, k), share(k, k))]) == pytest.approx(1.0) and chance_of_loss([]) == 1.0


def test_the_chance_counts_every_way_to_shuffle_the_trials() -> None:
    pairs = [(share(3, 4), share(1, 2)), (share(1, 1), share(1, 3))]
    now = sum(sum(new) for _, new in pairs)
    ways = [[sum(c) for c in itertools.combinations([*old, *new], len(new))] for old, new in pairs]
    sums = [sum(way) for way in itertools.product(*ways)]
    assert chance_of_loss(pairs) == pytest.approx(sum(s <= now for s in sums) / len(sums))


def test_one_trial_a_task_has_no_noise_and_a_flip_is_a_flip() -> None:
    before = {f"t/{n}": [True] for n in range(30)}
    flips = compare(before, {**before, "t/4": [False]})
    assert not flips.noisy and flips.worse() and flips.lost == (("t/4", "1 of 1", "0 of 1"),)


def test_ten_tasks_are_listed_and_the_rest_is_counted() -> None:
    lines = str(compare({f"t/{n}": [True] for n in range(31)}, {f"t/{n}": [False] for n in range(31)}))
    assert lines.count("lost") == 10 and "21 more tasks" in lines


def test_an_unknown_argument_names_the_function_that_was_called(mosaic: Mosaic, tiny: Path) -> None:
    says = (
        r"mosaic\.trials got an unknown argument 'task'.*agent, tasks, k, env, seed, source.*Nearest: tasks"
    )
    with pytest.raises(ConfigError, match=says):
        mosaic.trials(NullAgent, env=ENV, snapshot=str(tiny), task=10)
    with pytest.raises(ConfigError, match=r"mosaic\.trials got .*'limit'.*tasks= lists the tasks.*CONFIG-01"):
        mosaic.trials(NullAgent, env=ENV, snapshot=str(tiny), limit=10)
    with pytest.raises(ConfigError, match=r"mosaic\.play got an unknown argument 'max_step'.*max_steps"):
        mosaic.play(NullAgent, ENV, snapshot=str(tiny), max_step=10)


def test_a_confidence_is_between_0_and_1(tmp_path: Path, tiny: Path) -> None:
    with pytest.raises(HarnessError, match=r"confidence=95"):
        toy_trials(tmp_path, tiny, knows(1), update=True)[0].check_golden(confidence=95)


def test_tasks_that_are_not_tried_any_more(tmp_path: Path, tiny: Path) -> None:
    trials, store = toy_trials(tmp_path, tiny, knows(1, 2), update=True)
    trials.check_golden()
    store.save()
    with pytest.raises(GoldenMismatch, match="not tried any more: 1 task\n") as caught:
        toy_trials(tmp_path, tiny, knows(1, 2), keys=("toy/1", "toy/3"))[0].check_golden()
    assert "moved: test\n" in str(caught.value)
    with pytest.raises(GoldenMissing, match="holds 'trials'"):
        toy_trials(tmp_path, tiny, knows(1))[0].check_golden("other")


def test_a_wrapped_model_in_trials_is_offline_and_its_misses_are_explained(
    tmp_path: Path, tiny: Path
) -> None:
    def play(prompt: str, **how: Any) -> tuple[Any, GoldenStore]:
        mosaic, store = make(tmp_path, **how)
        model = mosaic.model(lambda text: "<done>red</done>")
        return mosaic.trials(lambda chat: model(prompt), ["tiny/1"], 2, ENV, snapshot=str(tiny)), store

    trials, store = play("What?", update=True)
    trials.check_golden()
    store.save()
    play("What?")[0].check_golden()
    with pytest.raises(GoldenMismatch) as caught:
        play("Which?")
    text = str(caught.value)
    assert "not in the recording" in text and "moved: agent\n" in text and "trials keep no episode" in text


def test_a_wrapped_model_in_trials_takes_the_blame_for_flips(tmp_path: Path, tiny: Path) -> None:
    for answer, how in (("red", {"update": True}), ("blue", {"live": True})):
        mosaic, store = make(tmp_path, **how)
        model = mosaic.model(lambda text, answer=answer: f"<done>{answer}</done>")
        trials = mosaic.trials(
            lambda chat, model=model: model("What?"), ["tiny/1"], 2, ENV, snapshot=str(tiny)
        )
        if "update" in how:
            trials.check_golden()
            store.save()
            continue
        with pytest.raises(GoldenMismatch, match=r"moved: model\n"):
            trials.check_golden()


def test_trials_of_nothing(mosaic: Mosaic, tiny: Path) -> None:
    with pytest.raises(HarnessError, match="at least one of each"):
        mosaic.trials(NullAgent, [], env=ENV, snapshot=str(tiny))
    with pytest.raises(HarnessError, match="at least one of each"):
        mosaic.trials(NullAgent, k=0, env=ENV, snapshot=str(tiny))


# --- reports ----------------------------------------------------------------------------------------------------


def test_hostile_text_is_visible_and_short_in_reports() -> None:
    nasty = "\x1b[31mred\u202e \ud800 \n" + "x" * 5000
    change = Change(
        1, (1, 1), {"call 1": nasty, "answer": "a" * 100 + "b"}, {"call 1": "y", "answer": "a" * 100 + "c"}
    )
    shown = table(change)
    assert (
        "\x1b" not in shown and "⟨U+202E⟩" in shown and len(shown) < 800 and "aab" in shown and "aac" in shown
    )
    shown.encode("utf-8")
    many = Change(1, (1, 1), {f"call {n}": "x" for n in range(1, 500)}, {})
    assert len(table(many).splitlines()) == 25 and "476 more rows" in table(many)


def test_numbers_and_texts_are_told_apart() -> None:
    assert cells(5, "5") == ("5", '"5"') and cells("5", "6") == ("5", "6")
    assert first_changed_value({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}]}) == ("a[1].b", "x", "y")
    assert first_changed_value({"a": [1]}, {"a": [1, 2]}) == ("a[1]", "-", "2")


def test_golden_paths(tmp_path: Path) -> None:
    names = [
        "t.py::test_a",
        "t.py::test_a[x/y]",
        "t.py::test_a[x_y]",
        "t.py::TestA::test_a",
        "t.py::test_" + "a" * 300,
    ]
    paths = [golden_path(tmp_path, name) for name in names]
    assert paths[0].name == "t.test_a.json" and paths[3].name == "t.TestA.test_a.json"
    assert len(set(paths)) == 5 and all(path.parent == tmp_path / "goldens" for path in paths)


def test_a_golden_that_was_cut_while_writing_is_never_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mosaic, store = make(tmp_path, update=True)
    mosaic.model(lambda: "x")()
    store.save()
    before = (tmp_path / "goldens" / "t.json").read_bytes()
    monkeypatch.setattr(
        Path, "replace", lambda self, target: (_ for _ in ()).throw(OSError("the disk is full"))
    )
    with pytest.raises(OSError, match="full"):
        store.save()
    assert (tmp_path / "goldens" / "t.json").read_bytes() == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(), max_size=20) | st.text("ab\ud800", min_size=150, max_size=400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["$text", "a"]), inner, max_size=2),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given_=JSON, said=JSON)
def test_exchanges_survive_the_file(tmp_path: Path, given_: Any, said: Any) -> None:
    exchanges = (
        Exchange("model", 0, 1, {"args": [given_], "kwargs": {}}, said),
        Exchange("b", 0, 2, {}, [said, said]),
    )
    write_golden(tmp_path / "t.json", Golden("t", "1", exchanges=exchanges))
    assert read_golden(tmp_path / "t.json", "t") == Golden("t", "1", exchanges=exchanges)
