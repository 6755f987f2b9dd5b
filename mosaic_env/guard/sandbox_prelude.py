"""The code that runs inside the sandbox before and after a model's program.

It is text, not Python of this process: ``prelude`` defines the counter that ``step_counter`` writes
calls to, and ``report`` renders the variables. Every builtin that the prelude needs is bound as a
default argument, because a program may give ``len`` or ``print`` another meaning.

A step is about one microsecond of work. A call that works through a whole container inside the
interpreter costs one step for 16 elements, so that ``sum(range(10**12))`` ends at once and at the
same step everywhere; multiplying numbers of ``n`` words costs about ``n ** 1.5 / 32``; printing costs
four steps.

A program that has used up its steps or its output asks for a terabyte: running out of memory is the one
error of the interpreter that no ``except``, ``finally`` or callback can catch. ``BALANCE`` tells
afterwards which of the limits it was.
"""

from __future__ import annotations

_PRELUDE = """
import itertools as _mosaic_tools

_mosaic_left = {max_steps}
_mosaic_room = {max_printed}
_mosaic_value = None


def _mosaic_stop():
    "x" * (1 << 40)


def _mosaic_spend(steps):
    global _mosaic_left
    _mosaic_left -= steps
    if _mosaic_left < 0:
        _mosaic_stop()


def _mosaic_tick():
    global _mosaic_left
    _mosaic_left -= 1
    if _mosaic_left < 0:
        _mosaic_stop()
    return True


_mosaic_lazy = {{
    type(lazy): True
    for lazy in (
        iter(int, 0),
        _mosaic_tools.accumulate([]),
        _mosaic_tools.chain([]),
        _mosaic_tools.combinations([1], 1),
        _mosaic_tools.combinations_with_replacement([1], 1),
        _mosaic_tools.compress([], []),
        _mosaic_tools.count(),
        _mosaic_tools.cycle([1]),
        _mosaic_tools.dropwhile(int, []),
        _mosaic_tools.filterfalse(int, []),
        _mosaic_tools.islice([], 1),
        _mosaic_tools.permutations([1]),
        _mosaic_tools.product([1]),
        _mosaic_tools.repeat(0),
        _mosaic_tools.starmap(int, []),
        _mosaic_tools.takewhile(int, []),
        _mosaic_tools.zip_longest([]),
    )
}}


def _mosaic_look(data, kinds=(list, tuple), type=type, len=len):
    kind = type(data)
    if kind in kinds:
        _mosaic_spend(len(data) >> 4)
    elif kind in _mosaic_lazy:
        return [item for item in data if _mosaic_tick()]
    return data


def _mosaic_read(data, kinds=(list, tuple, range, dict, set, frozenset, str, bytes)):
    return _mosaic_look(data, kinds)


def _mosaic_bits(number, len=len, hex=hex):
    return (len(hex(number)) - 2) << 2


def _mosaic_product(words):
    root, square = 0, words
    while square:
        root += 1
        square >>= 2
    return (words << root) >> 6


def _mosaic_power(base, exponent, modulus=None, type=type, int=int, pow=pow):
    if type(base) is int and type(exponent) is int and exponent > 4:
        if type(modulus) is int:
            one = _mosaic_product(_mosaic_bits(modulus) >> 6) + 1
            _mosaic_spend(one * _mosaic_bits(exponent) >> 1)
        elif base == 2:
            _mosaic_spend(exponent >> 10)
        elif base > 1 or base < -1:
            _mosaic_spend(_mosaic_product(_mosaic_bits(base) * exponent >> 6))
    return pow(base, exponent) if modulus is None else pow(base, exponent, modulus)


pow = _mosaic_power


def _mosaic_many(number, type=type, int=int):
    if type(number) is int and number > 99:
        _mosaic_spend(_mosaic_product(_mosaic_bits(number) * number >> 6))
    return number


def _mosaic_source(text, type=type, str=str, len=len):
    if type(text) is not str:
        return text
    _mosaic_spend(1 + (len(text) >> 4))
    for part in ("for", "lambda", ":=", "eval", "exec", "locals", "_mosaic"):
        if part in text:
            raise NotImplementedError("eval takes plain expressions only, without " + part)
    if not text.isascii():
        raise NotImplementedError("eval takes plain expressions only, in ASCII")
    return text


def print(*values, sep=" ", end="\\n", file=None, flush=False, show=print, str=str, map=map, len=len):
    global _mosaic_room
    text = (" " if sep is None else sep).join(map(str, values)) + ("\\n" if end is None else end)
    _mosaic_spend(4)
    _mosaic_room -= len(text)
    if _mosaic_room < 0:
        _mosaic_stop()
    show(text, end="", file=file)


def _mosaic_visible(names, ours=(print, pow)):
    return {{k: v for k, v in names.items() if k[:8] != "_mosaic_" and not (v is ours[0] or v is ours[1])}}


def _mosaic_part(value, room, kinds=(str, list, tuple, set, dict), type=type, len=len, repr=repr):
    text, series, pair, group, mapping = kinds
    kind = type(value)
    if kind in kinds and len(value) > room:
        if kind is mapping:
            return repr(mapping(series(value.items())[:room]))
        value = group(series(value)[:room]) if kind is group else value[: room + 1]
    return repr(value)


def _mosaic_show(value, room, type=type, len=len, Exception=Exception):
    try:
        text = _mosaic_part(value, room)
    except Exception as error:
        return "<" + type(value).__name__ + ", repr failed: " + type(error).__name__ + ">"
    return text if len(text) <= room else text[:room] + "... [cut]"


def _mosaic_report(names, most, room, type=type, sorted=sorted):
    hidden = ("function", "module", "type", "builtin_function_or_method")
    names = _mosaic_visible(names)
    shown = [n for n in sorted(names) if n[:1] != "_" and type(names[n]).__name__ not in hidden]
    value = "" if _mosaic_value is None else _mosaic_show(_mosaic_value, room)
    return [value, [[name, _mosaic_show(names[name], room)] for name in shown[:most]]]


_mosaic_names = locals
"""


#: The steps and printed characters that are left, one of them negative when that limit was hit.
BALANCE = "[_mosaic_left, _mosaic_room]"


def prelude(max_steps: int, max_printed: int) -> str:
    """Return the code that defines the counter; it runs first, in the program's own namespace.

    Args:
        max_steps: Steps the program may take.
        max_printed: Characters it may print before it is stopped.
    """
    return _PRELUDE.format(max_steps=max_steps, max_printed=max_printed)


def report(max_variables: int, max_repr: int) -> str:
    """Return the code that renders the last value and the variables, after the program.

    Its value is ``[value, [[name, repr], ...]]``: texts of at most ``max_repr`` characters, names
    ascending. Functions, classes, modules and names with a leading underscore are left out.
    """
    return f"_mosaic_report(_mosaic_names(), {max_variables}, {max_repr})"
