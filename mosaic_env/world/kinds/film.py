"""Films: director, cast, writer, music, studio, setting; sequels follow one another."""

from __future__ import annotations

from random import Random

from mosaic_env.world.draft import Draft, Kind, Subject
from mosaic_env.world.prose import Prose, Sentence

_LAST_YEAR = 2012


def _make(draft: Draft, count: int) -> None:
    rng = draft.rng("film", "make")
    directors = draft.all("person", "film director")
    for _ in range(count):
        director = rng.choice(directors)
        year = min(director.year + rng.randint(27, 58), _LAST_YEAR)
        film = draft.add(Subject("film", draft.names.title(), ("film",), year=year))
        draft.fact(film, "P57", director)


def _relate(draft: Draft) -> None:
    rng = draft.rng("film", "relate")
    for film in draft.all("film"):
        film.year = _free_year(draft, film)
        for actor in _alive(rng, draft.all("person", "actor"), film.year)[: rng.choice((2, 3, 3))]:
            draft.fact(film, "P161", actor)
        for relation, noun, chance in (("P58", "screenwriter", 0.6), ("P86", "musician", 0.55)):
            found = _alive(rng, draft.all("person", noun), film.year)
            if found and rng.random() < chance:
                draft.fact(film, relation, found[0])
        studios = [studio for studio in draft.all("company", "film studio") if studio.year <= film.year]
        if studios:
            draft.fact(film, "P272", rng.choice(studios))
        draft.fact(film, "P840", rng.choice(draft.all("city")))
        draft.fact(film, "P136", rng.choice(draft.all("genre", "film genre")))
        draft.fact(film, "P495", film.tail("P57").tail("P27"))
    _sequels(draft)


def _free_year(draft: Draft, film: Subject) -> int:
    """Return a year in which its director made no other film: "the 1987 film by X" names one."""
    taken = {
        other.year
        for other in draft.all("film")
        if other is not film and other.tail("P57") is film.tail("P57")
    }
    return next(year for year in range(film.year, film.year - 40, -1) if year not in taken)


def _alive(rng: Random, people: list[Subject], year: int) -> list[Subject]:
    found = [person for person in people if person.year + 19 <= year <= person.until]
    rng.shuffle(found)
    return found


def _sequels(draft: Draft) -> None:
    """Let some directors' consecutive films follow one another."""
    for director in draft.all("person", "film director")[::2]:
        films = sorted((f for f in draft.all("film") if f.tail("P57") is director), key=lambda f: f.year)
        if len(films) >= 2:
            draft.fact(films[1], "P155", films[0])
            draft.fact(films[0], "P156", films[1])


FILM = Kind(
    "film",
    21,
    "poster",
    _make,
    _relate,
    Prose(
        descriptions=(
            "{year} film directed by {P57}",
            "{year} film by {P57}",
            "{year} {P136} film directed by {P57}",
        ),
        sentences=(
            Sentence(
                (
                    "{label} is a {year} {P136} from {P495}, directed by {P57}",
                    "Directed by {P57}, {label} is a {P136} made in {P495} and released in {year}",
                    "In {year} {P57} directed {label}, a {P136} from {P495}",
                ),
                (
                    (", written by {P58}", " from a script by {P58}"),
                    (", with music by {P86}", " to a score composed by {P86}"),
                ),
            ),
            Sentence(
                (
                    "Its cast includes {P161}, and the story is set in {P840}",
                    "It stars {P161} and is set in {P840}",
                    "Set in {P840}, it has {P161} in its leading parts",
                    "The story is set in {P840}",
                )
            ),
            Sentence(
                (
                    "{P272} produced it as the sequel to {P155}; it was followed by {P156}",
                    "{P272} produced it as the sequel to {P155}",
                    "It was produced by {P272} and followed by {P156}",
                    "It was produced by {P272}",
                    "The production company was {P272}",
                    "It follows {P155}",
                    "It was followed by {P156}",
                )
            ),
        ),
        asides=(
            "The first cut ran for {number} minutes too long.",
            "It opened in {number} cinemas and closed in most of them within a week.",
            "Shooting was held up by rain, a strike and a lost bag of contracts.",
            "The negative was found in a cellar decades later.",
            "Audiences walked out of the premiere, then bought tickets again.",
        ),
    ),
)
