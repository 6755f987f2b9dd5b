"""One reading of a reference against the asserted tokens of an answer: a reason code.

Three kinds of references have rules of their own (a colour, a number, a direction); all others
are found part by part. Must not: know aliases, alternatives or denials, which ``score`` resolves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mosaic_env.scoring.context import Context, claimed
from mosaic_env.scoring.fit import GOOD, Match, find, find_date, find_shuffled, fit
from mosaic_env.scoring.kinds import compare_kind, is_total
from mosaic_env.scoring.lexer import join_words
from mosaic_env.scoring.phrases import MAX_FOREIGN, QUALITIES, leftovers, quality
from mosaic_env.scoring.readings import Reading
from mosaic_env.scoring.tokens import SEPARATORS, Token
from mosaic_env.scoring.words import DIRECTIONS

_WRONG = {"colour": "wrong_colour", **dict.fromkeys(("number", "ordinal", "measure"), "wrong_number")}
#: Codes that say that something stands where the reference has another thing of its kind.
CONFLICTS = frozenset({*_WRONG.values(), "wrong_direction", "opposite", "extra_colour", "part_missing"})
_CLOSE = ("same", "specific", "general", "near")
_AGAINST = ("missing", "extra", "wrong")


def compare(reading: Reading, tokens: Sequence[Token], context: Context) -> str:
    """Return the reason code of one reading against an answer without negators or alternatives.

    Cost: proportional to answer × reading; both are capped by ``score``.
    """
    answer = join_words(tokens, [token.text for token in reading.whole])
    if not any(token.kind not in SEPARATORS for token in answer):
        return "empty"
    code = "" if reading.literal else compare_kind(reading, answer, context)
    if code:
        return code
    known = [token.text for token in answer]
    parts = tuple(tuple(join_words(part, known)) for part in reading.parts)
    return _Search(replace(reading, parts=parts), answer, context).code()


@dataclass(slots=True)
class _Search:
    """The search for the parts of one reading in one answer."""

    reading: Reading
    answer: list[Token]
    context: Context
    used: set[int] = field(default_factory=set)

    def code(self) -> str:
        """Return the reason code."""
        matches = [self._place(part) for part in self.reading.parts]
        found = [match for match in matches if match is not None]
        if len(found) == len(matches):
            return self._found(found, self._singles())
        whole = self._find_whole()
        if whole is not None:
            self.used = set(whole.at)
            return self._found([whole], (False,))
        pairs = zip(self.reading.parts, matches, strict=True)
        return self._missing([part for part, match in pairs if match is None])

    def _singles(self) -> tuple[bool, ...]:
        return self.reading.one or (False,) * len(self.reading.parts)

    def _required(self, part: Sequence[Token]) -> list[Token]:
        if self.reading.literal or self.reading.named:
            return list(part)
        kept = [token for token in part if not self.context.forgivable(token)] or list(part)
        if len(kept) > 1 and self.context.asked_for(kept[-1]):
            kept = kept[:-1]
        counted = len(kept) == 2 and kept[0].kind == "number" and kept[1].kind == "word"
        return kept[:1] if counted and self.context.counting else kept

    def _place(self, part: Sequence[Token]) -> Match | None:
        """Find a part where it fits best, mark its tokens as used, return its place."""
        required = self._required(part)
        for kinds in (SEPARATORS, SEPARATORS - {"comma"}):
            found = [self._find(required, positions) for positions in self._pieces(kinds)]
            matches = [match for match in found if match is not None]
            if matches:
                best = min(matches, key=self._rank)
                self.used.update(best.at)
                return best
        return None

    def _rank(self, match: Match) -> int:
        return QUALITIES.index(quality(match, self.answer, self.context))

    def _find(self, required: Sequence[Token], positions: Sequence[int]) -> Match | None:
        match = find(required, self.answer, positions, literal=self.reading.literal)
        if match or self.reading.literal:
            return match
        return find_date(required, self.answer, positions) or find_shuffled(required, self.answer, positions)

    def _find_whole(self) -> Match | None:
        """Find all parts in the reference's own order, whatever separates them."""
        required = [token for part in self.reading.parts for token in self._required(part)]
        positions = [at for at, token in enumerate(self.answer) if token.kind not in SEPARATORS]
        match = find(required, self.answer, positions, literal=self.reading.literal)
        if match is None or len(required) < 2:
            return None
        inside = set(range(match.at[0], match.at[-1])) - set(match.at)
        return match if all(self.context.harmless(self.answer[at]) for at in inside) else None

    def _pieces(self, kinds: frozenset[str]) -> list[list[int]]:
        pieces: list[list[int]] = [[]]
        for at, token in enumerate(self.answer):
            if token.kind in kinds:
                pieces.append([])
            elif token.kind not in SEPARATORS and at not in self.used:
                pieces[-1].append(at)
        return [piece for piece in pieces if piece]

    def _found(self, matches: Sequence[Match], singles: Sequence[bool]) -> str:
        if self.context.ordered and len(matches) > 1 and not self._in_order():
            return "wrong_order"
        own = self.used | {at for at, token in enumerate(self.answer) if self._known(token)}
        qualities = [
            quality(match, self.answer, self.context, one=one, used=own, closed=self._closed(match))
            for match, one in zip(matches, singles, strict=True)
        ]
        self._restate()
        named = self.reading.named and not self.reading.literal
        items = leftovers(self.answer, self.used, self.context, named=named)
        if items >= MAX_FOREIGN:
            return "buried"
        if items >= max(2, len(qualities)):
            return "listed_everything"
        if items:
            return "extra_item"
        worst = max(qualities, key=QUALITIES.index)
        if worst == "extra_detail" or self._rivals():
            return "extra_detail"
        return worst if len(qualities) == 1 or self._in_order() else "list"

    def _closed(self, match: Match) -> bool:
        """Tell whether the match does without a noun of the reference that the answer never names."""
        nouns = [token for token in self.reading.whole if self.context.asked_for(token)]
        named = {token.text for token in self.answer}
        return any(token.text not in named for token in nouns) and len(match.at) < len(self.reading.whole)

    def _restate(self) -> None:
        """Count a piece that says a one-part reference again as used: "a heron, a bird with long legs"."""
        if len(self.reading.parts) > 1:
            return
        required = self._required(self.reading.parts[0])
        for positions in self._pieces(SEPARATORS):
            match = self._find(required, positions)
            if match is not None:
                self.used.update(match.at)

    def _in_order(self) -> bool:
        """Tell whether the used tokens stand in the reference's order."""
        wanted = [token for part in self.reading.parts for token in self._required(part)]
        taken = [self.answer[at] for at in sorted(self.used)][: len(wanted)]
        pairs = zip(wanted, taken, strict=False)
        return all(fit(gold, token, literal=self.reading.literal) in GOOD for gold, token in pairs)

    def _rivals(self) -> bool:
        """Tell whether a second colour or number stands where the reference has one."""
        kinds = {token.kind for token in self.reading.whole} & {"colour", "number", "measure"}
        for at in claimed(self.answer, self.context):
            token = self.answer[at]
            if at in self.used or token.kind not in kinds or is_total(self.answer, at):
                continue
            if all(fit(gold, token) not in GOOD for gold in self.reading.whole):
                return True
        return False

    def _missing(self, missing: Sequence[Sequence[Token]]) -> str:
        unused = (token for at, token in enumerate(self.answer) if at not in self.used)
        free = list(dict.fromkeys(unused))
        states = [self._state(self._required(part), free) for part in missing]
        conflicts = [state for state in states if state in CONFLICTS]
        if conflicts:
            return conflicts[0]
        if "none" not in states:
            return next((state for state in ("spelling", "near_colour") if state in states), states[0])
        if len(missing) < len(self.reading.parts) or len(set(states)) > 1:
            return "part_missing" if self.reading.listed else "less_specific"
        return "different"

    def _state(self, part: Sequence[Token], free: Sequence[Token]) -> str:
        """Return how far a part is there: a conflict's code, less_specific, spelling, partial or none."""
        others = [token for token in free if not self._known(token)]
        best = [self._best(gold, free, _CLOSE) or self._best(gold, others, _AGAINST) for gold in part]
        for gold, found in zip(part, best, strict=True):
            if found in _AGAINST:
                return self._conflict(gold, found, others)
        near = sum(found == "near" for found in best)
        there = sum(found in GOOD or found == "general" for found in best)
        if near and near + there == len(part):
            return "near_colour" if any(token.shades for token in part) else "spelling"
        strange = sum(not self.context.harmless(token) for token in free)
        if 2 * (there + near) >= len(part) and there + near:
            return "less_specific" if there + near == len(part) or strange <= there + near else "partial"
        long = len(part) >= 4 and strange >= 3
        return "partial" if there + near and long else "none"

    def _conflict(self, gold: Token, found: str, others: Sequence[Token]) -> str:
        if found == "missing":
            return "part_missing"
        if found == "extra":
            mine = {name for token in self.reading.whole for shade in token.shades for name in shade.names}
            said = {name for token in others for shade in token.shades for name in shade.names}
            return "less_specific" if said <= mine else "extra_colour"
        return _WRONG.get(gold.kind, "wrong_direction" if gold.text in DIRECTIONS else "opposite")

    def _known(self, token: Token) -> bool:
        return any(fit(gold, token) in GOOD for gold in self.reading.whole)

    def _best(self, gold: Token, tokens: Sequence[Token], order: Sequence[str]) -> str:
        fits = {fit(gold, token, literal=self.reading.literal) for token in tokens}
        return next((found for found in order if found in fits), "")
