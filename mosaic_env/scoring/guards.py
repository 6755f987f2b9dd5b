"""A last look at an answer that got yes: signs that it names the reference without meaning it.

Each finding turns a yes into ``unsure``; none makes a yes. What the reference has itself is never
held against an answer. Must not: find matches, or say no.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from mosaic_env.scoring import amounts, denials
from mosaic_env.scoring.colours import colour_name
from mosaic_env.scoring.context import MAX_QUESTION, Context, read_question
from mosaic_env.scoring.fit import GOOD, fit
from mosaic_env.scoring.lexer import stem, tokenise
from mosaic_env.scoring.normalise import fold
from mosaic_env.scoring.readings import is_literal
from mosaic_env.scoring.synonyms import KINDS
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import DIRECTIONS, FILLER, NO, PLACES, PREPOSITIONS, STOP, YES

_WORD = re.compile(r"\w+(?:'\w+)*")
_COMPOUND = re.compile(r"\b\w++(?:-\w++)+")
_TITLED = re.compile(r"\b([A-Z][a-z]+)s?[ -]+([A-Z][a-z]+)")
_PRIMES = re.compile(r"(?<=\d) ?(?:''|[\"'′″])(?!\w)")
_MINUS = re.compile(r"−\s+\d")
_LABELS = re.compile(r"#\s?(?=\d)|\bno\. ?(?=\d)|\bnr\.? ?(?=\d)")
_PROPER = re.compile(r"[A-Z][a-z]+")
_ASKED_PLACE = r"\b{0}\s+(?:what|which|whom|who|where)\b|\b{0}\s*\W*$"


def takes_back(answer: str, reference: str, kind: str = "", question: str = "", *, written: str = "") -> bool:
    """Tell whether an answer may not mean the reference that it names.

    Args:
        written: The answer before a repetition of the question was cut out; the answer when empty.
    Cost: linear in answer and reference, apart from pairs of their words.
    """
    said, meant = fold(answer), fold(reference)
    return (
        _signs(written or answer, reference, question)
        or ("?" in said and "?" not in meant)
        or _patterns(said, meant, polar=_first(meant) in YES | NO)
        or _words(said, meant, question)
        or _Surroundings(answer, reference, kind, question).doubtful()
    )


def _first(text: str) -> str:
    found = _WORD.search(text)
    return found.group() if found else ""


def _signs(answer: str, reference: str, question: str) -> bool:
    """Look for signs that folding drops or changes: "red ❌", "3°", "³", "− 3", '3"'."""
    new = set(answer) - set(reference) - set(question)
    if new & (denials.SIGNS_OF_DENIAL | denials.SIGNS_OF_RANGE) or ("−" in new and _MINUS.search(answer)):
        return True
    closed = not answer.count('"') % 2 and not answer.count("'") % 2
    return any(
        match.group().strip() not in reference and not (closed and match.group().strip() in "\"'")
        for match in _PRIMES.finditer(answer)
    )


def _patterns(said: str, meant: str, *, polar: bool) -> bool:
    """Look for operators, strikes, arrows, judgements and phrases of doubt."""
    patterns = (denials.STRIKES, denials.OPERATORS, denials.PHRASES_OF_DOUBT)
    if any(pattern.search(said) and not pattern.search(meant) for pattern in patterns):
        return True
    if denials.FROM_TO.search(said) and " to " not in meant:
        return True
    if not polar and _judges(said, meant):
        return True
    return bool(not denials.ARROWS.search(meant) and any(map(_turns, _before_arrows(said))))


def _judges(said: str, meant: str) -> bool:
    """Tell whether an answer judges itself; "the result is right" may mean a side."""
    own = set(_WORD.findall(meant))
    found = (_WORD.findall(match.group()) for match in denials.JUDGEMENTS.finditer(said))
    return any(not words or words[-1] not in own for words in found)


def _before_arrows(text: str) -> Iterable[str]:
    return denials.ARROWS.split(text)[:-1]


def _turns(text: str) -> bool:
    """Tell whether what stands before an arrow says more than "answer"."""
    return any(word not in FILLER and word not in STOP for word in _WORD.findall(text))


def _words(said: str, meant: str, question: str) -> bool:
    """Look for words and affixes that take back what stands beside them."""
    known = {*_WORD.findall(meant), *_WORD.findall(fold(question[:MAX_QUESTION]))}
    own = set(_WORD.findall(meant))
    words = _WORD.findall(said)
    if any(word in denials.TAKES_BACK and word not in known for word in words):
        return True
    if any(word in denials.FOREIGN and word not in own for word in words):
        return True
    if any(part in said and part not in meant for part in denials.FOREIGN_PARTS):
        return True
    shaped = denials.SHAPED.search(said)
    if shaped and shaped.group(1) in own and "shape" not in question and "shaped" not in own:
        return True
    if words and words[0] == "but" and own and "but" not in own:
        return True
    stems = {stem(word) for word in own}
    return any(_affixed(found.split("-"), own, stems) for found in _COMPOUND.findall(said))


def _affixed(members: Sequence[str], own: set[str], stems: set[str]) -> bool:
    """Tell whether a compound denies a word of the reference, a colour or a number."""
    prefixed = members[0] in denials.PREFIXES and members[0] not in own
    suffixed = members[-1] in denials.SUFFIXES and members[-1] not in own
    if not prefixed and not suffixed:
        return False
    return any(stem(word) in stems or word in own or colour_name(word) or word.isdigit() for word in members)


class _Surroundings:
    """The words beside those that the reference names."""

    def __init__(self, answer: str, reference: str, kind: str, question: str) -> None:
        literal = is_literal(reference, kind)
        self.answer = answer
        self.reference = reference
        self.question = fold(question[:MAX_QUESTION])
        self.context: Context = read_question(question)
        self.tokens = tokenise(answer, literal=literal)
        self.gold = [token for token in tokenise(reference, literal=literal) if _tells(token)]
        self.texts = {token.text for token in self.gold}
        self.amounts = [*{token for token in self.gold if token.value is not None or token.shades}]
        self.own = {token.raw for token in self.gold} | set(_WORD.findall(fold(reference)))
        self.literal = literal
        counted = "number" not in self.question and not _LABELS.search(reference.lower())
        self.labelled = counted and bool(_LABELS.search(answer.lower()))

    def doubtful(self) -> bool:
        """Tell whether a neighbour changes what a named word means."""
        places = [at for at, token in enumerate(self.tokens) if self._named(token)]
        ends_denied = not self.own & NO and any(token.kind == "not" for token in self._last())
        return (
            ends_denied
            or any(self._changed_before(at) or self._changed_behind(at) for at in places)
            or self._is_title()
        )

    def _raw(self, at: int) -> str:
        return self.tokens[at].raw if at < len(self.tokens) else ""

    def _last(self) -> Sequence[Token]:
        spoken = [token for token in self.tokens if token.kind not in SEPARATORS]
        return spoken[-1:] if len(spoken) > 1 else []

    def _named(self, token: Token) -> bool:
        if not _tells(token):
            return False
        if token.value is None and not token.shades:
            return token.text in self.texts or (not self.literal and KINDS.get(token.text) in self.texts)
        return any(fit(gold, token, literal=self.literal) in GOOD for gold in self.amounts)

    def _changed_before(self, at: int) -> bool:
        token, to = self.tokens[at], at - 1
        passed: list[str] = []
        while to >= 0 and self.tokens[to].raw in denials.SMALL:
            passed.append(self.tokens[to].raw)
            to -= 1
        if token.value is not None and passed[:1] == ["the"] and self._raw(at + 1) == "of":
            return True  # "the 3 of clubs"
        if to < 0 or self.tokens[to].kind in SEPARATORS:
            return False
        before = self.tokens[to]
        if before.raw in self.own or before.text in self.own:
            return False
        if token.shades and _is_share(before):
            return True
        if token.shades and passed[-1:] == ["of"] and before.raw in ("kind", "sort", "complement"):
            return True
        if passed[-1:] == ["of"] and before.text in DIRECTIONS | PLACES and not self._is_about_place():
            return True
        return self._is_changing(before, token)

    def _is_changing(self, before: Token, token: Token) -> bool:
        if before.raw not in denials.BEFORE | denials.LOOSE_PREFIXES:
            return False
        if token.value is None and before.raw in denials.ROUGHLY:
            return False
        return before.raw not in PREPOSITIONS or not _is_asked(before.raw, self.question)

    def _is_about_place(self) -> bool:
        return any(token.text in DIRECTIONS | PLACES for token in self.gold)

    def _changed_behind(self, at: int) -> bool:
        token = self.tokens[at]
        behind = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if token.kind == "measure" and not any(gold.kind == "measure" for gold in self.gold):
            return not self._asks_unit(token.unit)
        if behind is None or behind.raw in self.own or behind.text in self.context.words:
            return self._is_label(token)
        if token.value is not None and behind.raw in denials.NUMBER_TAILS:
            return True
        if token.shades and (behind.raw in denials.COLOUR_NAMES or _is_share(behind)):
            return True
        return behind.raw in denials.LOOSE_SUFFIXES or self._is_label(token)

    def _asks_unit(self, unit: str) -> bool:
        if any(amounts.UNITS.get(key, ("",))[0] == unit for key in self.context.keys):
            return True
        return bool(denials.ASKS_AMOUNT.search(self.question))

    def _is_label(self, token: Token) -> bool:
        """Tell "#3" and "No. 3" from a count, unless a number is asked for."""
        return token.kind == "number" and self.labelled

    def _is_title(self) -> bool:
        """Tell "Red Sea" and "New Paris" by their capitals from a colour and a place."""
        if self.reference != self.reference.strip() or len(self.gold) != 1 or self.literal:
            return False
        idle = STOP | FILLER
        for first, second in _TITLED.findall(self.answer):
            one, other = first.lower(), second.lower()
            if {one, other} & idle or {other, stem(other)} & self.context.keys:
                continue
            if colour_name(one) and self.gold[0].shades and not colour_name(other):
                return True
            if one in denials.PLACE_NAMES and other in self.own and _PROPER.fullmatch(self.reference):
                return True
        proper = bool(_PROPER.fullmatch(self.reference)) and self.reference in self.answer
        pairs = pairwise(token.raw for token in self.tokens)
        turned = DIRECTIONS | denials.PLACE_NAMES
        return proper and any(one in turned and other in self.own for one, other in pairs)


def _tells(token: Token) -> bool:
    return token.kind not in SEPARATORS and token.kind != "not" and token.raw not in STOP


def _is_share(token: Token) -> bool:
    """Tell whether a token says none or a part: 0, 50 %, 1/2."""
    return token.value is not None and (token.value < 1 or token.unit == "percent")


@functools.lru_cache(maxsize=256)
def _is_asked(preposition: str, question: str) -> bool:
    """Tell whether a question asks for what stands behind a preposition: "near which city", "is it near?"."""
    return bool(re.search(_ASKED_PLACE.format(re.escape(preposition)), question))
