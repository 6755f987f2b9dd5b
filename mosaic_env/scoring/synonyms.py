"""Which words count as one, which are kinds of others, and which exclude one another.

A line starts with its canonical word. Words stand in folded form (lower case, no accents). Plain
data; must not hold anything taken from a benchmark's answers.
"""

from __future__ import annotations


def _classes(lines: str) -> dict[str, str]:
    """Map every word of a line to the line's first word."""
    rows = [line.split() for line in lines.strip().splitlines()]
    return {word: row[0] for row in rows for word in row[1:]}


#: Spellings, inflections and everyday synonyms that count as the same word.
FORMS = _classes(
    """
    colour color colours colors
    coloured colored
    centre center central centred centered middle centrally
    moustache mustache moustaches mustaches moustached mustachioed
    beard beards bearded
    eyeglasses glasses spectacles
    television tv televisions
    photograph photo photos photographs
    film movie films movies
    car automobile cars automobiles
    airplane aeroplane plane aircraft airplanes planes aeroplanes
    bicycle bike bicycles bikes
    motorcycle motorbike motorcycles motorbikes
    telephone phone telephones phones
    cellphone smartphone
    cow cows cattle
    racket racquet rackets racquets
    nearest closest
    grayscale greyscale
    crescent crescents
    soccer football
    stripe stripes striped stripy
    check checks checkered chequered checked checkerboard chequer checker
    polka polkadot
    dot dots dotted
    circle circles circular round rounded
    square squares squared
    rectangle rectangles rectangular
    triangle triangles triangular
    oval ovals elliptical ellipse elliptic
    sphere spheres spherical
    cylinder cylinders cylindrical
    cone cones conical
    cube cubes cubic
    pyramid pyramids pyramidal
    hexagon hexagons hexagonal
    octagon octagons octagonal
    pentagon pentagons pentagonal
    arch arches arched
    dome domes domed
    curve curves curved
    star stars starred
    cross crosses
    spiral spirals
    wave waves wavy
    diagonal diagonally
    horizontal horizontally
    vertical vertically
    wood wooden timber
    wool woollen woolen
    metal metallic
    stone stony
    leaf leaves leafed
    man men
    woman women
    child children
    person people persons
    foot feet
    tooth teeth
    mouse mice
    goose geese
    knife knives
    wolf wolves
    calf calves
    half halves
    scarf scarves
    theatre theater theaters theatres
    tyre tire tyres tires
    jewellery jewelry
    armour armor armoured armored
    aluminium aluminum
    plough plow
    pyjamas pajamas
    catalogue catalog
    harbour harbor harbours harbors
    honour honor
    neighbour neighbor
    axe ax axes
    grandfather grandpa
    grandmother grandma
    large big
    small little
    left leftmost leftward leftwards
    right rightmost rightward rightwards
    top upper topmost uppermost
    bottom lower bottommost lowermost
    north northern northward northwards
    south southern southward southwards
    east eastern eastward eastwards
    west western westward westwards
    northeast northeastern
    northwest northwestern
    southeast southeastern
    southwest southwestern
    up upward upwards
    down downward downwards
    forward forwards
    backward backwards
    under beneath underneath
    counterclockwise anticlockwise
    usa us america american americans
    uk britain british
    percent percentage
    and plus
    doctor dr
    saint st
    mount mt
    mister mr
    january jan
    february feb
    march mar
    april apr
    june jun
    july jul
    august aug
    september sep sept
    october oct
    november nov
    december dec
    england english
    scotland scottish
    ireland irish
    france french
    germany german germans
    italy italian italians
    spain spanish
    portugal portuguese
    netherlands dutch holland
    belgium belgian
    switzerland swiss
    austria austrian
    poland polish
    sweden swedish
    norway norwegian
    denmark danish
    finland finnish
    greece greek
    turkey turkish turkiye
    russia russian
    ukraine ukrainian
    hungary hungarian
    romania romanian
    china chinese
    japan japanese
    korea korean
    india indian
    mexico mexican
    canada canadian
    brazil brazilian
    argentina argentinian argentine
    australia australian
    egypt egyptian
    """
)

#: A general word, then words that are more specific forms of it.
KINDS = _classes(
    """
    metal steel iron bronze brass copper aluminium tin chrome titanium
    wood oak pine bamboo teak mahogany walnut birch plywood
    stone marble granite sandstone limestone slate basalt
    dog collie poodle terrier hound spaniel labrador retriever puppy bulldog dachshund
    cat kitten tabby
    horse pony stallion mare foal
    bird eagle hawk falcon owl sparrow crow raven gull seagull pigeon dove heron swan parrot kingfisher
    flower rose lotus tulip daisy lily orchid sunflower carnation chrysanthemum camellia azalea
    tree  palm willow maple cypress
    fish salmon trout carp tuna shark
    insect bee butterfly beetle dragonfly ant mosquito
    boat sailboat rowboat canoe kayak dinghy gondola
    ship galleon frigate steamship schooner
    hat fedora sombrero beret bowler beanie fez panama
    gun pistol rifle revolver shotgun handgun
    fruit apple banana pear grape cherry mango
    """
)

#: Words of one line exclude one another.
_EXCLUSIVE = """
    left right
    top bottom
    north south east west northeast northwest southeast southwest
    above below
    over under
    inside outside
    before behind
    front back rear
    forward backward
    up down
    clockwise counterclockwise
    horizontal vertical diagonal
    wood metal stone glass plastic paper leather brick concrete cloth ceramic rubber
    open closed shut
    large small
    tall short
    thick thin
    wide narrow
    light dark
    smooth rough
    male female
    man woman
    boy girl
    king queen
    first last
    day night
    sun moon
    check stripe plaid paisley
    circle square triangle rectangle oval hexagon octagon pentagon star
    sphere cube cone cylinder pyramid
    single double triple
    january february march april maymonth june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """


def _rows(lines: str) -> dict[str, frozenset[int]]:
    """Map every word to the numbers of the lines it stands in."""
    table: dict[str, frozenset[int]] = {}
    for row, line in enumerate(lines.strip().splitlines()):
        for word in line.split():
            table[word] = table.get(word, frozenset()) | {row}
    return table


#: Two words whose row numbers meet exclude one another.
EXCLUSIVE = _rows(_EXCLUSIVE)
