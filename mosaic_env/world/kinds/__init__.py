"""The kinds of entity: one file a kind, one line here to register it.

Kinds are made in this order, so a kind may use the subjects of those above it when it makes its own; facts
are stated when all are there.
"""

from __future__ import annotations

from mosaic_env.world.draft import Kind
from mosaic_env.world.kinds.album import ALBUM
from mosaic_env.world.kinds.band import BAND
from mosaic_env.world.kinds.breed import BREED
from mosaic_env.world.kinds.building import BUILDING
from mosaic_env.world.kinds.city import CITY
from mosaic_env.world.kinds.company import COMPANY
from mosaic_env.world.kinds.country import COUNTRY
from mosaic_env.world.kinds.film import FILM
from mosaic_env.world.kinds.genre import GENRE
from mosaic_env.world.kinds.painting import PAINTING
from mosaic_env.world.kinds.person import PERSON
from mosaic_env.world.kinds.team import TEAM
from mosaic_env.world.kinds.vehicle import VEHICLE

KINDS: tuple[Kind, ...] = (
    COUNTRY,
    CITY,
    PERSON,
    GENRE,
    COMPANY,
    BAND,
    FILM,
    ALBUM,
    TEAM,
    BREED,
    VEHICLE,
    BUILDING,
    PAINTING,
)
