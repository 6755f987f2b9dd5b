"""Invented names: five cultures, titles of works, and the rule that no label is made twice by chance."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from mosaic_env.world.prose import articled


@dataclass(frozen=True)
class Culture:
    """Parts that names are put together from.

    Args:
        places: Beginnings and endings of places.
        middle: Syllables between them in longer names, which large worlds need.
        given: Beginnings of given names; ``women`` and ``men`` are their endings.
        families: Beginnings and endings of family names.
    """

    places: tuple[tuple[str, ...], tuple[str, ...]]
    given: tuple[str, ...]
    women: tuple[str, ...]
    men: tuple[str, ...]
    families: tuple[tuple[str, ...], tuple[str, ...]]
    middle: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


CULTURES: dict[str, Culture] = {
    "north": Culture(
        places=(
            _words(
                "Ask Brum Dalk Eldr Fosk Grend Hulv Kelm Lysk Morg Nesk Ormb Ravn Skarl Torv Ulvh Vindr Yst Hjeld Strom"
            ),
            _words("garth hest mere nock undal wick orp aby strund emoor holm erby arn ovik ister"),
        ),
        given=_words(
            "Astr Bryn Dagn Eirl Frem Gudl Hjal Ingr Kels Lerv Maldr Norg Ragn Sigr Thorl Ulvr Yrl Solv"
        ),
        women=_words("a ild wen ra ine ette"),
        men=_words("or ek mund an ulf ert"),
        families=(
            _words("Ast Brek Dun Eskel Fal Grum Hol Krog Lind Mork Nor Osk Ram Stav Tol Ulm Ves Wend"),
            _words("vold berth strup nesk holdt myr rask lund quist feldt"),
        ),
        middle=_words("en al ers is ul od arn ey"),
    ),
    "south": Culture(
        places=(
            _words("Cal Dor Fer Lav Mor Ner Pal Quin Sal Tor Ven Zar Ori Bel Ama Cor Lis Rov Tam Gal"),
            _words("adessa elino imante orida ascuro etella ovaro izenta aluce enara uvia obrasa"),
        ),
        given=_words("Al Bar Cel Dam Est Fior Gian Il Luz Mar Nev Ot Per Ric Sav Ter Val Zel"),
        women=_words("ina etta ora isca una elle"),
        men=_words("ino ando ero isco uro elio"),
        families=(
            _words("Ab Bren Cast Del Fav Gar Len Mal Nov Or Pas Quar Rus Sant Tes Ver Zan Mir"),
            _words("urrio enzi aldo otti iquez avente ellani ozzo undra eraz"),
        ),
        middle=_words("ar en il ov ass er ut im"),
    ),
    "east": Culture(
        places=(
            _words(
                "Aiko Hoku Jinda Kaze Liao Meisha Naoru Rokan Shuen Taiko Uena Yansho Zheru Oshi Kuren Tseru"
            ),
            _words("bara chiru dono kesh lun mori shan toku zu rin nami gao"),
        ),
        given=_words("Ai Chun Hana Jie Kei Lan Mio Noru Ren Sai Tao Umi Wen Xiu Yuna Zhen"),
        women=_words("ko li ha mei ri ya"),
        men=_words("to jun shi go bo kai"),
        families=(
            _words("Asa Chou Fuka Hira Isoga Jun Koba Lin Mizu Naga Oda Ryu Shima Tana Uwa Yong"),
            _words("beshi dera hashi kuro mune rai saki tome wara zen"),
        ),
        middle=_words("na ri ko mi sha te yu"),
    ),
    "west": Culture(
        places=(
            _words(
                "Aber Bryn Caer Dol Eglw Glan Llor Mael Nant Pen Rhos Tref Wyn Ysgol Ceir Drum Inch Kil Lough Strath"
            ),
            _words("awen dreth fach gellan haern illoch morwy noran orrin thwell uchan wynne ybont"),
        ),
        given=_words("Aer Bran Cad Dyf Eil Ffion Gwyr Idr Llew Mab Nes Owa Ryd Sioned Taran Wyl"),
        women=_words("wen ys ith anne ona elys"),
        men=_words("oc an ydd ion eth wyr"),
        families=(
            _words("Aln Bevr Cadw Drust Ewl Gorm Hyw Kell Lorc Madr Nev Penr Rhid Tegw Urq Wael"),
            _words("allan eddy ognor ithew ochan urran wick yddog yngor"),
        ),
        middle=_words("el or yn ach il wy an"),
    ),
    "steppe": Culture(
        places=(
            _words("Ak Bai Char Dash Er Jal Kara Khor Mangy Nur Ors Sary Tash Tem Ulug Urg Yal Zhar Bor Kyz"),
            _words("alyk batyr dala ghan kent lagh murat orda qala shyr tepa uzen yrgan"),
        ),
        given=_words("Al Ba Dau Er Gul Ily Jan Kas Mar Nur Olz Raz Sab Tem Ulm Zar"),
        women=_words("gul ira ana yma eth una"),
        men=_words("bek ilan ar khan mir ur"),
        families=(
            _words("Abd Baik Chol Dzhan Esen Il Kenz Lac Mur Oraz Qad Sul Tok Usm Yes Zhak"),
            _words("aliev ambet enov imuly oglan oyev ughan ybay yrov"),
        ),
        middle=_words("ak el im ur yl ash an"),
    ),
}

#: None of these words may be an answer about a picture: no lantern, no anchor, no tree.
_ADJECTIVES = _words(
    "Borrowed Drowned Hollow Patient Restless Unmarked Sunken Wandering Stubborn Folded Forgotten Gentle Idle "
    "Nameless Quiet Rented Scattered Tireless Unwritten Velvet Weathered Absent Crooked Distant Frozen Hidden "
    "Misplaced Lonely"
)
_NOUNS = _words(
    "Cartographer Ferryman Understudy Archivist Winter Harbour Tenant Witness Inheritance Parade Rehearsal "
    "Verdict Crossing Apprentice Customs Almanac Errand Winterer Lodger Signal Promise Reunion Detour Ledger "
    "Interval Alibi Postmaster Quarrel Surveyor Homecoming Bargain Testimony Orchard Rumour Passenger Confession"
)
_PLURALS = _words(
    "Mondays Strangers Ferrymen Lodgers Postmen Surveyors Neighbours Orphans Wanderers Tenants Rumours Errands Cousins "
    "Understudies Lanterners Drifters"
)
_MOODS = _words(
    "Weather Letters Salt Songs Static Dust Echoes Hymns Smoke Lullabies Notes Ashes Tides Whispers"
)

_WORDS = {"adjective": _ADJECTIVES, "noun": _NOUNS, "plural": _PLURALS, "mood": _MOODS}
_SLOT = re.compile(r"\{(adjective|noun|plural|mood|place|family)2?\}")

Maker = Callable[[Random], str]
#: Tries before a name gets one more syllable.
_PATIENCE = 6


class Names:
    """Makes labels, each only once; namesakes are made on purpose, elsewhere.

    Args:
        rng: The only source of chance.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._taken: set[str] = set()
        self._syllables = 0

    def _new(self, make: Maker) -> str:
        """Return a label that is not taken. Large worlds use up short names; longer ones come to their help."""
        tries = 0
        label = make(self._rng)
        while label.casefold() in self._taken:
            tries += 1
            self._syllables = tries // _PATIENCE
            label = make(self._rng)
        self._syllables = 0
        self._taken.add(label.casefold())
        return label

    def take(self, label: str) -> None:
        """Keep a label from being made."""
        self._taken.add(label.casefold())

    def variant(self, label: str) -> str:
        """Return a new label that is a word or a letter away from another."""
        return self._new(lambda rng: articled(_altered(rng, label)))

    def culture(self) -> str:
        """Return the name of a culture."""
        return self._rng.choice(tuple(CULTURES))

    def _place(self, culture: str = "") -> str:
        return self._joined(CULTURES[culture or self.culture()], "places")

    def _family(self, culture: str = "") -> str:
        return self._joined(CULTURES[culture or self.culture()], "families")

    def _joined(self, culture: Culture, what: str) -> str:
        first, last = culture.families if what == "families" else culture.places
        middle = "".join(self._rng.choice(culture.middle) for _ in range(self._syllables))
        return self._rng.choice(first) + middle + self._rng.choice(last)

    def place(self, culture: str = "") -> str:
        """Return the name of a place."""
        return self._new(lambda rng: self._place(culture))

    def person(self, culture: str, *, woman: bool) -> str:
        """Return a person's name; in the east, the family name comes first."""

        def make(rng: Random) -> str:
            parts = CULTURES[culture]
            given = rng.choice(parts.given) + rng.choice(parts.women if woman else parts.men)
            family = self._family(culture)
            return f"{family} {given}" if culture == "east" else f"{given} {family}"

        return self._new(make)

    def made(self, *patterns: str) -> str:
        """Return a new label after one of the patterns.

        Args:
            patterns: With the slots ``{adjective}``, ``{noun}``, ``{plural}``, ``{mood}``, ``{place}``, ``{family}``;
                a second of the same sort is ``{noun2}``.
        """
        return self._new(lambda rng: articled(self._filled(rng.choice(patterns))))

    def _filled(self, pattern: str) -> str:
        return _SLOT.sub(lambda found: self._word(found[1]), pattern)

    def _word(self, sort: str) -> str:
        if sort == "place":
            return self._place()
        return self._family() if sort == "family" else self._rng.choice(_WORDS[sort])


def _altered(rng: Random, label: str) -> str:
    """Return a label with one word exchanged for another of its sort, or else with one letter changed."""
    words = label.split(" ")
    places = [(i, sort) for i, word in enumerate(words) for sort in _WORDS.values() if word in sort]
    if places and rng.randrange(3):
        at, sort = rng.choice(places)
        words[at] = rng.choice(sort)
        return " ".join(words)
    letters = [i for i in range(1, len(label)) if label[i] in "aeiouymnlr"]
    at = rng.choice(letters or [len(label) - 1])
    pool = "aeiouy" if label[at] in "aeiouy" else "mnlrst"
    return label[:at] + rng.choice([c for c in pool if c != label[at]]) + label[at + 1 :]
