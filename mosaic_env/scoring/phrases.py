"""What stands around a match in an answer: harmless words, modifiers, or another thing.

Must not: decide a verdict, or know the reference beyond the match.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from mosaic_env.scoring.context import Context
from mosaic_env.scoring.fit import Match
from mosaic_env.scoring.synonyms import KINDS
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import (
    ARTICLES,
    COMPARATIVES,
    CONTAINERS,
    COPULAS,
    DIRECTIONS,
    FILLER,
    MONTHS,
    PLACES,
    PREPOSITIONS,
    PRIVATIVES,
    REMARKS,
    STOP,
    word_list,
    word_set,
)

Quality = Literal["equivalent", "contains", "more_specific", "extra_detail"]
QUALITIES: tuple[Quality, ...] = ("equivalent", "contains", "more_specific", "extra_detail")
#: More words than this beside the answer, and it is no longer an answer.
MAX_FOREIGN = 12
_MAX_HEAD = 3
_MAX_RUN = 4
_MAX_PHRASES = 2
_MAX_NOUNS_BEFORE = 1
_MAX_MODIFIERS = 5
_MODIFIER_ENDS = tuple(word_list("y ed ing en an ate ous al ar ic ish ful less ive like"))
_NOUNS_IN_ING = word_set("building painting clothing ceiling awning railing evening morning herring shilling")
_ADDITIONS = word_set("also another additionally besides")
_RELATIVES = word_set("which who whose")


def quality(
    match: Match,
    tokens: Sequence[Token],
    context: Context,
    *,
    one: bool = False,
    used: Collection[int] = (),
    closed: bool = False,
) -> Quality:
    """Return how the tokens around a match change what it says.

    ``extra_detail`` means that they may name another thing: "heron pond" or "a hill beside the
    heron" for "heron".

    Args:
        one: The reference is one thing, so a count before the match speaks against it.
        used: Positions that other parts of the reference explain.
        closed: A noun of the reference is left out, so none may stand in its place.
    """
    start, end = match.at[0], match.at[-1]
    low = next((at + 1 for at in range(start - 1, -1, -1) if tokens[at].kind in SEPARATORS), 0)
    high = next((at for at in range(end + 1, len(tokens)) if tokens[at].kind in SEPARATORS), len(tokens))
    taken = set(used) - set(match.at)
    before = [tokens[at] for at in range(low, start) if at not in taken]
    after = [tokens[at] for at in range(end + 1, high) if at not in taken]
    alone = start == end and tokens[start].value is not None
    dated = alone or any(tokens[at].text in MONTHS for at in match.at)
    checks = (
        _fine_inside(match, tokens, context),
        _fine_before(before, context, tokens[start], one=one, dated=dated),
        fine_after(after, context, tokens[end], closed=closed),
    )
    if not all(checks):
        return "extra_detail"
    around = [*before, *after]
    if match.specific or not all(context.harmless(token) for token in around):
        return "more_specific"
    return "contains" if any(token.raw not in STOP for token in around) else "equivalent"


def is_han(token: Token) -> bool:
    """Tell whether a token is a single Chinese character."""
    return len(token.raw) == 1 and token.raw >= "\u2e80" and token.raw.isalpha()


def _fine_inside(match: Match, tokens: Sequence[Token], context: Context) -> bool:
    for left, right in zip(match.at, match.at[1:], strict=False):
        gap = list(tokens[left + 1 : right])
        while gap and gap[-1].raw in ARTICLES:
            gap.pop()
        if gap and is_han(tokens[left]) and is_han(tokens[right]):
            return False
        foreign = [at for at, token in enumerate(gap) if not context.harmless(token)]
        if len(foreign) > 1 and any(gap[at].raw in PREPOSITIONS for at in foreign):
            return False
        if len(foreign) > 2 or (foreign and foreign[-1] - foreign[0] != len(foreign) - 1):
            return False
        if foreign and foreign[-1] != len(gap) - 1:
            return False
    return True


def _fine_before(before: Sequence[Token], context: Context, first: Token, *, one: bool, dated: bool) -> bool:
    verb = max((at for at, token in enumerate(before) if token.raw in COPULAS), default=-1)
    region = before[verb + 1 :]
    if any(token.raw in PRIVATIVES for token in region) or (is_han(first) and any(map(is_han, region[-1:]))):
        return False
    if first.value is not None and any(token.raw in COMPARATIVES for token in region[-1:]):
        return False
    if one and any(_is_count(region, at) for at in range(len(region))):
        return False
    if dated:  # "opened in 1987" says 1987
        return True
    if any(_is_loose(region, at) for at in range(len(region))):
        return False
    preposition = max((at for at, token in enumerate(region) if token.raw in PREPOSITIONS), default=-1)
    if any(not _is_frame(token, context) for token in region[: max(preposition, 0)]):
        return False
    modifiers = [token for token in region[preposition + 1 :] if not context.harmless(token)]
    nouns = [token for token in modifiers if not (token.adjective or token.raw.endswith(_MODIFIER_ENDS))]
    article = any(token.raw in ARTICLES for token in region[preposition + 1 :])
    return len(modifiers) <= _MAX_MODIFIERS and len(nouns) <= _MAX_NOUNS_BEFORE + article


def _is_count(region: Sequence[Token], at: int) -> bool:
    """Tell "three crowns" from "a five-pointed star"."""
    if region[at].kind != "number" or region[at].value == 1:
        return False
    return at + 1 == len(region) or not region[at + 1].raw.endswith("ed")


def _is_frame(token: Token, context: Context) -> bool:
    return context.harmless(token) or bool({token.raw, token.text} & (CONTAINERS | DIRECTIONS))


def fine_after(after: Sequence[Token], context: Context, last: Token, *, closed: bool = False) -> bool:
    """Tell whether what follows a match in its phrase leaves it what it is.

    Behind an adjective, number or colour a short noun may follow ("red iron gate"); behind a noun
    only what opens a modifier ("gate of iron", "gate holding a lamp").

    Args:
        closed: No noun may follow an adjective either.
    """
    if after and (after[0].raw in ARTICLES or (is_han(last) and is_han(after[0]))):
        return False
    verb = next((at for at, token in enumerate(after) if token.raw in COPULAS), len(after))
    told = [token for token in after[verb:] if not context.harmless(token) and token.raw not in COPULAS]
    if told and not (_points(told[0]) or _places(told[0])):
        return False
    return _fine_tail(after[:verb], context) and _fine_head(after[:verb], context, last, closed)


def _fine_head(after: Sequence[Token], context: Context, last: Token, closed: bool) -> bool:
    head = 0
    for at, token in enumerate(after):
        if _points(token) or token.raw in _RELATIVES or is_participle(token.raw):
            break
        if not context.harmless(token):
            before = after[at - 1] if at else last
            if KINDS.get(last.text) != token.text and (closed or not (last.adjective or before.adjective)):
                return False
            head += 1
    return head <= _MAX_HEAD


def _fine_tail(after: Sequence[Token], context: Context) -> bool:
    """Refuse a run of many words, and a further noun phrase that nothing ties to the match."""
    run = 0
    if sum(token.raw in PREPOSITIONS for token in after) > _MAX_PHRASES:
        return False
    for at, token in enumerate(after):
        tied = _points(token) or token.raw in STOP or context.harmless(token)
        run = 0 if tied else run + 1
        if run > _MAX_RUN or _is_loose(after, at):
            return False
    return True


def _is_loose(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a noun phrase starts here right behind another, as in a list without commas."""
    if not at or tokens[at].raw not in ARTICLES:
        return False
    before = tokens[at - 1]
    tied = before.raw in STOP or before.raw in FILLER or before.raw in COPULAS
    return not (tied or _points(before) or is_participle(before.raw) or (at > 1 and before.raw.endswith("s")))


def _points(token: Token) -> bool:
    return token.text in DIRECTIONS or token.raw in PREPOSITIONS


def _places(token: Token) -> bool:
    """Tell "is sitting" and "is shown", which leave a thing what it is, from "is replaced"."""
    return is_participle(token.raw) and (token.raw.endswith("ing") or token.raw in REMARKS | FILLER)


def is_participle(word: str) -> bool:
    """Tell whether a word looks like "holding" or "topped": "king" and "red" do not."""
    base = word.removesuffix("ing").removesuffix("ed")
    is_verb = base != word and len(base) > 2 and any(char in "aeiou" for char in base)
    return is_verb and word not in _NOUNS_IN_ING


def leftovers(
    tokens: Sequence[Token], used: Collection[int], context: Context, *, named: bool = False
) -> int:
    """Return how many further items an answer lists; ``MAX_FOREIGN`` and more when it buries.

    A remark ("seen near the gate", "which is old") or a whole further sentence is no item.

    Args:
        named: The reference is a name, so "an architect from Velm" behind it is a remark.
    """
    items = foreign = asides = 0
    opener, trailing, found = "clause", False, False
    for positions, separator in _numbered_pieces(tokens):
        piece = [tokens[at] for at in positions]
        strange = [token for token in piece if not context.harmless(token)]
        foreign += sum(not context.harmless(tokens[at]) for at in positions if at not in used)
        taken = [at for at in positions if at in used]
        if taken:
            found, trailing = True, any(tokens[at].raw in PREPOSITIONS for at in positions if at > taken[-1])
        elif named and piece[0].raw in ARTICLES and opener in ("comma", "open"):
            asides += 1
        elif not _is_remark(piece, opener) and not (opener == "and" and trailing):
            # Words of the question are an item only inside a list: "red, the dome of the hall".
            items += bool(strange) or (_from_question(piece, context) and (found or opener != "clause"))
            trailing = False
        opener = separator
    items += asides if asides > 1 else 0
    return items if foreign <= MAX_FOREIGN else MAX_FOREIGN + items


def _from_question(piece: Sequence[Token], context: Context) -> bool:
    own = STOP | FILLER | PLACES
    return any(token.text in context.words and not {token.raw, token.text} & own for token in piece)


def _numbered_pieces(tokens: Sequence[Token]) -> list[tuple[list[int], str]]:
    pieces: list[tuple[list[int], str]] = []
    current: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind in SEPARATORS:
            if current:
                pieces.append((current, token.kind))
            elif pieces and token.kind != "comma":
                pieces[-1] = (pieces[-1][0], token.kind)
            current = []
        else:
            current.append(at)
    return [*pieces, (current, "")] if current else pieces


def _is_remark(piece: Sequence[Token], opener: str) -> bool:
    if any(token.raw in _ADDITIONS for token in piece):
        return False
    opening = [token for token in piece if not token.raw.endswith("ly")] or piece
    first = opening[0].raw
    verb = next((at for at, token in enumerate(piece) if token.raw in COPULAS), -1)
    if verb >= 0 and first not in _RELATIVES:
        return opener == "clause" and not _names(piece[:verb], piece[verb + 1 :])
    return first in REMARKS | PREPOSITIONS or (is_participle(first) and len(piece) > 1)


def _names(subject: Sequence[Token], predicate: Sequence[Token]) -> bool:
    """Tell whether a sentence names a candidate: "it is a lion", not "it is seen on the left"."""
    if any(token.raw not in STOP and token.raw not in FILLER for token in subject):
        return False
    idle = (STOP | FILLER) - ARTICLES
    told = [token for token in predicate if token.raw not in idle and not token.raw.endswith("ly")]
    return bool(told) and not (_places(told[0]) or _points(told[0]))
