"""CVE-2025-5120, CVE-2025-9959 (smolagents), CVE-2026-55830, CVE-2026-76825 (RestrictedPython): ways out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import mosaic_env  # noqa: F401

ESCAPES = [
    "().__class__.__base__.__subclasses__()",
    "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0](['touch', MARKER])",
    "getattr((), '__cl' + 'ass__').__base__",
    "'{0.__class__.__base__}'.format(())",
    "import string\nstring.Formatter().vformat('{0.__class__}', ((),), {})",
    "def f(_getattr_, _write_, __builtins__, /):\n    return __builtins__\nf(1, 2, open)(MARKER, 'w')",
    "(lambda: 0).__globals__['__builtins__']",
    "(lambda: 0).__code__.replace(co_consts=(1,))",
    "(x for x in [1]).gi_frame.f_back.f_globals",
    "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_back.f_locals",
    "import queue\nqueue.os.system('touch ' + MARKER)",
    "import os\nos.system('touch ' + MARKER)",
    "import pathlib\npathlib.Path(MARKER).touch()",
    "import importlib\nimportlib.import_module('os')",
    "__import__('os').system('touch ' + MARKER)",
    "eval(\"__import__('os')\")",
    "exec('import os')",
    "compile('1', 'x', 'eval')",
    "open(MARKER, 'w')",
    "type('X', (), {'__reduce__': lambda s: (open, (MARKER, 'w'))})()",
    "import pickle\npickle.loads(b'')",
    "breakpoint()",
    "class M(type):\n    pass\nM.__bases__[0].mro(M)",
]


@pytest.mark.parametrize("code", ESCAPES)
def test_programs_stay_inside(tiny: Path, tmp_path: Path, code: str) -> None:
    marker = tmp_path / "marker"
    env: Any = gym.make("InterLV-L1-v0", snapshot=str(tiny))
    env.reset(seed=0)
    program = code.replace("MARKER", repr(str(marker)))
    observation, _, _, _, info = env.step({"name": "python_eval", "arguments": {"code": program}})
    assert not marker.exists() and info["calls"][0]["tool"] == "python_eval"
    reply = json.loads(observation["text"].split("\n")[0])
    shown = json.dumps(reply.get("data", {}))
    assert "<class" not in shown and "built-in" not in shown and "module" not in shown, shown
    assert info["failure"]["by"] != "env" and env.step("<code>1 + 1</code>")[4]["calls"][0]["status"] == "ok"
