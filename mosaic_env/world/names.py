"""Invented names: three cultures, titles of works, and the rule that no label is made twice by chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Culture:
    """Parts that names are put together from.

    Args:
        places: Beginnings and endings of places.
        given: Beginnings of given names; ``women`` and ``men`` are their endings.
        families: Beginnings and endings of family names.
    """

    places: tuple[tuple[str, ...], tuple[str, ...]]
    given: tuple[str, ...]
    women: tuple[str, ...]
    men: tuple[str, ...]
    families: tuple[tuple[str, ...], tuple[str, ...]]


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
    ),
}

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

Maker = Callable[[Random], str]


class Names:
    """Makes labels, each only once; namesakes are made on purpose, elsewhere.

    Args:
        rng: The only source of chance.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._taken: set[str] = set()

    def _new(self, make: Maker) -> str:
        label = make(self._rng)
        tries = 1
        # Large worlds use up short names; a second part makes new ones.
        while label.casefold() in self._taken:
            tries += 1
            label = make(self._rng) if tries < 60 else f"{make(self._rng)} {self._place()}"
        self._taken.add(label.casefold())
        return label

    def culture(self) -> str:
        """Return the name of a culture."""
        return self._rng.choice(tuple(CULTURES))

    def _place(self, culture: str = "") -> str:
        first, second = CULTURES[culture or self.culture()].places
        return self._rng.choice(first) + self._rng.choice(second)

    def _family(self, culture: str = "") -> str:
        first, second = CULTURES[culture or self.culture()].families
        return self._rng.choice(first) + self._rng.choice(second)

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

    def title(self) -> str:
        """Return the title of a film or a book."""
        return self._new(
            lambda rng: rng.choice((
                f"The {rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)}",
                f"The {rng.choice(_NOUNS)} of {self._place()}",
                f"Letters to {self._place()}",
                f"{self._place()}, by Night",
                f"The {rng.choice(_NOUNS)}'s {rng.choice(_NOUNS)}",
                f"A {rng.choice(_NOUNS)} in {self._place()}",
            ))
        )  # fmt: skip

    def album(self) -> str:
        """Return the title of a record."""
        return self._new(
            lambda rng: rng.choice((
                f"{rng.choice(_MOODS)} for {rng.choice(_PLURALS)}",
                f"{rng.choice(_ADJECTIVES)} {rng.choice(_MOODS)}",
                f"{rng.choice(_MOODS)} from {self._place()}",
                f"Goodnight, {self._place()}",
            ))
        )  # fmt: skip

    def painting(self) -> str:
        """Return the title of a painting."""
        return self._new(
            lambda rng: rng.choice((
                f"Morning at {self._place()}",
                f"The {rng.choice(_NOUNS)}'s Supper",
                f"Study for {self._family()}",
                f"After the {rng.choice(_NOUNS)}",
            ))
        )  # fmt: skip

    def band(self) -> str:
        """Return the name of a band."""
        return self._new(
            lambda rng: rng.choice((
                f"The {rng.choice(_ADJECTIVES)} {rng.choice(_PLURALS)}",
                f"{self._family()} and the {rng.choice(_PLURALS)}",
                f"{rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)}",
            ))
        )  # fmt: skip

    def company(self, trade: str) -> str:
        """Return the name of a company; the trade is its last word."""
        return self._new(
            lambda rng: rng.choice(
                (
                    f"{self._family()} & {self._family()}",
                    f"{self._family()} {trade}",
                    f"{self._place()} {trade}",
                )
            )
        )

    def with_ending(self, *endings: str) -> str:
        """Return an invented place name with one of the endings behind it ("… Museum")."""
        return self._new(lambda rng: f"{self._place()} {rng.choice(endings)}")
