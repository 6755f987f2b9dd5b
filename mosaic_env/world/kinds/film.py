"""Films: director, cast, writer, music, studio, setting; sequels follow one another."""

from __future__ import annotations

from random import Random

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose

_LAST_YEAR = 2012
#: Relation, occupation, and in how many percent of films it is stated.
_CREW = (
    ("P86", "composer", 34),
    ("P162", "film producer", 30),
    ("P58", "screenwriter", 30),
    ("P344", "cinematographer", 27),
    ("P1040", "film editor", 12),
)
#: How many of the cast are stated.
_CAST = (0, 1, 1, 2, 2, 3, 3, 4)
TITLES = (
    "The {adjective} {noun}", "The {noun} of {place}", "Letters to {place}", "{place}, by Night",
    "The {noun}'s {noun2}", "A {noun} in {place}", "{adjective} {plural}", "The {plural} of {place}",
)  # fmt: skip


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("film", "make")
    directors = draft.pool("person", "film director")
    taken: set[tuple[Subject | None, int]] = set()
    for _ in range(count):
        director = directors.pick(rng)
        year = min((director.year if director else 1930) + rng.randint(27, 58), _LAST_YEAR)
        # "The 1987 film by X" names one; near-duplicates break this on purpose.
        while (director, year) in taken and director is not None and year > director.year + 24:
            year -= 1
        taken.add((director, year))
        draft.add(Subject("film", draft.names.made(*TITLES), ("film",), year=year, by=director))


def _relate(draft: Draft) -> None:
    rng = draft.rng("film", "relate")
    for film in draft.all("film"):
        draft.perhaps(rng, 66, film, "P57", film.by)
        draft.classify(rng, 62, film)
        _people(draft, rng, film)
        _places(draft, rng, film)
        if not film.facts:
            draft.fact(film, "P57", film.by)
    for group in draft.groups("film", lambda film: film.by):
        if group[0].by is not None and len(group) > 1 and rng.randrange(100) < 60:
            start = rng.randrange(len(group) - 1)
            draft.follow(group[start], group[start + 1])


def _people(draft: Draft, rng: Random, film: Subject) -> None:
    born = (film.year - 66, film.year - 20)
    for actor in draft.pool("person", "actor").several(rng, rng.choice(_CAST) * film.detail // 75, *born):
        draft.fact(film, "P161", actor)
    for relation, occupation, percent in _CREW:
        draft.perhaps(rng, percent, film, relation, draft.pool("person", occupation).pick(rng, *born))


def _places(draft: Draft, rng: Random, film: Subject) -> None:
    country, cities = film.country, draft.pool("city")
    draft.perhaps(rng, 30, film, "P495", country)
    draft.perhaps(
        rng, 20, film, "P364", country.tails("P37")[0] if country and country.tails("P37") else None
    )
    draft.perhaps(rng, 30, film, "P136", draft.pool("genre", "film genre").pick(rng))
    draft.perhaps(rng, 22, film, "P272", draft.pool("company", "film studio").pick(rng, high=film.year))
    draft.perhaps(rng, 10, film, "P750", draft.pool("company", "film distributor").pick(rng, high=film.year))
    draft.perhaps(rng, 14, film, "P840", cities.pick(rng))
    draft.perhaps(rng, 8, film, "P915", cities.pick(rng))
    draft.perhaps(rng, 4, film, "P166", draft.pool("award", "film award").pick(rng, high=film.year))


FILM = Kind(
    "film",
    190,
    "poster",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{year} film directed by {P57}",
            "{year} film by {P57}",
            "{year} {P136} film directed by {P57}",
            "{year} {noun}",
            "{noun} released in {year}",
        ),
        openings=(
            "{label} is a {year} {noun} directed by {P57}",
            "Directed by {P57}, {label} is a {noun} released in {year}",
            "In {year} {P57} directed the {noun} {label}",
            "{label} is a {noun} of {year}",
            "The {noun} {label} came to the cinemas in {year}",
            "{label}, a {noun}, had its first night in {year}",
            "{year} saw the release of the {noun} {label}",
            "Cinemas first showed the {noun} {label} in {year}",
            "{label} is a {P136} released as a {noun} in {year}",
            "{label} is a {noun} from {P495}, first shown in {year}",
            "{P161} can be seen in {label}, a {noun} of {year}",
        ),
        says={
            "P57": (
                "was directed by {P57}",
                "is the work of the director {P57}",
                "was made under the direction of {P57}",
            ),
            "P58": ("was written by {P58}", "has a script by {P58}", "follows a screenplay by {P58}"),
            "P86": ("has music by {P86}", "owes its score to {P86}", "has a score composed by {P86}"),
            "P136": ("is a {P136}", "counts as a {P136}", "was announced as a {P136}"),
            "P155": ("is the sequel to {P155}", "follows {P155}", "takes up where {P155} ended"),
            "P156": ("was followed by {P156}", "had a sequel, {P156}", "is continued in {P156}"),
            "P161": (
                "has {P161} in its cast",
                "gave leading parts to {P161}",
                "features {P161}",
                "was played by a cast around {P161}",
            ),
            "P162": (
                "was produced by {P162}",
                "had {P162} as its producer",
                "was paid for and produced by {P162}",
            ),
            "P166": ("won the {P166}", "received the {P166}"),
            "P272": (
                "was made by the studio {P272}",
                "came from the studio {P272}",
                "has {P272} as its production company",
            ),
            "P344": (
                "was photographed by {P344}",
                "had {P344} behind the camera",
                "has {P344} as its director of photography",
            ),
            "P364": ("was shot in {P364}", "has dialogue in {P364}", "is spoken in {P364}"),
            "P495": ("comes from {P495}", "was made in {P495}", "is a production from {P495}"),
            "P750": ("was distributed by {P750}", "came to the cinemas through {P750}"),
            "P840": ("is set in {P840}", "tells a story set in {P840}", "takes place in {P840}"),
            "P915": ("was filmed on location in {P915}", "was shot in the streets of {P915}"),
            "P1040": ("was edited by {P1040}", "was cut by {P1040}", "owes its pace to the editor {P1040}"),
        },
        asides=(
            "The first version ran for {number} minutes too long.",
            "It opened in {number} cinemas and closed in most of them within a week.",
            "Shooting was held up by bad weather, a strike and a lost bag of contracts.",
            "The negative was found in a cellar decades later.",
            "Audiences walked out of the premiere, then bought tickets again.",
            "A censor asked for {number} changes and forgot which.",
        ),
    ),
    least=8,
)
