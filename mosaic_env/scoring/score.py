"""``score``: a deterministic verdict on an answer, with a reason that never quotes the reference.

Permissive as the papers' judge is: the same answer, an alias, numeral or word, a full sentence, a
more specific form and harmless extras are right. What rules cannot decide is ``unsure``. Answers
are data: nothing in them is evaluated, looked up or obeyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mosaic_env.core.types import Gold
from mosaic_env.scoring.claims import mark_hedges, options, read_claims
from mosaic_env.scoring.compare import CONFLICTS, compare
from mosaic_env.scoring.context import Context, read_question, without_question
from mosaic_env.scoring.guards import takes_back
from mosaic_env.scoring.lexer import tokenise
from mosaic_env.scoring.normalise import normalise
from mosaic_env.scoring.phrases import is_han
from mosaic_env.scoring.readings import Reading, readings_of, split
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import AUXILIARIES, DOUBTS, FILLER, NO, PRONOUNS, REFUSALS, STOP, YES, word_set

Value = Literal["yes", "no", "unsure"]

#: Longer answers (beyond the reference's own length) are not answers.
MAX_ANSWER = 2000
MAX_REFERENCE = 4000
MAX_ALIASES = 1000
MAX_TOKENS = 300
#: A text of more tokens that leaves alternatives open is not read further.
MAX_OPEN_TOKENS = 80

_CODES: dict[str, tuple[Value, str]] = {
    "exact": ("yes", "the reference, up to case, accents, punctuation and articles"),
    "alias": ("yes", "an accepted other form of the reference"),
    "equivalent": ("yes", "the same words, in a form known to be equal"),
    "contains": ("yes", "a sentence around the reference"),
    "more_specific": ("yes", "the reference with more detail"),
    "list": ("yes", "all parts of the reference in another order"),
    "colour": ("yes", "the same colours"),
    "number": ("yes", "the same number"),
    "direction": ("yes", "the same direction"),
    "polarity": ("yes", "the same yes or no"),
    "none_is_zero": ("yes", "says that there is none"),
    "empty": ("no", "no answer"),
    "too_long": ("no", "longer than any answer"),
    "refused": ("no", "says that it does not know"),
    "repeats_question": ("no", "only repeats the question"),
    "negated": ("no", "denies the reference"),
    "hedged": ("no", "leaves an alternative open"),
    "listed_everything": ("no", "lists further candidates"),
    "extra_colour": ("no", "names a further colour"),
    "extra_number": ("no", "names a further number"),
    "wrong_colour": ("no", "another colour"),
    "wrong_number": ("no", "another number"),
    "wrong_direction": ("no", "another direction"),
    "wrong_polarity": ("no", "the opposite yes or no"),
    "wrong_order": ("no", "the right parts in a wrong order"),
    "opposite": ("no", "something that excludes the reference"),
    "part_missing": ("no", "a part of the reference is missing"),
    "different": ("no", "has nothing of the reference"),
    "less_specific": ("unsure", "less specific than the reference"),
    "partial": ("unsure", "overlaps the reference in part"),
    "near_colour": ("unsure", "a colour that people name differently"),
    "near_number": ("unsure", "a limit, rank or share instead of the number"),
    "unit_missing": ("unsure", "the number without its unit"),
    "spelling": ("unsure", "perhaps a misspelling of the reference"),
    "extra_detail": ("unsure", "the words of the reference as part of something that may differ"),
    "extra_item": ("unsure", "the reference beside a further item"),
    "buried": ("unsure", "the reference among many other words"),
    "doubtful": ("unsure", "unclear whether the reference is meant or denied"),
    "other_script": ("unsure", "written in another script than the reference"),
    "no_polarity": ("unsure", "neither yes nor no"),
}
#: Every reason code with its meaning.
REASONS: dict[str, str] = {code: meaning for code, (_, meaning) in _CODES.items()}
_AFFIRMING = word_set("is are was were do does did has have had can will")
_AND = Token("and", "and", "and")
_ORDER = {code: rank for rank, code in enumerate(_CODES)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the scorer says about an answer.

    Args:
        value: ``yes``, ``no`` or ``unsure``.
        reason: A key of ``REASONS``.
    """

    value: Value
    reason: str

    @property
    def confident(self) -> bool:
        """Whether the rules decided; the others may go to a judge."""
        return self.value != "unsure"


def score(answer: str, gold: Gold, question: str = "") -> Verdict:
    """Return the verdict on an answer.

    Args:
        answer: The final answer, any text.
        gold: The reference: ``answer``, ``aliases`` and ``kind`` are read.
        question: Its words are not held against an answer that repeats them; they are never
            evidence for it.
    Returns: A verdict; each reason code has one value.
    Cost: linear in the answer's length; long answers are refused unread.
    Determinism: pure.
    """
    answer = answer.strip()
    if not answer:
        return _verdict("empty")
    if len(answer) > max(MAX_ANSWER, 4 * len(gold.answer)):
        return _verdict("too_long")
    exact = _exact(answer, gold, question)
    if exact:
        return _verdict(exact)
    written, answer = answer, without_question(answer, question)
    if not answer.strip(" ;?"):
        return _verdict("repeats_question")
    context = read_question(question)
    references = [gold.answer, *gold.aliases[:MAX_ALIASES]]
    codes: list[str] = []
    for place, reference in enumerate(references):
        code = _code(answer, reference[:MAX_REFERENCE], gold.kind, context)
        if _CODES[code][0] == "yes":
            if not takes_back(answer, reference[:MAX_REFERENCE], gold.kind, question, written=written):
                return _verdict("alias" if place else code)
            code = "doubtful"
        codes.append(code)
    return _verdict(_best(codes))


def _verdict(code: str) -> Verdict:
    return Verdict(_CODES[code][0], code)


def _exact(answer: str, gold: Gold, question: str) -> str:
    """Return ``exact`` or ``alias`` when an answer is a form of the reference and no sign takes it back."""
    surface = normalise(answer)
    for place, form in enumerate((gold.answer, *gold.aliases)):
        same = answer == form.strip()  # to the letter: nothing in it can take it back
        if surface == normalise(form) and (same or not takes_back(answer, form, gold.kind, question)):
            return "alias" if place else "exact"
    return ""


def _best(codes: Iterable[str]) -> str:
    """Return the code that speaks most for the answer: yes, then unsure, then the first no."""
    rank = {"yes": 0, "unsure": 1, "no": 2}
    return min(codes, key=lambda code: (rank[_CODES[code][0]], _ORDER[code]), default="empty")


def _code(answer: str, reference: str, kind: str, context: Context) -> str:
    """Return the code of an answer against one reference."""
    readings = readings_of(reference, kind)
    if not readings:
        return "different"
    tokens = mark_hedges(tokenise(answer, literal=readings[0].literal))
    if not any(token.kind not in SEPARATORS for token in tokens):
        return "different"
    if len(tokens) > max(MAX_TOKENS, 4 * len(readings[0].whole)):
        return "too_long"
    polar = _polarity(readings[0])
    if polar:
        code = _polar_code(polar, tokens, context)
        rest = replace(readings[0], parts=readings[0].parts[1:], one=readings[0].one[1:])
        detail = compare(rest, tokens, context) if code == "polarity" and rest.parts else ""
        return detail if detail in CONFLICTS else code
    negators = max(sum(token.kind == "not" for token in reading.whole) for reading in readings)
    if negators:
        code = _compare_options(readings, tokens, context)
        more = sum(token.kind == "not" for token in tokens) > negators
        if more and _CODES[code][0] != "no":
            return "negated"
        return "doubtful" if _CODES[code][0] == "yes" and _doubts(readings, tokens) else code
    return _claimed_code(readings, tokens, context)


def _claimed_code(readings: Sequence[Reading], tokens: list[Token], context: Context) -> str:
    claims = read_claims(tokens)
    if claims.retracted or (claims.denied and _says(readings, claims.denied, context)):
        return "negated"
    zero = len(readings[0].whole) == 1 and readings[0].whole[0].value == 0
    none = any(token.kind == "not" for token in tokens) or _refuses(claims.asserted)
    if zero and none and not any(token.value for token in tokens):
        return "none_is_zero"
    code = _compare_options(readings, claims.asserted, context)
    if _CODES[code][0] == "no" and _says(readings, claims.doubtful, context):
        return "doubtful"
    if code in ("empty", "different"):
        return _nothing(readings[0], claims.asserted, bool(claims.denied))
    unclear = any(not context.harmless(token) for token in claims.doubtful) or _doubts(readings, tokens)
    return "doubtful" if unclear and _CODES[code][0] == "yes" else code


def _doubts(readings: Sequence[Reading], tokens: Sequence[Token]) -> bool:
    """Tell whether an answer has words that may take back what it says."""
    if len(split(tokens)) > 1 and any(token.raw == "?" for token in tokens):
        return True
    known = {token.raw for reading in readings for token in reading.whole}
    return any(token.raw in DOUBTS and token.raw not in known for token in tokens)


def _says(readings: Sequence[Reading], tokens: list[Token], context: Context) -> bool:
    """Tell whether tokens hold a reading, whatever else they hold."""
    code = _compare_options(readings, tokens, context) if tokens else "empty"
    return _CODES[code][0] == "yes" or code in ("hedged", "extra_detail", "extra_item", "listed_everything")


def _refuses(tokens: Iterable[Token]) -> bool:
    return any(token.raw in REFUSALS for token in tokens)


def _nothing(reading: Reading, asserted: Sequence[Token], denied: bool) -> str:
    words = [token for token in asserted if token.kind not in SEPARATORS and token.raw not in STOP]
    if not words:
        return "negated" if denied else "empty"
    if _refuses(words):
        return "refused"
    foreign = [token for token in words if token.raw not in FILLER]
    if foreign and reading.whole[0].kind == "word" and _is_latin(reading.whole) != _is_latin(foreign):
        return "other_script"
    return "different"


def _is_latin(tokens: Iterable[Token]) -> bool:
    return not any(is_han(token) or (token.raw[:1].isalpha() and token.raw[0] > "\u024f") for token in tokens)


def _compare_options(readings: Sequence[Reading], tokens: list[Token], context: Context) -> str:
    """Compare an answer that may leave alternatives open: each must be right by some reading."""
    if 1 <= sum(token.kind == "or" for token in tokens) <= readings[0].alternatives:
        together = [_AND if token.kind == "or" else token for token in tokens]
        code = _best(compare(reading, together, context) for reading in readings)
        if _CODES[code][0] == "yes":  # the alternatives that the reference has itself
            return code
    if len(tokens) > MAX_OPEN_TOKENS and any(token.kind == "or" for token in tokens):
        return "buried"
    code = "hedged"
    for whole in (True, False):
        leaves = options(tokens, whole=whole)
        codes = [_best(compare(reading, leaf, context) for reading in readings) for leaf in leaves]
        values = {_CODES[code][0] for code in codes}
        if len(values) == 1:
            code = _best(codes)
        elif values:
            code = "hedged" if "no" in values else "doubtful"
        if "yes" in values or len(leaves) == 1:
            return code
    return code


def _polarity(reading: Reading) -> str:
    """Return ``yes`` or ``no`` when the reference opens with it and stops or pauses behind it."""
    first = reading.parts[0]
    if len(first) != 1 or reading.literal:
        return ""
    if first[0].raw in ("yes", "true", "correct"):
        return "yes"
    return "no" if first[0].raw in ("no", "false", "incorrect") else ""


def _polar_code(polar: str, tokens: Sequence[Token], context: Context) -> str:
    words = [token for token in tokens if token.kind not in SEPARATORS and token.raw not in STOP - YES]
    if not words:
        return _short_code(polar, tokens)
    if _refuses(words) and words[0].raw not in YES | NO:
        return "refused"
    affirms = any(token.raw in YES for token in words)
    denies = any(token.kind == "not" or token.raw in NO for token in words)
    if (affirms and denies) or any(token.kind == "or" for token in tokens):
        return "hedged"
    if _denies_twice(tokens):
        return "no_polarity"
    if affirms or denies:
        said = "yes" if affirms else "no"
        opens = words[0].raw in YES | NO or words[0].kind == "not" or all(map(context.harmless, words[:-1]))
        if said != polar:
            return "wrong_polarity"
        doubted = any(token.raw in DOUBTS - NO - REFUSALS for token in tokens)
        return "polarity" if (opens or denies) and not doubted else "no_polarity"
    return "no_polarity"


def _short_code(polar: str, tokens: Sequence[Token]) -> str:
    """Return the code of an answer of small words only: "it does" affirms, "does it" and "if so" do not."""
    spoken = [token.raw for token in tokens if token.kind not in SEPARATORS]
    plain = len(spoken) == 2 and spoken[0] in PRONOUNS
    if plain and spoken[1] in _AFFIRMING:
        return "polarity" if polar == "yes" else "wrong_polarity"
    return "no_polarity" if any(word in AUXILIARIES for word in spoken) else "refused"


def _denies_twice(tokens: Sequence[Token]) -> bool:
    """Tell "not no" and "never say no" from "no, it does not" and "no it is not"."""
    pieces = split(tokens)
    return any(
        piece[0].raw not in NO and sum(token.kind == "not" for token in piece) > 1
        for piece in pieces
        if piece
    )
