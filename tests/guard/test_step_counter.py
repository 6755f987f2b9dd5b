"""The rewriting that makes a program count its own steps."""

from __future__ import annotations

import ast
import sys
import sysconfig
from pathlib import Path

import pytest

from mosaic_env.guard.step_counter import MAX_DEPTH, PREFIX, CodeRefused, count_steps


def ticks(code: str) -> int:
    return count_steps(code).text.count("_mosaic_tick()")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1", 0),
        ("for i in y: pass", 1),
        ("while x: pass", 1),
        ("while x:\n  for i in y: pass\nelse: pass", 2),
        ("def f(): pass", 1),
        ("async def f():\n  async for x in y: pass", 2),
        ("lambda: 0", 1),
        ("[a for b in c for a in b if a]", 2),
        ("{a: b for a, b in c}", 1),
        ("{a for a in b}", 1),
        ("(a for a in b)", 1),
        ("f'{[a for a in b]} {(lambda: 3)()}'", 2),
        ("class A:\n  def f(self): pass\n  x = [i for i in y]", 2),
        ("@(lambda f: f)\ndef g(x=[i for i in y]): pass", 3),
        ("match x:\n  case 1:\n    while y: pass", 1),
        ("try:\n  while x: pass\nexcept E:\n  while x: pass\nfinally:\n  while x: pass", 3),
    ],
)
def test_everything_that_can_repeat_has_a_tick(code: str, expected: int) -> None:
    assert ticks(code) == expected


@pytest.mark.parametrize(
    ("code", "helper"),
    [
        ("sum(x)", "read(x)"),
        ("y.join(x)", "read(x)"),
        ("reduce(f, x)", "read(x)"),
        ("max(x, key=f)", "read(x)"),
        ("y in x", "look(x)"),
        ("a < b not in x", "look(x)"),
        ("x.index(3)", "look(x)"),
        ("x ** y", "power(x, y)"),
        ("x **= y", "power(x, y)"),
        ("math.factorial(x)", "many(x)"),
        ("eval(x)", "source(x)"),
        ("locals()", "visible(locals())"),
    ],
)
def test_long_single_calls_are_charged(code: str, helper: str) -> None:
    assert PREFIX + helper in count_steps(code).text


@pytest.mark.parametrize(
    "code", ["max(a, b)", "x in (1, 2)", "x in 'abc'", "x ** 2", "x ** 0.5", "sum()", "sum(*x)", "s.upper()"]
)
def test_cheap_calls_are_left_alone(code: str) -> None:
    assert PREFIX not in count_steps(f"{code}; None").text.replace(f"{PREFIX}value", "")


def test_a_docstring_stays_the_first_statement() -> None:
    function = ast.parse(count_steps("def f():\n  'doc'\n  return 1").text).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function) == "doc"


def test_lines_are_those_of_the_original() -> None:
    code = "# comment\n\nx = (1 +\n  2)\n\n\ndef f(\n  a,\n):\n  'doc'\n\n  return [\n    a]\n"
    code += "if x: y = 1; z = 2\n"
    program = count_steps(code)
    lines = program.text.splitlines()
    assert program.original_line(1 + lines.index("x = 1 + 2")) == 3
    assert program.original_line(1 + lines.index("    return [a]")) == 12
    assert program.original_line(1 + lines.index("    z = 2")) == 14
    assert program.original_line(1 + lines.index("    _mosaic_tick()")) == 7
    assert program.original_line(len(lines) + 5) == 0


@pytest.mark.parametrize(
    "code",
    [
        f"{PREFIX}left = 9",
        f"def {PREFIX}tick(): pass",
        f"def f({PREFIX}a): pass",
        f"lambda *{PREFIX}a: 0",
        f"class {PREFIX}A: pass",
        f"import os as {PREFIX}o",
        f"from x import {PREFIX}o",
        f"global {PREFIX}left",
        f"f({PREFIX}a=1)",
        f"x.{PREFIX}left",
        f"try: x\nexcept E as {PREFIX}e: y",
        f"match x:\n  case {{**{PREFIX}rest}}: y",
        f"match x:\n  case [*{PREFIX}rest]: y",
        f"match x:\n  case A({PREFIX}a=1): y",
        f"f'{{{PREFIX}left}}'",
        "_ｍｏsaic_left = 9",  # the parser folds the wide letters
        "exec('x')",
        "e = eval",
        "eval(*x)",
        "def locals(): pass",
        "import x as exec",
    ],
)
def test_names_that_reach_the_counter_are_refused(code: str) -> None:
    with pytest.raises(CodeRefused) as caught:
        count_steps(code)
    assert caught.value.code == "unsupported"


@pytest.mark.parametrize("code", [f"'{PREFIX}left'", "x.eval(1)", "f(exec=1)", "df.locals"])
def test_harmless_words_are_allowed(code: str) -> None:
    count_steps(code)


@pytest.mark.parametrize(
    "code",
    [
        "-" * 15_000 + "1",
        "+".join("1" * 5_000),
        "x" + ".a" * 9_000,
        "x" + "()" * 9_000,
        "not " * 4_000 + "1",
        "\n".join(" " * depth + "if 1:" for depth in range(MAX_DEPTH)) + " 1",
    ],
)
def test_deep_code_is_refused(code: str) -> None:
    with pytest.raises(CodeRefused) as caught:
        count_steps(code)
    assert (caught.value.code, caught.value.message) == ("unsupported", "the code is nested too deeply")


@pytest.mark.parametrize("code", ["\0", "x = '\ud800'", "x =", "return 3", "(" * 300, "if x:\ny"])
def test_what_is_not_python_is_a_syntax_error(code: str) -> None:
    with pytest.raises(CodeRefused) as caught:
        count_steps(code)
    assert caught.value.code == "syntax"
    assert "\n" not in caught.value.message


def test_the_standard_library_survives_printing() -> None:
    # What is printed must parse to the very tree that was meant, for code of every style.
    folder = Path(sysconfig.get_path("stdlib"))
    names = ["csv", "asyncio/tasks", "difflib", "fractions", "tarfile", "textwrap"]
    for name in names:
        program = count_steps((folder / f"{name}.py").read_text(encoding="utf-8"))
        assert ast.dump(ast.parse(program.text)) == ast.dump(program.tree), name


def test_an_unprintable_number_is_refused() -> None:
    if not hasattr(sys, "get_int_max_str_digits"):
        pytest.skip("this Python prints integers of any size")
    with pytest.raises(CodeRefused, match="unusual"):
        count_steps("0x" + "f" * 9_000)
