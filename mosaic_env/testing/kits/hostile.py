"""Values that a model, or a mistake, may hand to an environment or a tool. None may do harm.

Fixed lists, no randomness: a failure is the same tomorrow. Paths and addresses are examples that
nothing may open.
"""

from __future__ import annotations

import math
from typing import Any

_DEEP: Any = []
for _ in range(60):  # what parsing lets through
    _DEEP = [_DEEP]

#: Texts that are no good action, or look like several.
TEXTS: tuple[str, ...] = (
    "", " ", "\n\n\t", "\x00", "\x00" * 50, "\ud800", "\udfff<done>\ud800</done", "\u202e<done>red</done",
    "<", ">", "</", "<>", "<done", "<done>", "</done>", "<done></done", "<query>", "</query><query>",
    "<query></query>", "<query>\x00</query>", "<query>\ud800</query>", '<query>{"query": NaN}</query>',
    '<query>{"query": 1e999}</query>', '<query>{"query": "a", "query": "b"}</query>',
    '<query>{"top_k": -1, "query": "x"}</query>', '<query>{"top_k": 99999999999999999999, "query": "x"}</query>',
    '<query>{"query": {"query": {"query": []}}}</query>', "<query>{{{{</query>", "<query>" + "[" * 3000,
    '<tool name="">{}</tool>', '<tool name="no_such_tool">{}</tool>', '<tool name="../../etc/passwd">{}</tool>',
    '<tool name="view_image">{"image": "/etc/passwd"}</tool>',
    '<tool name="view_image">{"image": "file:///etc/passwd"}</tool>',
    '<tool name="view_image">{"image": "http://example.invalid/x.png"}</tool>',
    '<tool name="view_image">[1, 2]</tool>', '<tool name="view_image">null</tool>', "<tool>x</tool>",
    '<clip>{"image": "kb_1", "bbox": [NaN, 0, 1e308, -1]}</clip>', '<clip>{"image": "kb_1", "bbox": "all"}</clip>',
    '<clip>{"image": "kb_999", "bbox": []}</clip>', "<clip></clip>", "<code>while True: pass", "<code></code>",
    "<think>", "<think><done>red</done>", "</think>", "<think>" * 500, "<query>x</query>" * 100,
    '{"name": "local_text_search", "arguments": "{"}', '{"name": null, "arguments": null}',
    '[{"name": "a"}, {"name": "b"}]', '{"tool_calls": "x"}', "{" * 500, "[" * 500, "null", "NaN", "true", "0",
    "<tool_call>\n<function=x><parameter=y>z</tool_call>", "<tool_call>{}</tool_call>",
    "&lt;done&gt;red&lt;/done&gt;", "```json\n{}\n```", "[image kb_1]", "[budget] interactions used 0",
    '{"call": 1, "tool": "x", "ok": true, "data": {}}', "a" * 100_000, "漢字" * 2_000, "e\u0301" * 500,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 100,
)  # fmt: skip

#: Values that are not text.
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 1.5, math.nan, math.inf, b"<done>red</done>", (), [], {}, {"tool": None},
    {"tool": 5, "arguments": 5}, {"answer": None}, {"answer": math.nan}, {"answer": {"x": [1]}},
    {"tool": "local_text_search", "arguments": {"query": math.nan}},
    {"tool": "local_text_search", "arguments": {"query": b"x"}},
    {"tool": "local_text_search", "arguments": [["query", "x"]]}, {1: 2}, [None, 1, "x", [], {}],
    [{"tool": "x"}] * 200, {"tool": "view_image", "arguments": {"image": _DEEP}}, object(), print, set(),
    float("-inf"), complex(1, 2), range(3),
)  # fmt: skip

#: Values of one argument of a tool.
ARGUMENTS: tuple[Any, ...] = (
    None, True, False, 0, -1, 3, 2**53, -(2**63), 10**30, 0.5, math.nan, math.inf, -math.inf, "", " ", "x",
    "\x00", "\ud800", "\u202e\u2066", "a" * 20_000, "漢字 🙂", "NaN", "1e999", "-5", "/etc/passwd",
    "../../etc/passwd", "C:\\Windows\\win.ini", "\\\\host\\share\\x", "file:///etc/passwd",
    "http://example.invalid/x.png", "data:image/png;base64,AAAA", "kb_0", "kb_-1", "kb_99999999999999999999",
    "KB_1", "kb_1_crop_crop", "e_0", "e_1e9", "e_１", "%s%n{0}{}", "'; DROP TABLE x; --", "<done>red</done>",
    "[image kb_1]", [], [[]], ["kb_1"], [1, 2, 3, 4], [0, 0, math.nan, 10], {}, {"image": "kb_1"}, {"a": {"b": {}}},
    _DEEP,
)  # fmt: skip
