"""Rewrite Python source so that running it counts its own steps and stops at a fixed one.

A wall clock stops the same program at a different place on every machine. Here every loop
iteration, function call and comprehension element costs one step, written into the program itself,
so that a program that runs too long always stops after the same statement.

The counter cannot be reached by the program: its names start with ``PREFIX``, which a program may
not use, and ``eval``, ``exec`` and ``locals`` are closed or filtered. ``sandbox_prelude`` defines the
helpers that this module writes calls to.

This module only reads and writes syntax trees: it runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

#: Changes when the same program would take other steps; part of what a recorded result depends on.
COUNTER_VERSION = 1
PREFIX = "_mosaic_"

#: Levels of nesting. Deeper code could exhaust the stack of the parser or of ``ast.unparse``.
MAX_DEPTH = 100

#: Calls that read one argument from end to end inside the interpreter, with that argument's place.
_READERS = {
    "all": 0,
    "any": 0,
    "bytes": 0,
    "Counter": 0,
    "deque": 0,
    "dict": 0,
    "extend": 0,
    "frozenset": 0,
    "fromkeys": 0,
    "fsum": 0,
    "join": 0,
    "list": 0,
    "max": 0,
    "min": 0,
    "prod": 0,
    "reduce": 1,
    "set": 0,
    "sorted": 0,
    "sum": 0,
    "tuple": 0,
    "update": 0,
}
_LIST_METHODS = frozenset({"count", "index", "remove", "sort"})
_FACTORIALS = frozenset({"comb", "factorial", "perm"})

#: Builtins that would open the counter to the program when used freely.
_CLOSED = frozenset({"eval", "exec", "locals"})

#: Expressions whose cost is already counted or does not grow.
_FREE = (ast.Constant, ast.JoinedStr, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DISPLAYS = (*_FREE, ast.List, ast.Tuple, ast.Set, ast.Dict)
_CHEAP_EXPONENT = 4


class CodeRefused(Exception):
    """Source that is not run.

    Args:
        code: ``syntax`` or ``unsupported``.
        message: One short line for the model.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class CountedProgram:
    """A rewritten program.

    Args:
        text: The source to run after the prelude.
        tree: Its syntax tree, whose statements keep the line numbers of the original.
    """

    text: str
    tree: ast.Module

    def original_line(self, line: int) -> int:
        """Return the line of the original source that a line of ``text`` stands for, 0 if none."""
        found = 0
        pairs = zip(_statements(self.tree), _statements(ast.parse(self.text)), strict=True)
        for ours, printed in pairs:
            if printed.lineno <= line <= (printed.end_lineno or printed.lineno):
                found = getattr(ours, "lineno", found)
        return found


def count_steps(code: str) -> CountedProgram:
    """Rewrite ``code`` so that it counts its steps.

    Raises:
        CodeRefused: The code is not valid Python, is nested too deeply, or uses a closed name.

    Cost: about 2 ms for 40 lines.
    Determinism: the same for one minor version of Python, whose parser decides what is valid.
    """
    tree = _parse(code)
    _check(tree)
    _StepCounter().visit(tree)
    _keep_last_value(tree)
    try:
        return CountedProgram(ast.unparse(tree), tree)
    except ValueError:
        # Before 3.12 some nested quotes cannot be printed again, nor integers above 4300 digits.
        raise CodeRefused("unsupported", "a text or number in the code is too unusual") from None


def _parse(code: str) -> ast.Module:
    if "\0" in code or any("\ud800" <= char <= "\udfff" for char in code):
        raise CodeRefused("syntax", "the code contains characters that are not text")
    try:
        return ast.parse(code)
    except SyntaxError as error:
        line = f" (line {error.lineno})" if error.lineno else ""
        raise CodeRefused("syntax", f"{type(error).__name__}: {error.msg}{line}") from None
    except (RecursionError, MemoryError):
        raise CodeRefused("unsupported", _TOO_DEEP) from None


_TOO_DEEP = "the code is nested too deeply"


def _check(tree: ast.Module) -> None:
    """Refuse what the counter could not stand. Iterative, because depth is one of the things checked."""
    direct: set[ast.AST] = set()
    stack: list[tuple[ast.AST, int, bool]] = [(tree, 1, False)]
    while stack:
        node, depth, in_function = stack.pop()
        if depth > MAX_DEPTH:
            raise CodeRefused("unsupported", _TOO_DEEP)
        if isinstance(node, ast.Return) and not in_function:
            raise CodeRefused("syntax", f"SyntaxError: 'return' outside function (line {node.lineno})")
        if isinstance(node, ast.Call) and _is_direct_use(node):
            direct.add(node.func)
        for name in _identifiers(node):
            _check_name(name, node, node in direct)
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        stack.extend((child, depth + 1, inside) for child in ast.iter_child_nodes(node))


def _is_direct_use(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Name):
        return False
    if call.func.id == "eval":
        return bool(call.args) and not isinstance(call.args[0], ast.Starred)
    return call.func.id == "locals"


def _identifiers(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        return
    for _, value in ast.iter_fields(node):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield item


def _check_name(name: str, node: ast.AST, direct: bool) -> None:
    line = getattr(node, "lineno", 0)
    if name.startswith(PREFIX):
        raise CodeRefused("unsupported", f"names starting with {PREFIX} are reserved (line {line})")
    if name in _CLOSED and not direct and not isinstance(node, ast.Attribute | ast.keyword):
        how = "is not available" if name == "exec" else "can only be called directly"
        raise CodeRefused("unsupported", f"{name} {how} (line {line})")


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.stmt))


def _keep_last_value(tree: ast.Module) -> None:
    """Store the value of a last expression, as an interactive interpreter would show it."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        target = ast.Name(f"{PREFIX}value", ast.Store())
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)


def _call(helper: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(PREFIX + helper, ast.Load()), list(arguments), [])


def _without_docstring(body: list[ast.stmt]) -> int:
    first = body[0]
    has_one = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    return 1 if has_one else 0


class _StepCounter(ast.NodeTransformer):
    """Insert a tick wherever a program can repeat itself, and a charge where one call may be long."""

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_call("tick")))
        return node

    visit_For = visit_AsyncFor = visit_While = _loop

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(_without_docstring(node.body), ast.Expr(_call("tick")))
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = ast.BoolOp(ast.And(), [_call("tick"), node.body])
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, _call("tick"))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = _called_name(node)
        place = _READERS.get(name)
        if place is not None and _reads_an_iterable(node, name, place):
            node.args[place] = _call("read", node.args[place])
        elif name in _LIST_METHODS and isinstance(node.func, ast.Attribute):
            node.func.value = _call("look", node.func.value)
        elif name in _FACTORIALS and node.args and not isinstance(node.args[0], ast.Starred):
            node.args[0] = _call("many", node.args[0])
        elif name == "eval" and isinstance(node.func, ast.Name):
            node.args[0] = _call("source", node.args[0])
        elif name == "locals" and isinstance(node.func, ast.Name):
            return _call("visible", node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        for place, operator in enumerate(node.ops):
            side = node.comparators[place]
            if isinstance(operator, ast.In | ast.NotIn) and not isinstance(side, _DISPLAYS):
                node.comparators[place] = _call("look", side)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow) and not _is_cheap_exponent(node.right):
            return ast.copy_location(_call("power", node.left, node.right), node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        target = node.target
        if not isinstance(node.op, ast.Pow) or not isinstance(target, ast.Name):
            return node
        value = _call("power", ast.Name(target.id, ast.Load()), node.value)
        return ast.copy_location(ast.Assign([target], value), node)


def _called_name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _reads_an_iterable(call: ast.Call, name: str, place: int) -> bool:
    if len(call.args) <= place or (name in {"max", "min"} and len(call.args) > 1):
        return False
    return not isinstance(call.args[place], (*_FREE, ast.Starred))


def _is_cheap_exponent(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, float) or (isinstance(value, int) and value <= _CHEAP_EXPONENT)
