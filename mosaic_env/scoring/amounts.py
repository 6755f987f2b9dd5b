"""Number words, units and dates as tables and arithmetic; exact fractions, never floats.

Must not: evaluate text as code, or read numbers of unbounded length.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mosaic_env.scoring.words import word_list

MAX_DIGITS = 40

_SMALL = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
    "sixteen seventeen eighteen nineteen",
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_SMALL_ORDINALS = word_list(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
)
_TENS_ORDINALS = word_list("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth")

UNITS_OF_COUNT = {word: value for value, word in enumerate(_SMALL)}
TENS = {word: 10 * value for value, word in enumerate(_TENS, start=2)} | {"fourty": 40}
ORDINALS = {word: value for value, word in enumerate(_SMALL_ORDINALS)} | {
    word: 10 * value for value, word in enumerate(_TENS_ORDINALS, start=2)
}
SCALES = {
    "dozen": 12,
    "dozens": 12,
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "bn": 10**9,
    "mn": 10**6,
}
DECADES = {
    f"{stem}ies": 1900 + 10 * value
    for value, stem in enumerate(
        ("twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"), start=2
    )
}

#: unit: (dimension, factor to the dimension's base).
UNITS: dict[str, tuple[str, Fraction]] = {}


def _unit(dimension: str, factor: str, *words: str) -> None:
    UNITS.update(dict.fromkeys(words, (dimension, Fraction(factor))))


_unit("length", "1/1000", "mm", "millimetre", "millimeter", "millimetres", "millimeters")
_unit("length", "1/100", "cm", "centimetre", "centimeter", "centimetres", "centimeters")
_unit("length", "1", "m", "metre", "meter", "metres", "meters")
_unit("length", "1000", "km", "kilometre", "kilometer", "kilometres", "kilometers", "kms")
_unit("length", "0.0254", "inch", "inches")
_unit("length", "0.3048", "ft", "feet", "foot")
_unit("length", "0.9144", "yd", "yard", "yards")
_unit("length", "1609.344", "mi", "mile", "miles")
_unit("mass", "0.001", "g", "gram", "grams", "gramme", "grammes")
_unit("mass", "1", "kg", "kgs", "kilogram", "kilograms", "kilo", "kilos")
_unit("mass", "0.45359237", "lb", "lbs", "pound", "pounds")
_unit("mass", "0.028349523125", "oz", "ounce", "ounces")
_unit("mass", "1000", "tonne", "tonnes")
_unit("time", "1", "sec", "secs", "second", "seconds")
_unit("time", "60", "min", "mins", "minute", "minutes")
_unit("time", "3600", "h", "hr", "hrs", "hour", "hours")
_unit("time", "86400", "day", "days")
_unit("time", "604800", "week", "weeks")
_unit("months", "1", "month", "months")
_unit("months", "12", "year", "years", "yr", "yrs")
_unit("frequency", "1", "hz", "hertz")
_unit("frequency", "1000", "khz", "kilohertz")
_unit("frequency", "1000000", "mhz", "megahertz")
_unit("frequency", "1000000000", "ghz", "gigahertz")
_unit("data", "1000000", "mb", "megabyte", "megabytes")
_unit("data", "1000000000", "gb", "gigabyte", "gigabytes")
_unit("data", "1000000000000", "tb", "terabyte", "terabytes")
_unit("power", "1", "w", "watt", "watts")
_unit("power", "1000", "kw", "kilowatt", "kilowatts")
_unit("speed", "1", "kmh", "kph")
_unit("speed", "1.609344", "mph")
_unit("volume", "1", "l", "litre", "liter", "litres", "liters")
_unit("volume", "0.001", "ml", "millilitre", "milliliter", "millilitres", "milliliters")
_unit("percent", "1", "percent", "pct")
_unit("celsius", "1", "celsius")
_unit("fahrenheit", "1", "fahrenheit")
_unit("degree", "1", "degree", "degrees")
_unit("dollar", "1", "dollar", "dollars", "usd", "$")
_unit("euro", "1", "euro", "euros", "eur", "€")
_unit("sterling", "1", "gbp", "£", "sterling")
_unit("yen", "1", "yen", "jpy", "¥")
_unit("yuan", "1", "yuan", "rmb", "cny")
_unit("rupee", "1", "rupee", "rupees", "inr")
#: One-letter units count only right behind digits.
LETTER_UNITS = frozenset({"m", "g", "h", "l", "w"})

MONTH_NAMES = word_list(
    "january february march april may june july august september october november december"
)


def read_digits(text: str) -> Fraction | None:
    """Return the value of plain digits with an optional decimal part; None when too long."""
    digits = text.replace(",", "")
    return Fraction(digits) if len(digits) <= MAX_DIGITS else None


def read_words(words: Sequence[str]) -> Fraction:
    """Return the value of a run of number words that ``run_length`` accepted."""
    total = current = 0
    for word in words:
        if word in SCALES:
            scale = SCALES[word]
            if scale >= 1000:
                total, current = total + max(current, 1) * scale, 0
            else:
                current = max(current, 1) * scale
        elif word != "and":
            current += UNITS_OF_COUNT.get(word, TENS.get(word, 0))
    return Fraction(total + current)


def run_length(words: Sequence[str], start: int) -> int:
    """Return how many words from ``start`` form one number; 0 when none does.

    "twenty one" is one number, "two three" are two.
    """
    end, last = start, ""
    while end < len(words) and end - start < 16:
        word = words[end]
        if word == "and" and last == "scale" and end + 1 < len(words):
            if words[end + 1] not in UNITS_OF_COUNT and words[end + 1] not in TENS:
                break
            end, last = end + 1, "and"
            continue
        kind = _kind(word)
        if not kind or not _may_follow(last, kind, words[end - 1] if end > start else "", word):
            break
        end, last = end + 1, kind
    return end - start


def _kind(word: str) -> str:
    if word in SCALES:
        return "scale"
    if word in TENS:
        return "tens"
    return "unit" if word in UNITS_OF_COUNT else ""


def _may_follow(last: str, kind: str, before: str, word: str) -> bool:
    if last == "":
        return kind != "scale"
    if kind == "scale":
        return last != "scale" or SCALES[word] > SCALES[before]
    if last == "unit":
        return False
    return last in ("scale", "and") or (kind == "unit" and 1 <= UNITS_OF_COUNT[word] <= 9)


def date_words(text: str) -> tuple[str, str, str] | None:
    """Return (day, month name, year) of a numeric date, or None when it can be read two ways."""
    parts = [int(part) for part in text.replace("/", "-").replace(".", "-").split("-")]
    if parts[0] > 31:
        year, month, day = parts
    else:
        first, second, year = parts
        if first <= 12 and second <= 12 and first != second and "." not in text:
            return None
        day, month = (first, second) if second <= 12 else (second, first)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return str(day), MONTH_NAMES[month - 1], str(year)
