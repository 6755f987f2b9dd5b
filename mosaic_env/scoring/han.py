"""Chinese runs of text as words: numerals, colours, connectives, negation, fillers.

A piece between connectives counts as a numeral or colour only as a whole, so names that contain
such characters stay names. Must not: translate anything else.
"""

from __future__ import annotations

import re

from mosaic_env.scoring.words import word_list

RANGE = "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"

_COLOURS = {
    "红": "red",
    "紅": "red",
    "赤": "red",
    "橙": "orange",
    "橘": "orange",
    "黄": "yellow",
    "黃": "yellow",
    "绿": "green",
    "綠": "green",
    "蓝": "blue",
    "藍": "blue",
    "紫": "purple",
    "粉": "pink",
    "粉红": "pink",
    "棕": "brown",
    "褐": "brown",
    "黑": "black",
    "白": "white",
    "灰": "gray",
    "金": "gold",
    "银": "silver",
    "銀": "silver",
    "青": "cyan",
    "米": "beige",
}
_DEGREES = {
    **dict.fromkeys("深暗", "dark"),
    **dict.fromkeys("浅淺淡", "light"),
    **dict.fromkeys("亮鲜", "bright"),
}
_DIGITS = {
    char: value
    for value, chars in enumerate(word_list("零〇 一壹 二两兩贰 三叁 四肆 五伍 六陆 七柒 八捌 九玖"))
    for char in chars
}
_SCALES = {"十": 10, "百": 100, "千": 1000}
_MEASURES = "个個只隻条條座艘颗顆朵位名棵匹头頭张張本辆輛把根块塊枚扇层層年月日岁歲次人"
_CONNECTIVES = {
    "以及": "and",
    "和": "and",
    "与": "and",
    "與": "and",
    "及": "and",
    "或者": "or",
    "或": "or",
    "还是": "or",
    "還是": "or",
    "不是": "not",
    "并非": "not",
    "没有": "not",
    "沒有": "not",
    "不": "not",
    "答案是": "is",
    "答案": "answer",
    "应该是": "is",
    "應該是": "is",
    "颜色是": "is",
    "它是": "is",
    "这是": "is",
    "是": "is",
    "的": "of",
    "知道": "know",
    "左": "left",
    "右": "right",
}
_CONNECTIVE = re.compile("|".join(sorted(_CONNECTIVES, key=lambda word: (-len(word), word))))
_NUMERAL = re.compile(rf"([{''.join(_DIGITS)}{''.join(_SCALES)}]{{1,8}})[{_MEASURES}]?(?P<rest>[{RANGE}]*)")
_COLOUR = re.compile(
    rf"([{''.join(_DEGREES)}]?)({'|'.join(sorted(_COLOURS, key=lambda word: (-len(word), word)))})色?"
)
_POLAR = {"是": "yes", "是的": "yes", "对": "yes", "否": "no", "不": "no", "不是": "no", "不知道": "unknown"}


def words_of(run: str) -> list[str]:
    """Return a Chinese run as words: English for what has a meaning here, else single characters.

    ``"深红色"`` is ``["dark", "red"]``, ``"三只鸟"`` is ``["3", "鸟"]``, ``"石桥"`` is
    ``["石", "桥"]``.
    """
    if run in _POLAR:
        return [_POLAR[run]]
    words: list[str] = []
    start = 0
    for match in _CONNECTIVE.finditer(run):
        words += _piece(run[start : match.start()])
        if match.start() > 0 or len(match.group()) > 1 or match.group() in "不是":
            words.append(_CONNECTIVES[match.group()])
        else:
            words += list(match.group())
        start = match.end()
    return words + _piece(run[start:])


def _piece(piece: str) -> list[str]:
    if not piece:
        return []
    colour = _COLOUR.fullmatch(piece)
    if colour:
        degree = _DEGREES.get(colour.group(1), "")
        return [degree, _COLOURS[colour.group(2)]] if degree else [_COLOURS[colour.group(2)]]
    number = _NUMERAL.fullmatch(piece)
    value = _numeral(number.group(1)) if number else None
    if number is None or value is None:
        return list(piece)
    rest = number.group("rest")
    # A name may start with a numeral; only a measure word makes it a count of something.
    if rest and piece[len(number.group(1))] not in _MEASURES:
        return list(piece)
    return [str(value), *_piece(rest)]


def _numeral(text: str) -> int | None:
    if not any(char in _SCALES for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total = current = 0
    for char in text:
        if char in _SCALES:
            total, current = total + max(current, 1) * _SCALES[char], 0
        elif current:
            return None
        else:
            current = _DIGITS[char]
    return total + current
