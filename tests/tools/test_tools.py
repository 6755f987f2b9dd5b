"""Every tool of the package on the tiny world: results, limits, warnings, typed errors, no keys shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from mosaic_env.core.errors import SandboxError
from mosaic_env.index.world import World
from mosaic_env.tools import python_eval
from mosaic_env.tools.base import ToolError, load_builtin
from tests.snapshot import small
from tests.tools.calling import Caller, labels, short

SEARCHES = ("local_text_search", "local_text_search_with_image", "local_text_to_image_search")
PICTURED = {entity.label for entity in small.ENTITIES if entity.key in small.PICTURED}


# --- the three text searches ----------------------------------------------------------------------------


def test_text_search(call: Caller) -> None:
    result = call("local_text_search", query="album by Marrow")
    assert result.data is not None
    first = result.data["results"][0]
    assert first == {
        "rank": 1, "entity": "e_1", "label": "Gold Cobra", "text": "album by the band Marrow", "image": "kb_1",
    }  # fmt: skip
    assert result.show == () and result.ranked[0] == "Q1" and result.modality == "text"
    assert "matched_on" not in result.data and call.warnings == []


def test_with_image_is_the_same_ranking_with_its_pictures(world: World) -> None:
    plain, shown = Caller(world), Caller(world)
    one = plain("local_text_search", query="Velden")
    other = shown("local_text_search_with_image", query="Velden")
    assert one.data == other.data and one.ranked == other.ranked
    assert other.data is not None
    assert one.show == () and list(other.show) == [r["image"] for r in other.data["results"] if "image" in r]
    repo = Caller(world, attach_text_results=True)
    assert repo("local_text_search", query="Velden").show == other.show


def test_text_to_image_search_finds_only_pictured_entities(call: Caller) -> None:
    result = call("local_text_to_image_search", query="Velden", top_k=50)
    assert result.data is not None and set(labels(result.data)) <= PICTURED
    assert result.data["matched_on"] == "text" and result.modality == "text_to_image"
    assert list(result.show) == [row["image"] for row in result.data["results"]]


@pytest.mark.parametrize("tool", SEARCHES)
@pytest.mark.parametrize(
    "query", ["", " ", "\0", "zzzz qqqq", "\ud800", "漢字", "a" * 100_000, "'; DROP TABLE kb"], ids=short
)
def test_any_query_is_answered(call: Caller, tool: str, query: str) -> None:
    result = call(tool, query=query)
    assert result.data is not None
    if not result.data["results"]:
        assert result.data["note"] == "nothing matches"


@pytest.mark.parametrize("tool", [*SEARCHES, "local_image_search"])
@pytest.mark.parametrize(
    ("top_k", "rows", "warns"),
    [(1, 1, False), (2, 2, False), ("2", 2, False), (2.0, 2, False), (0, 1, True), (-3, 1, True),
     (50, None, False), (51, None, True), (10**6, None, True), (10**30, None, True)],
)  # fmt: skip
def test_top_k(call: Caller, tool: str, top_k: Any, rows: int | None, warns: bool) -> None:
    call.show("Q3")
    given = {"image": "kb_1"} if tool == "local_image_search" else {"query": "Velden city"}
    found = call.data(tool, **given, top_k=top_k)["results"]
    assert [row["rank"] for row in found] == list(range(1, len(found) + 1))
    assert len(found) == rows if rows is not None else len(found) >= 2
    clamped = 1 if str(top_k) in ("0", "-3") else 50
    assert call.warnings == ([f"top_k was set to {clamped} (allowed: 1 to 50)"] if warns else [])


@pytest.mark.parametrize("top_k", ["abc", 2.5, None, [1], {"a": 1}, "", "1e3", "٣x"])
def test_top_k_that_is_no_number(call: Caller, top_k: Any) -> None:
    result = call("local_text_search", query="x", top_k=top_k)
    assert result.error is not None and result.error["code"] == "bad_argument"
    assert result.error["message"].startswith("top_k: ") and "required query" in result.error["hint"]


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (0, "A drama set in Velden. It won many prizes."),
        (-5, "A drama set in Velden. It won many prizes."),
        (1200, "A drama set in Velden. It won many prizes."),
        (42, "A drama set in Velden. It won many prizes."),
        (41, "A drama set in Velden. It won many prizes ..."),
        (1, "A ..."),
    ],
)
def test_max_text_chars(call: Caller, limit: int, text: str) -> None:
    call.show("Q5")
    for tool, given in (
        ("local_text_search", {"query": "The Glass Harbour"}),
        ("local_image_search", {"image": "kb_1"}),
    ):
        assert call.data(tool, **given, max_text_chars=limit)["results"][0]["text"] == text  # fmt: skip


def test_numbers_where_text_is_wanted(call: Caller) -> None:
    assert labels(call.data("local_text_search", query=1987))[0] == "The Glass Harbour"
    assert call.data("python_eval", code=7)["value"] == "7"
    for wrong in (None, ["Velden"], {"text": "Velden"}):
        assert call.code("local_text_search", query=wrong) == "bad_argument"


@pytest.mark.parametrize("tool", list(load_builtin()))
def test_unknown_arguments_are_named_and_ignored(call: Caller, tool: str) -> None:
    call.show("Q3")
    good = {"query": "Velden", "image": "kb_1", "bbox": [0, 0, 500, 500], "code": "1", "entity": "e_1"}
    fields = load_builtin().get(tool).Arguments.model_fields
    arguments = {name: value for name, value in good.items() if name in fields}
    assert call(tool, **arguments).error is None and call.warnings == []
    call(tool, **arguments, **{"topk": 3, "z" * 500: 1, "\ud800": 2})
    known = ", ".join(fields) or "none"
    assert call.warnings[0] == f"ignored unknown arguments: ?, topk, {'z' * 40} (known: {known})"
    call(tool, **arguments, **{f"x{number}": 1 for number in range(9)})
    assert call.warnings[0].startswith("ignored unknown arguments: x0, x1, x2, x3, x4 (known")


@pytest.mark.parametrize("tool", [name for name in load_builtin() if name != "list_images"])
def test_missing_arguments_are_named(call: Caller, tool: str) -> None:
    error = call(tool).error
    required = [n for n, f in load_builtin().get(tool).Arguments.model_fields.items() if f.is_required()]
    assert error is not None and error["code"] == "bad_argument"
    assert error["message"] == f"{required[0]}: Field required"
    assert error["hint"] == f"arguments of {tool}: required {', '.join(required)}"


# --- pictures ------------------------------------------------------------------------------------------------


def test_image_search(call: Caller) -> None:
    call.show("Q3")
    result = call("local_image_search", image="kb_1", top_k=50)
    assert result.data is not None and set(labels(result.data)) == PICTURED
    assert labels(result.data)[0] == "Velden" and result.data["matched_on"] == "picture"
    assert call.inputs == ["kb_1"] and result.modality == "image"
    assert result.show == tuple(row["image"] for row in result.data["results"])


def test_exclude_self(call: Caller) -> None:
    call.show("Q3")
    call.data("image_crop", image="kb_1", bbox=[0, 0, 800, 800])
    for image in ("kb_1", "kb_1_crop"):
        with_self = labels(call.data("local_image_search", image=image, top_k=50))
        without = labels(call.data("local_image_search", image=image, top_k=50, exclude_self=True))
        assert with_self[0] == "Velden" and without == with_self[1:]
        assert labels(call.data("local_image_search", image=image, top_k=2, exclude_self=True)) == without[:2]


def test_a_question_picture_belongs_to_nobody(call: Caller, world: World) -> None:
    stored = world.kb.pictures[world.kb.rows["Q3"]].picture
    assert call.handles.question_picture(stored) == "img_1"
    found = call.data("local_image_search", image="img_1", exclude_self=True)
    assert labels(found)[0] == "Velden"
    assert "entity" not in call.data("list_images")["images"][0]
    assert call.code("local_graph_neighbors", entity="img_1") == "unknown_handle"


@pytest.mark.parametrize(
    "image", ["/etc/passwd", "file:///etc/passwd", "http://localhost/x.png", "Q3", "e_1"]
)
def test_image_search_takes_handles_only(call: Caller, image: str) -> None:
    call.show("Q3")
    assert call.code("local_image_search", image=image) == "unknown_handle"


def test_view_image_attaches_again(call: Caller) -> None:
    call.show("Q3")
    call.data("image_crop", image="kb_1", bbox=[0, 0, 500, 500])
    for handle, size in (("kb_1", (60, 40)), ("kb_1_crop", (30, 20))):
        result = call("view_image", image=handle)
        assert result.data == {"image": handle, "width": size[0], "height": size[1]}
        assert result.show == (handle,) and result.again and call.inputs == [handle]


def test_list_images(call: Caller) -> None:
    assert call.data("list_images") == {"images": []}
    call.handles.origin = 3
    call.show("Q3")
    call.data("image_crop", image="kb_1", bbox=[0, 0, 500, 500])
    assert call.data("list_images")["images"] == [
        {"image": "kb_1", "width": 60, "height": 40, "interaction": 3, "entity": "e_1"},
        {"image": "kb_1_crop", "width": 30, "height": 20, "interaction": 3, "entity": "e_1", "cut_from": "kb_1"},
    ]  # fmt: skip


def test_list_images_is_capped(call: Caller) -> None:
    call.show("Q3")
    for number in range(250):
        box = [number % 20, number // 20, 50, 40]
        call.data("image_crop", image="kb_1", bbox=box, coords="pixel")
    result = call("list_images")
    assert result.data is not None and len(result.data["images"]) == 200 and not result.show
    assert call.warnings == ["only the first 200 of 251 pictures are listed"]
    assert call.data("view_image", image="kb_1_crop_250")["width"] > 0


# --- the graph ---------------------------------------------------------------------------------------------------


def facts(data: Any) -> list[tuple[str, str, str]]:
    """Return (direction, relation, label) of each fact."""
    return [(fact["direction"], fact["relation"], fact["label"]) for fact in data["facts"]]


TWIN = "twinned administrative body"


@pytest.mark.parametrize(
    ("key", "arguments", "expected"),
    [
        ("Q5", {}, [("out", "director", "Orla Finch")]),
        ("Q4", {}, [("in", "director", "The Glass Harbour")]),
        ("Q3", {}, [("out", TWIN, "Ashgrove"), ("in", TWIN, "Ashgrove")]),
        ("Q3", {"direction": "both"}, [("out", TWIN, "Ashgrove"), ("in", TWIN, "Ashgrove")]),
        ("Q3", {"direction": "out"}, [("out", TWIN, "Ashgrove")]),
        ("Q3", {"direction": "in"}, [("in", TWIN, "Ashgrove")]),
        ("Q4", {"direction": "out"}, []),
        ("Q8", {}, []),
        ("Q3", {"relation": "twin town"}, [("out", TWIN, "Ashgrove"), ("in", TWIN, "Ashgrove")]),
        ("Q3", {"relation": "Twinned with!", "direction": "in"}, [("in", TWIN, "Ashgrove")]),
        ("Q5", {"relation": "directed by"}, [("out", "director", "Orla Finch")]),
        ("Q3", {"limit": 1}, [("out", TWIN, "Ashgrove")]),
        ("Q3", {"limit": 1, "offset": 1}, [("in", TWIN, "Ashgrove")]),
        ("Q3", {"offset": 2}, []),
        ("Q3", {"offset": 10**30}, []),
        ("Q3", {"offset": -4, "limit": 0}, [("out", TWIN, "Ashgrove")]),
        ("Q3", {"limit": 10**30}, [("out", TWIN, "Ashgrove"), ("in", TWIN, "Ashgrove")]),
    ],
)
def test_neighbours(call: Caller, world: World, key: str, arguments: dict[str, Any], expected: Any) -> None:
    handle = call.handles.entity(world.kb.rows[key])
    result = call("local_graph_neighbors", entity=handle, **arguments)
    assert result.data is not None and facts(result.data) == expected and result.data["entity"] == handle
    assert result.data["total"] >= len(expected) and call.inputs == [handle]
    assert [world.kb.labels[world.kb.rows[k]] for k in result.ranked] == [label for _, _, label in expected]


@pytest.mark.parametrize("relation", ["born in", "!!!", "twinned city of"])
def test_a_relation_that_is_not_there_names_those_that_are(call: Caller, relation: str) -> None:
    call.show("Q3")
    data = call.data("local_graph_neighbors", entity="e_1", relation=relation)
    assert data["facts"] == [] and data["total"] == 0
    assert call.warnings == [f"no such relation here; there are: {TWIN}"]


def test_neighbours_of_a_picture_and_of_a_crop(call: Caller) -> None:
    call.show("Q3")
    call.data("image_crop", image="kb_1", bbox=[0, 0, 500, 500])
    by_entity = call.data("local_graph_neighbors", entity="e_1")
    assert by_entity == call.data("local_graph_neighbors", entity="kb_1")
    assert by_entity == call.data("local_graph_neighbors", entity="kb_1_crop")
    assert call.code("local_graph_neighbors", entity="e_1", direction="sideways") == "bad_argument"


# --- programs ------------------------------------------------------------------------------------------------------


def test_python_eval(call: Caller) -> None:
    data = call.data("python_eval", code="x = 6\nprint('hello')\nx * 7")
    assert data == {"stdout": "hello\n", "value": "42", "variables": {"x": "6"}}
    assert call.data("python_eval", code="") == {"stdout": ""}
    assert call.data("python_eval", code="print(x) if False else None") == {"stdout": ""}


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        ("print('before')\n1/0", "exception", "division by zero (line 2) (printed before: 'before\\n')"),
        ("def", "syntax", "SyntaxError"),
        ("while True: pass", "step_limit", "steps"),
        ("open('/etc/passwd')", "exception", "PermissionError"),
        ("exit()", "exception", "NameError"),
    ],
)
def test_programs_that_fail(call: Caller, code: str, kind: str, says: str) -> None:
    result = call("python_eval", code=code)
    assert result.error is not None and result.error["code"] == kind and says in result.error["message"]
    assert result.error["hint"] == "change the program" and result.reproducible


def test_without_a_sandbox_nothing_weaker_runs(
    call: Caller, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it is the environment's failure: no program could have worked."""

    def none(*given: Any) -> Any:
        raise SandboxError("ME-SANDBOX-01", "pydantic-monty is not installed")

    monkeypatch.setattr(python_eval, "run_python", none)
    marker = tmp_path / "marker"
    assert call.code("python_eval", code=f"open({str(marker)!r}, 'w')") == "no_sandbox"
    assert not marker.exists()
    env = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    env.reset(seed=0)
    info = env.step("<code>1 + 1</code>")[4]
    assert info["calls"][0]["code"] == "no_sandbox"
    assert info["failure"] == {"kind": "no_sandbox", "by": "env"}


# --- keys ------------------------------------------------------------------------------------------------------------


def _every_call(call: Caller) -> list[Any]:
    call.show("Q3")
    results = [call(tool, query="Velden city album film", top_k=50) for tool in SEARCHES]
    results += [call("local_image_search", image="kb_1", top_k=50), call("list_images")]
    results += [call("view_image", image="kb_1"), call("image_crop", image="kb_1", bbox=[0, 0, 500, 500])]
    results += [call("local_graph_neighbors", entity="e_1"), call("python_eval", code="dir()")]
    results += [call("view_image", image="kb_99"), call("local_graph_neighbors", entity="Q3x")]
    return [result.data or result.error for result in results]


def test_keys_are_shown_only_when_asked_for(world: World) -> None:
    hidden, shown = Caller(world), Caller(world, show_ids=True)
    without, found = _every_call(hidden), _every_call(shown)
    key = re.compile(r"\bQ\d\b")
    for data in without:
        text = json.dumps(data).replace("'Q3x'", "")
        assert not key.search(text) and "score" not in text and "entity_id" not in text, text
    for data in found[:4]:
        for row in data["results"]:
            assert world.kb.labels[world.kb.rows[row["entity_id"]]] == row["label"]
            assert type(row["score"]) is int
        scores = [row["score"] for row in data["results"]]
        assert scores == sorted(scores, reverse=True)
    assert found[7]["facts"][0]["entity_id"] == "Q6"
    for one, other in zip(without[:4], found[:4], strict=True):
        stripped = [
            {k: v for k, v in row.items() if k not in ("entity_id", "score")} for row in other["results"]
        ]
        assert one["results"] == stripped


def test_an_entity_without_a_name_does_not_get_its_key(call: Caller, world: World) -> None:
    found = call.data("local_text_search", query="a thing without a name")["results"][0]
    assert found["label"] == "" and found["text"] == "a thing without a name"


def test_tool_errors_say_whose_failure_they_are() -> None:
    assert ToolError("code", "message").by == "policy"
    assert ToolError("code", "message", by="env").result().error == {
        "code": "code",
        "message": "message",
        "hint": "",
    }
