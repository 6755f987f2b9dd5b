"""The kinds of entity: one file a kind, one line here to register it.

Kinds are made in this order, so a kind may use the subjects of those above it when it makes its own; facts
are stated when all are there.
"""

from __future__ import annotations

from mosaic_env.world.draft import Kind
from mosaic_env.world.kinds.album import ALBUM
from mosaic_env.world.kinds.award import AWARD
from mosaic_env.world.kinds.band import BAND
from mosaic_env.world.kinds.breed import BREED
from mosaic_env.world.kinds.building import BUILDING
from mosaic_env.world.kinds.city import CITY
from mosaic_env.world.kinds.company import COMPANY
from mosaic_env.world.kinds.country import COUNTRY
from mosaic_env.world.kinds.festival import FESTIVAL
from mosaic_env.world.kinds.film import FILM
from mosaic_env.world.kinds.genre import GENRE
from mosaic_env.world.kinds.instrument import INSTRUMENT
from mosaic_env.world.kinds.klass import CLASS
from mosaic_env.world.kinds.landmark import LANDMARK
from mosaic_env.world.kinds.language import LANGUAGE
from mosaic_env.world.kinds.museum import MUSEUM
from mosaic_env.world.kinds.painting import PAINTING
from mosaic_env.world.kinds.person import PERSON
from mosaic_env.world.kinds.plant import PLANT
from mosaic_env.world.kinds.region import REGION
from mosaic_env.world.kinds.reserve import RESERVE
from mosaic_env.world.kinds.sculpture import SCULPTURE
from mosaic_env.world.kinds.series import SERIES
from mosaic_env.world.kinds.song import SONG
from mosaic_env.world.kinds.stamp import STAMP
from mosaic_env.world.kinds.team import TEAM
from mosaic_env.world.kinds.university import UNIVERSITY
from mosaic_env.world.kinds.vehicle import VEHICLE

KINDS: tuple[Kind, ...] = (
    CLASS, LANGUAGE, COUNTRY, REGION, CITY, GENRE, UNIVERSITY, PERSON, AWARD, INSTRUMENT, COMPANY, BAND, FILM, SERIES,
    ALBUM, SONG, TEAM, BREED, PLANT, VEHICLE, BUILDING, MUSEUM, LANDMARK, RESERVE, PAINTING, SCULPTURE, FESTIVAL, STAMP,
)  # fmt: skip
