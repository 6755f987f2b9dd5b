"""Words on pictures: mottoes, taglines and shop signs. None of them says anything about an entity."""

from __future__ import annotations

from random import Random

_VIRTUES = (
    "COURAGE", "PATIENCE", "HONOUR", "MERCY", "THUNDER", "LABOUR", "WISDOM", "FORTUNE", "DAYLIGHT", "HARVEST",
    "KINDNESS", "IRON", "FREEDOM", "LAUGHTER", "VIGOUR", "TRUTH", "SPEED", "FAITH", "SALT", "MEMORY",
)  # fmt: skip
_WILLS = (
    "NEVER YIELD", "ALWAYS RISING", "FORWARD AS FRIENDS", "HOLD THE LINE", "BY STEADY HANDS", "FIRST AT DAWN",
    "NO STEP BACK", "WE ENDURE", "READY AND TRUE", "BORN TO RUN ON", "AGAINST THE TIDE", "ABOVE THE CLOUDS",
)  # fmt: skip
_TAGS = (
    ("THE TIDE", "THE FOG", "THE NIGHT", "THE RIVER", "SILENCE", "WINTER", "THE HARBOUR", "EVERY DOOR", "HIS SHADOW",
     "THE FOREST", "NO ROAD", "THE CLOCK"),
    ("REMEMBERS", "TAKES ITS TIME", "KEEPS ITS WORD", "IS LISTENING", "NEVER SLEEPS", "HAS A PRICE", "KNOWS YOUR NAME",
     "LEADS HOME", "COMES BACK", "TELLS NO LIES", "FORGETS NOBODY", "WAITS FOR YOU"),
)  # fmt: skip
_SLOGANS = (
    ("MADE", "BUILT", "CUT", "PRESSED", "FORGED", "TUNED", "DRAWN"),
    (
        "TO LAST",
        "WITH CARE",
        "FOR WEATHER",
        "BY EAR",
        "FOR EVERYONE",
        "WITHOUT HURRY",
        "FOR TOMORROW",
        "TO BE HEARD",
    ),
)
_STICKERS = (
    "LIVE TAPES", "SIDE B", "LONG PLAY", "DEMO CUTS", "NIGHT MIX", "STEREO", "UNPLUGGED", "LOST REELS", "HOME TAPES",
    "FULL VOLUME", "HALF SPEED", "ENCORE",
)  # fmt: skip
_SIGNS = (
    "OPEN HOUSE", "BOOK FAIR", "GRAND REOPENING", "CHESS WEEK", "OLD MAPS", "FREE ENTRY", "LAMP SHOW", "TEA AT NOON",
    "CHOIR NIGHT", "SEED MARKET", "PUPPET DAYS", "STAMP SALE",
)  # fmt: skip
_CAPTIONS = (
    "BY AIR AND SEA", "TO DISTANT FRIENDS", "DAY OF LANTERNS", "FIRST CROSSING", "THE LONG BRIDGE", "NIGHT TRAIN",
    "GREAT HARVEST", "SAFE JOURNEY", "OPEN WINDOWS", "WINTER POST", "QUIET WATERS", "NEW ROADS",
)  # fmt: skip
_TAGS_OF_PLANTS = (
    "FULL SUN", "HALF SHADE", "KEEP MOIST", "WATER DAILY", "NO FROST", "DRY SOIL", "DO NOT PICK", "PRUNE IN MAY",
    "SLOW GROWER", "SOW IN MARCH",
)  # fmt: skip
_INSCRIPTIONS = (
    "TO THE CALM", "IN STONE WE STAND", "FOR ALL WHO WAIT", "HERE WE MET", "LOOK UP", "AFTER THE STORM", "ONE OF MANY",
    "TO EARLY RISERS", "KEPT BY THE TOWN", "NO HURRY",
)  # fmt: skip
_PLACES = (
    ("OR", "FEN", "MAR", "TOL", "BRI", "HAL", "SUN", "WES", "KER", "DUN", "LOM", "PEL"),
    ("MOUTH", "WICK", "FORD", "HAVEN", "STEAD", "DALE", "BURY", "GATE"),
)


def motto(rng: Random) -> str:
    """Return the motto of a team or a town."""
    if rng.random() < 0.4:
        return rng.choice(_WILLS)
    first, second = rng.sample(_VIRTUES, 2)
    return f"{first} {rng.choice(('AND', 'BEFORE', 'THROUGH'))} {second}"


def tagline(rng: Random) -> str:
    """Return the tagline of a film."""
    return f"{rng.choice(_TAGS[0])} {rng.choice(_TAGS[1])}"


def slogan(rng: Random) -> str:
    """Return the slogan of a company."""
    return f"{rng.choice(_SLOGANS[0])} {rng.choice(_SLOGANS[1])}"


def sticker(rng: Random) -> str:
    """Return what is printed on the sticker of a record."""
    return rng.choice(_STICKERS)


def sign(rng: Random) -> str:
    """Return what a banner on a building says."""
    return rng.choice(_SIGNS)


def caption(rng: Random) -> str:
    """Return what a stamp says below its motif."""
    return rng.choice(_CAPTIONS)


def value(rng: Random) -> str:
    """Return the value of a stamp, as it is printed."""
    return str(rng.choice((2, 3, 4, 6, 8, 12, 15, 20, 25, 30, 35, 45, 60, 75, 80, 90)))


def plant_tag(rng: Random) -> str:
    """Return what a gardener's tag says."""
    return rng.choice(_TAGS_OF_PLANTS)


def inscription(rng: Random) -> str:
    """Return what is cut into the foot of a sculpture."""
    return rng.choice(_INSCRIPTIONS)


def place_names(rng: Random, count: int) -> list[str]:
    """Return different names of places on a map; no entity bears them."""
    heads = rng.sample(_PLACES[0], count)
    return [head + rng.choice(_PLACES[1]) for head in heads]


def plate(rng: Random) -> str:
    """Return a number plate: two letters and three digits that are easy to tell apart."""
    letters = "".join(rng.choice("ACEFHJKLMNPRTUVXY") for _ in range(2))
    return f"{letters} {''.join(rng.choice('2345679') for _ in range(3))}"


def initials(label: str) -> str:
    """Return the first letters of a name's longer words, at most three."""
    words = [word for word in label.replace("-", " ").split() if word[:1].isupper()]
    return "".join(word[0] for word in words)[:3]
