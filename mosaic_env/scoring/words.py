"""Words by the part they play in an answer: small words, fillers, negators, hedges, directions.

Plain data in folded form (lower case, no accents), no rules. Must not hold anything taken from a
benchmark's answers.
"""

from __future__ import annotations


def word_list(*lines: str) -> list[str]:
    """Return the words of the lines in their order."""
    return [word for line in lines for word in line.split()]


def word_set(*lines: str) -> frozenset[str]:
    """Return the words of the lines as a set."""
    return frozenset(word_list(*lines))


ARTICLES = word_set("a an the")

#: Verbs after which a sentence says what its subject is.
COPULAS = word_set(
    "is are was were be been equals reads read says say said spells shows show showing displays",
    "features depicts represents symbolizes symbolises has have wears contains called named becomes",
    "resembles holds bears appears seems looks carries uses forms",
)
AUXILIARIES = word_set(
    "is are was were be been do does did has have had can could will would should may might must",
    "seems appears looks",
)
PREPOSITIONS = word_set(
    "of in on at by with near beside next to under over behind from between among around along",
    "across against through for about like as than into onto within above below beneath inside",
    "outside toward towards opposite beyond past upon alongside amid off via per during",
)
PRONOUNS = word_set(
    "i we you he she it they them him her his hers its their theirs my our your me us this that",
    "these those there here who which what whose whom one ones",
)
STOP = (
    ARTICLES
    | AUXILIARIES
    | PRONOUNS
    | word_set(
        "of in on at by with from to for as into onto within and if so then than that because since",
        "being am been 's each such some any very quite rather also too just only simply both all",
        "total exactly precisely clearly obviously certainly definitely probably likely maybe",
        "possibly perhaps presumably approximately about around roughly nearly almost",
        "which when where how why please sure well okay ok oh ah based either whether",
    )
)
#: Words that name, frame or point at an answer: harmless in an answer.
FILLER = word_set(
    "answer response final correct right result conclusion question object item thing element",
    "image picture photo photograph scene frame view visual evidence search source page",
    "shown seen see visible depicted displayed pictured portrayed featured painted printed written",
    "show shows showing display displays depict depicts depiction feature features appear appears",
    "appearing seem seems look looks looking like call called name named describe described",
    "think believe guess say says said read reads reading spell spells find found identify",
    "identified see seen observe observed according given above following here there option choice",
    "colour coloured hue tone shade shape shaped pattern patterned type kind sort style form",
    "letter character number numeral digit word text inscription lettering caption phrase title",
    "symbol label made conclude confirm confident namely specifically actually really indeed",
    "appearance represent represents represented contain contains have has wear wears wearing",
    "would hence thus therefore now fact truth honestly built composed constructed consists consist",
)
#: What an answer may count or point at without answering with it: "in the second photo".
MEDIA = word_set("image picture photo photograph page source result search scene frame website article")
#: Words of a reference that an answer may leave out without saying something else.
OPTIONAL = word_set(
    "colour coloured hue shape shaped pattern patterned letter character number numeral digit word",
    "text very prominent distinct distinctive visible clearly somewhat slightly single hiragana",
    "katakana kanji side appearance appearing appears motif design symbol logo upto",
)
#: Words after which "a X of Y" still means Y.
CONTAINERS = word_set(
    "image picture photo photograph depiction drawing painting illustration representation",
    "pattern shape form symbol kind type sort pair set word letter number colour shade row piece",
    "series group bunch cluster figure",
)
NEGATORS = word_set(
    "not no never none neither nor without lacks lacking lack absent missing non cannot except",
    "excepting excluding",
)
PRIVATIVES = word_set("fake false former anti pseudo counterfeit imitation toy mock opposite unlike")
#: One of these in an answer, and rules do not say yes to it.
DOUBTS = word_set(
    "wrong false incorrect untrue opposite contrary reverse inverse unless if else otherwise used formerly",
    "once longer doubt doubtful deny denies denied reject rejected refute refuted disagree unlikely hardly",
    "barely scarcely between candidate candidates guess guesses guessing alternative alternatives option",
    "options either possibilities possibility something anything everything whichever whatever any lie",
    "excluded ruled mistaken mistake impossible instead unsure uncertain ambiguous none nothing",
    "replaced changed removed swapped substituted converted altered turned confused plausible",
)
#: Behind a separator they open an alternative: "red, maybe blue".
HEDGES = word_set("maybe perhaps possibly potentially alternately alternatively otherwise")
ALTERNATIVES = word_set("or versus vs alternatively otherwise")
CONTRASTS = word_set("but however while whereas although though instead")
#: Words that open a remark rather than a further item of a list.
REMARKS = word_set(
    "which who whose that because as since with in on at near from where so it they he she this",
    "these those i we seen located shown based according visible found standing set placed made",
    "after before upon once judging looking under over behind above below beside against around along",
    "for its their his her when if",
    "specifically every each daily namely meaning known called by through to of inside outside",
)
COMPARATIVES = word_set("atleast atmost morethan lessthan upto over under above below exceeding beyond")
YES = word_set("yes yeah yep yup correct true affirmative indeed")
NO = word_set("no nope nah false incorrect")
REFUSALS = word_set(
    "unknown unanswerable undetermined unclear unable unavailable indeterminate na null none",
    "undefined dontknow notsure nan nothing",
)
ABBREVIATIONS = word_set("st dr mr mrs ms mt no vs jr sr prof inc co ltd ft dept ave fig vol approx")

#: Several words that count as one, or as none ("").
PHRASES: dict[str, str] = {
    "as well as": "and",
    "along with": "and",
    "together with": "and",
    "more or less": "",
    "or so": "",
    "and or": "or",
    "at least": "atleast",
    "at the least": "atleast",
    "at the most": "atmost",
    "no fewer than": "atleast",
    "no less than": "atleast",
    "not fewer than": "atleast",
    "not less than": "atleast",
    "a minimum of": "atleast",
    "minimum of": "atleast",
    "or more": "atleast",
    "no more than": "atmost",
    "no greater than": "atmost",
    "not more than": "atmost",
    "a maximum of": "atmost",
    "maximum of": "atmost",
    "or fewer": "atmost",
    "or less": "atmost",
    "close to": "near",
    "adjacent to": "near",
    "next to": "beside",
    "nowhere near": "not",
    "not anywhere near": "not",
    "at most": "atmost",
    "more than": "morethan",
    "fewer than": "lessthan",
    "less than": "lessthan",
    "up to": "upto",
    "instead of": "not",
    "rather than": "not",
    "as opposed to": "not",
    "other than": "not",
    "anything but": "not",
    "everything but": "not",
    "all but": "not",
    "far from": "not",
    "nothing but": "",
    "not only": "",
    "but also": "and",
    "no longer": "not",
    "used to be": "not",
    "used to": "not",
    "ruled out": "not",
    "rule out": "not",
    "rules out": "not",
    "no doubt": "",
    "without doubt": "",
    "without a doubt": "",
    "not sure": "notsure",
    "not certain": "notsure",
    "not clear": "notsure",
    "not known": "unknown",
    "no idea": "notsure",
    "no answer": "unknown",
    "not enough information": "unknown",
    "not available": "unknown",
    "not applicable": "unknown",
    "n / a": "unknown",
    "do not know": "dontknow",
    "do not see": "dontknow",
    "can not tell": "dontknow",
    "can not determine": "dontknow",
    "can not be determined": "dontknow",
    "can not answer": "dontknow",
    "can not see": "dontknow",
    "can not find": "dontknow",
    "could not find": "dontknow",
    "could not determine": "dontknow",
    "did not find": "dontknow",
    "also known as": "",
    "i e": "",
    "e g": "",
    "in front of": "before",
    "anti clockwise": "counterclockwise",
    "counter clockwise": "counterclockwise",
    "united states of america": "usa",
    "united states": "usa",
    "cell phone": "cellphone",
    "mobile phone": "cellphone",
    "smart phone": "cellphone",
    "united kingdom": "uk",
    "great britain": "uk",
    "new york city": "nyc",
    "new york": "nyc",
    "right hand": "right",
    "left hand": "left",
    "north east": "northeast",
    "north west": "northwest",
    "south east": "southeast",
    "south west": "southwest",
}

#: Contractions written without their apostrophe.
CONTRACTIONS: dict[str, str] = {
    "isnt": "is not",
    "arent": "are not",
    "wasnt": "was not",
    "werent": "were not",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "cant": "can not",
    "cannot": "can not",
    "couldnt": "could not",
    "wont": "will not",
    "hasnt": "has not",
    "havent": "have not",
    "thats": "that is",
    "theres": "there is",
}

DIRECTIONS = word_set(
    "left right top bottom north south east west northeast northwest southeast southwest above below",
    "up down centre clockwise counterclockwise forward backward front back rear inside outside",
    "horizontal vertical diagonal",
)
#: The month, told from the verb by a number beside it.
MAY = "maymonth"
MONTHS = word_set(
    "january february march april maymonth june july august september october november december"
)
#: Words that only say where a direction is meant.
PLACES = word_set("side half part corner edge area section portion hand quadrant end direction position")

#: Words that describe, as written: a noun after them does not change what they say.
ADJECTIVES = word_set(
    "plaid paisley tartan houndstooth gingham round square oval wavy wooden wood metal stone glass plastic",
    "paper leather brick concrete wool woollen woolen cotton silk velvet steel iron bronze marble granite",
    "large small tall short thick thin wide narrow smooth rough open left right top bottom upper lower",
    "grayscale greyscale monochrome wet dry old young steep sparse dense heavy bright dark light flat",
    "knit straight stripy",
)

#: Asking for an order: a list in another order is another answer.
ORDER_CUES = (
    "in order",
    "respectively",
    "from left to right",
    "from right to left",
    "from top to bottom",
    "from bottom to top",
    "top to bottom",
    "left to right",
    "sequence",
    "in which order",
    "chronological",
    "ascending",
    "descending",
    "order of",
)
COUNT_CUES = ("how many", "number of", "count", "what number", "which number", "how much", "what year")
