"""Texts that try to be more than text, and a run in which every field that somebody else writes holds one."""

from __future__ import annotations

import json
from dataclasses import replace

from mosaic_env.core.types import CallRecord, Gold, Hop, Observation, Picture, Shown, Step, Task
from mosaic_env.envs.episode import Episode
from mosaic_env.evals.records import Judged, Unplayed
from mosaic_env.evals.report.page import Run
from mosaic_env.evals.report.viewer import Item
from mosaic_env.evals.tables import Rate, Summary, Table

_MARK = "window.broken=1"
_ELEMENTS = (
    f"<script>{_MARK}</script>",
    f"</script><script>{_MARK}</script>",
    f"<img src=x onerror={_MARK}>",
    f"<svg onload={_MARK}>",
    f"<svg><script>{_MARK}</script></svg>",
    f"<body onload={_MARK}>",
    f"<iframe srcdoc='<script>parent.{_MARK}</script>'></iframe>",
    f"<iframe src='javascript:{_MARK}'></iframe>",
    f"<object data='javascript:{_MARK}'></object>",
    f"<embed src='javascript:{_MARK}'>",
    f"<a href='javascript:{_MARK}' autofocus>x</a>",
    f"<input autofocus onfocus={_MARK}>",
    f"<details open ontoggle={_MARK}>",
    f"<video><source onerror={_MARK}></video>",
    f"<audio src=x onerror={_MARK}>",
    f"<math><mtext><script>{_MARK}</script></mtext></math>",
    f"<template><script>{_MARK}</script></template>",
    f"<noscript><p title='</noscript><img src=x onerror={_MARK}>'>",
    f"<textarea></textarea><img src onerror={_MARK}>",
    f"<title></title><script>{_MARK}</script>",
    "<base href='http://example.invalid/'>",
    "<meta http-equiv=refresh content='0;url=http://example.invalid/'>",
    "<link rel=stylesheet href=//example.invalid/x>",
    "<form action=//example.invalid><button>x</button></form>",
    "<style>*{display:none}</style>",
    "</style><style>body{background:url(//example.invalid/x)}</style>",
    "<div style='position:fixed;inset:0'>x</div>",
    "<marquee>x</marquee>",
    "<dialog open>x</dialog>",
    "<portal src=//example.invalid></portal>",
    f"<isindex type=image src=1 onerror={_MARK}>",
    f"<keygen autofocus onfocus={_MARK}>",
)
_BREAKS = (
    "</script>",
    "</SCRIPT >",
    "</script\n>",
    "</script/x>",
    "<!--<script>",
    "<!-- --!>",
    "-->",
    "<![CDATA[x]]>",
    "]]>",
    "<?xml version='1.0'?>",
    "</main></body></html>",
    "</style>",
    "</title>",
    "</textarea>",
    "<plaintext>",
    "<xmp>",
    f"';{_MARK};'",
    f'";{_MARK};"',
    f"`${{{_MARK}}}`",
    f"\\';{_MARK}//",
    f"');{_MARK};//",
    f"\\u003cscript>{_MARK}</script>",
    f"\\x3cscript\\x3e{_MARK}",
    f"&lt;script&gt;{_MARK}&lt;/script&gt;",
    f"&#60;script&#62;{_MARK}",
    f"%3Cscript%3E{_MARK}",
    f"'\"><svg onload={_MARK}>",
    f'" onmouseover="{_MARK}',
    f"' autofocus onfocus='{_MARK}",
    f"x onerror={_MARK}",
    "{{constructor.constructor('window.broken=1')()}}",
    "${window.broken=1}",
    "<%= x %>",
    "#{x}",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "\u2028window.broken=1\u2029",
    "%s%n%d",
)
_URLS = (
    f"javascript:{_MARK}",
    f"JaVaScRiPt:{_MARK}",
    f"java\tscript:{_MARK}",
    f"\x01javascript:{_MARK}",
    f"data:text/html,<script>{_MARK}</script>",
    "data:image/svg+xml,<svg onload='window.broken=1'>",
    f"vbscript:{_MARK}",
    "//example.invalid/x.png",
    "http://example.invalid/x.png",
    "file:///etc/passwd",
    "blob:x",
    "https://example.invalid/?q=<script>",
    "#task=other",
    "#",
    "?x=1",
    "..%2f..%2f",
    "url(//example.invalid/x)",
    "@import '//example.invalid'",
    "expression(window.broken=1)",
    "x:y;background:url(//example.invalid)",
    "![x](http://example.invalid/x.png)",
    "[x](javascript:window.broken=1)",
    "ws://example.invalid",
    "mailto:x@example.invalid",
)
_CHARACTERS = (
    "\x00",
    "a\x00b<script>",
    "\x1b[2J\x1b]0;title\x07",
    "\u202etxet\u202c",
    "\u2066\u2067\u2068\u2069",
    "\u200b\u200c\u200d",
    "\ud800",
    "\udfff<b>",
    "\ud83d",
    "\ufeff",
    "\U000e0041\U000e0042",
    "\u00ad\u034f",
    "\r\n\r\n",
    "\t\v\f",
    "\x7f\x9b31m",
    "é" * 3 + "\u0301" * 200,
    "﷽" * 50,
    "<" * 5000,
    "&" * 5000,
    "<tool " * 5000,
    "<think>" * 2000,
    "<done>" * 2000,
    "{" * 3000,
    "[" * 3000,
    "A" * 2**20,
    ("<img src=x onerror=window.broken=1>" * 30000)[: 2**20],
)
PAYLOADS = (*_ELEMENTS, *_BREAKS, *_URLS, *_CHARACTERS)


def hostile_item(payload: str, number: int, picture: Picture) -> Item:
    """Return an episode in which every free text is the payload, its gold and verdict included."""
    short = payload[:3000]
    arguments = {short: short, "image": short, "bbox": [short, 1, 2, {short: [short]}]}
    row = {"rank": short, "entity": short, "label": short, "text": short, "image": short, short: short}
    lines = [
        json.dumps(
            {
                "call": 1,
                "tool": short,
                "ok": True,
                "data": {"results": [row] * 2, short: short},
                "warnings": [short],
            }
        ),
        json.dumps(
            {"call": 2, "tool": short, "ok": False, "error": {"code": short, "message": short, "hint": short}}
        ),
        json.dumps({"dropped": [short], "why": short}),
        short,
        f"[image {short}]",
        f"[budget] {short}",
        short,
    ]
    shown = (Shown(short, picture),)
    observation = Observation("\n".join(lines), shown)
    calls = (
        CallRecord(
            short, arguments, "ok", short, (short,), short, short, 1, ((short, 0),), (short,), (short,)
        ),
        CallRecord("image_crop", {**arguments, "bbox": [0, 0, 500, 500]}, "ok"),
    )
    steps = (
        Step(
            "act", payload, False, calls, observation, 0.0, False, False, {short: 1.0}, failure=(short, short)
        ),
        Step("memory", short, False, (), Observation(payload, shown), 0.0, False, False),
        Step(
            "act", f"<done>{short}</done>", False, (), observation, 0.0, True, False, {}, short, "no", short
        ),
    )
    task = Task(f"hostile/{number}/{short[:200]}", payload, short, short, (picture,), short, (short,))
    gold = Gold(
        task.key, short, (short,), short, short, (Hop(short, short, short, short, short),), 0, {short: short}
    )
    episode = Episode(
        short,
        "s",
        "w",
        {"interactions": 3, short: short},
        "c",
        (0, 0),
        task,
        gold.digest,
        observation,
        steps,
        {short: short},
    )
    return Item(
        episode, gold, Judged("no", "model", short, short, short, False), {short: short, "part": short[:20]}
    )


def hostile_run(picture: Picture) -> tuple[Run, Run, Summary]:
    """Return two runs and a summary made of payloads."""
    items = [hostile_item(payload, number, picture) for number, payload in enumerate(PAYLOADS)]
    unplayed = {
        ("", f"unplayed/{number}/{payload[:200]}"): Unplayed(
            payload[:200], "error", payload[:200], payload[:200]
        )
        for number, payload in enumerate(PAYLOADS)
    }
    others = [replace(item, judged=Judged("unsure", reason=item.judged.reason)) for item in items[:-2]]
    texts = [payload[:300] for payload in PAYLOADS]
    table = Table(
        texts[1], texts[1], (texts[0], texts[2]), tuple((text, Rate(1, 2)) for text in texts), texts[3]
    )
    summary = Summary({text: text for text in texts}, (table,), tuple(texts))
    return Run(texts[1], items, unplayed), Run(texts[2], others), summary
