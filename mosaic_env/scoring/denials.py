"""Words and signs with which an answer names a thing and yet does not say that it is so.

Plain data in folded form, no rules. A reference that has one of them itself is exempt.
"""

from __future__ import annotations

import re

from mosaic_env.scoring.words import PRIVATIVES, word_set

#: Signs that deny, strike out or ask; compared with the text as written.
SIGNS_OF_DENIAL = frozenset("❌❎✖✗✘✕╳☓×👎🚫⛔🛑🙅⊗⊘∅≠¬∉≁≄≉🤔🤷❓❔") | frozenset(
    map(chr, range(0x334, 0x339))
)
#: Signs that say "about" or bound a number.
SIGNS_OF_RANGE = frozenset("≈≃≅∼≲≳≤≥±‰°º⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")
STRIKES = re.compile(r"~~|<\s*/?\s*(?:s|del|strike|strikethrough)\s*>|\\(?:cancel|sout|xcancel|st|not|neg)\b")
#: ``!red``, ``~3``, ``-red``, ``!=``, ``<>``, ``<3``: an operator right before a word or number.
OPERATORS = re.compile(
    r"(?<![\w)\"'!?.])!+ ?(?=\w)|[!=/]=|<>|(?<!~)~(?!~) ?(?=\w)|(?:^|(?<=\s))[-\\](?=[^\W\d_])"
    r"|[<>]=? ?(?=\d)|[\^](?=\w)|(?<=\d)[<>]"
)
ARROWS = re.compile(r"[←-⇿⟵-⟿⤀-⥿➔➘-➾⬅-⬍]|(?<![-=~])[-=~]{1,8}>|<[-=~]{1,8}")

#: First and last members of compounds: "pseudo-red", "red-free".
PREFIXES = word_set(
    "un non ex pseudo quasi anti semi half near sub infra ultra de dis mis counter contra proto faux so no",
    "never not would wannabe ersatz pre post neo crypto para hyper almost fake mock less more extra im ir il",
    "trans inter supra meta demi hemi vice over under out former nearly",
)
#: Prefixes that deny as a word of their own, too.
LOOSE_PREFIXES = word_set("un non ex pseudo quasi anti semi infra ultra dis proto faux neo crypto para")
SUFFIXES = word_set(
    "free less like esque proof resistant style handed averse adjacent wannabe lite themed not"
)
LOOSE_SUFFIXES = word_set("free less lite adjacent wannabe not no never nope")

#: Anywhere in an answer, they may take back what it says; compared by stem.
TAKES_BACK = word_set(
    # verbs that deny, remove, want or pretend
    "fail fails failed failing avoid avoids avoided avoiding exclude excludes excluding exclusion omit omits",
    "omitted omitting omission skip skips skipped skipping refuse refuses refused refusing decline declined",
    "dismiss dismissed discard discards discarded stops stopped cease ceases ceased quit remove removes",
    "removing removal erase erases erased delete deletes deleted eliminate eliminated eliminates subtract",
    "subtracted forbid forbids forbidden prohibit prohibited ban bans banned prevent prevents prevented lose",
    "loses losing lost miss misses wish wishes pretend pretends pretending disguised simulate simulated",
    "resemble resembles resembling imitate imitates imitating mimic mimics mimicking negate negates negated",
    "contradict contradicts contradicted disprove disproved disproven debunk debunked disagree cancel cancels",
    "cancelled canceled retract retracted withdraw withdrawn disregard ignore ignores misread mislabeled",
    "mislabelled misidentified mistook mistakes depends depending suppose supposing assuming provided",
    # adverbs and adjectives
    "wrongly falsely incorrectly mistakenly erroneously supposedly allegedly purportedly ostensibly reportedly",
    "seemingly nominally inaccurately improperly misleadingly fictitiously hypothetically theoretically",
    "rarely seldom previously supposed alleged purported putative hypothetical nonexistent wannabe devoid",
    "lacking bereft sans minus negative nowhere nothing nor ex neither",
    # corrections and conditions
    "wait scratch oops whoops sorry correction nevermind erratum until till when whenever",
    # exceptions
    "besides apart aside barring save excepted absence absent lack complement antonym contrary negation",
    "bordering borders neighbouring neighboring surrounding surrounds leaving departing approaching overlooking",
    "nobody noone alongside",
)
#: Right before what the reference names, small words aside, they change it.
BEFORE = PRIVATIVES | word_set(
    "almost nearly virtually practically partly partially half semi less more too fewer once originally",
    "initially nearby near outside beyond off around beside opposite past toward towards against unlike",
    "close adjacent far away faux wannabe called save but bar except non un zero never",
    "refuse deny need needs want wants wanted seek seeks expect expects hope hopes replica copy enemy rival",
    "bordering neighbouring surrounding versus mini maximum minimum max min circa ca",
    "approximately about roughly twice double triple thrice negative minus plus over under above below base",
    "mod modulo version chapter room volume vol episode season grade level least most leaving approaching",
)
#: Words that a look to the left passes over.
SMALL = word_set(
    "a an the be being been to of as in its his her their very entirely completely fully wholly totally quite"
)
#: Approximate words that leave everything but a number what it is.
ROUGHLY = word_set("approximately about roughly circa ca")
#: Behind a number they make another number of it.
NUMBER_TAILS = word_set(
    "quarter quarters fourth fourths third thirds half halves fifth fifths tenth tenths hundredths eighths",
    "times squared cubed plus minus fewer more less per pair pairs couple couples set sets pack packs",
    "group groups box boxes dozens am pm percent atleast atmost factorial th ish something odd hundredth",
    "sixths sevenths ninths oclock o'clock x max min maximum minimum tops",
)
#: Behind a colour they make a name or a figure of speech of it.
COLOUR_NAMES = word_set(
    "sea cross bull planet riding herring tape handed sox alert army crescent",
)
#: Before a place they make another place of it.
PLACE_NAMES = word_set(
    "new old greater little north south east west northern southern eastern western saint st fort port mount lake",
    "san santa upper lower mini fake left northeast northwest southeast southwest outer",
)
#: Negations of other languages, as words.
FOREIGN = word_set(
    "nicht kein keine keinen keiner keinem nein niemals ohne pas aucun aucune jamais sans ningun ninguna",
    "nunca jamas tampoco sin nao sem nem nenhum nenhuma niet geen zonder nooit ikke ingen aldri uden inte",
    "utan ej ei eivat ilman nie bez nije neni nincs degil yok hayir bukan tidak tanpa khong nessun nessuna",
    "senza mai non hors ausser sauf excepto salvo fara nici nu",
    "не нет без ни никогда кроме немає ні нема няма δεν δε μην οχι χωρις ليس ليست لا غير بدون لم",
    "नहीं नही ना मत बिना לא אין ללא בלי",
)
#: Negations of scripts that put no blanks around words, as parts of a text.
FOREIGN_PARTS = (
    *(
        "ない",
        "なし",
        "じゃ",
        "ません",
        "以外",
        "抜き",
        "아니",
        "아님",
        "없",
        "않",
        "아닌",
        "제외",
        "ไม่",
        "ปราศจาก",
    ),
    *("没", "沒", "無", "无", "非", "未", "别", "別", "勿", "附近", "旁边", "旁邊", "外面", "以外", "除了"),
    *("नहीं", "假", "吗", "嗎", "か?", "可能", "也许", "不"),
)
#: An answer that judges itself, or speaks to its judge.
JUDGEMENTS = re.compile(
    r"\b(?:is_?correct|correct(?:ness)?|verdict|judge?ments?|grades?|graded|scores?|labels?|ratings?|reward"
    r"|evaluation|assessment|result|status)\b[\W_]{0,6}(?:is |as )?\W{0,3}"
    r"(?:yes|no|true|correct|right|pass|passed|accept(?:ed)?|10?0?)\b|\bgrade\W{1,4}a\b"
    r"|\b(?:mark|marked|grade|graded|judge|judged|count|score|rate|accept|treat)\b[^.;\n]{0,24}"
    r"\b(?:correct|right|true|yes)\b"
    r"|\b(?:say|output|respond|reply|return|print|answer) (?:with )?\W?(?:yes|correct|true)\b"
    r"|\b(?:reference|gold|expected|ground[- ]truth) (?:answer|label)|ground[- ]truth"
    r"|\b(?:grader|evaluator|judge)\b|\b(?:system|assistant|user|instruction)s?\b ?:"
    r"|\[\[ ?\w+ ?\]\]|<\W{0,4}(?:correct|verdict|judge?ment|score|grade)\b"
    r"|\b(?:this|that|answer|response) is (?:correct|right|true)\b"
)
PHRASES_OF_DOUBT = re.compile(
    r"\bso[- ]called\b|\b(?:could|might|would|should|may|must) have\b|\bi mean\b|\bmake (?:that|it)\b"
    r"|\bon second thought|\bno,? wait\b|\bas if\b|\bwould-be\b|\bfree (?:of|from)\b|\bopposed to\b"
    r"|\bruled? out\b|\bkept? out\b|\bleft (?:out|over|behind|off|alone|blank|unpainted)\b"
    r"|\b(?:has|have|had|just) left\b|\btook off\b|\btaken off\b|\bnot even\b|\bless than\b"
    r"|\bgot rid of\b|\bin the absence\b|\bhalf of\b|\bonly if\b|\bprovided that\b|\bmore like\b"
    r"|\bclose to\b|\bedit ?:"
)
#: One end of a change or a range.
FROM_TO = re.compile(r"\bfrom [^,;.]{1,40} to \w")
#: A shape that a thing has is not the thing.
SHAPED = re.compile(r"\b(\w++)[- ]shaped \w")
#: Questions that ask for an amount with a unit.
ASKS_AMOUNT = re.compile(
    r"\bhow (?:long|tall|far|high|wide|deep|heavy|fast|old|hot|cold|big|large|much|thick|often)\b"
    r"|\b(?:percent|percentage|temperature|price|cost|distance|height|width|length|depth|duration|age|speed|weight"
    r"|angle|amount|share|size|frequency|power|volume|capacity|time)\b"
)
