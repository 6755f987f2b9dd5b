"""Reading a verdict from a judge's reply: one YES or NO that stands alone, or nothing.

    reply     what stands before the end of a thought is left out; a thought that does not end cannot be read
    segment   what stands between line ends and ``. , ; : ! ?``
    verdict   a segment of the word YES or NO alone, in any case, in quotes, brackets, ``*``, ``_``, ````` or ``#``

A reply is read when exactly one segment is a verdict, no other has YES or NO in capitals, and

- no question mark follows it,
- the words before it do not end in a denial ("it is not: YES"),
- for YES, no word takes it back: a condition or doubt anywhere ("YES, but …", "YES if …"), a denial after it.

"There is no doubt: YES" is YES. "not YES", "YES or NO", "YES. NO.", "I would say yes" and "" are not read.
What is not read counts as NO: a judge that does not do as asked never makes an answer right.
"""

from __future__ import annotations

import re
from typing import Literal

from mosaic_env.scoring.words import word_set

_THOUGHT_ENDS = re.compile(r".*</(?:think|thinking|reasoning)>", re.IGNORECASE | re.DOTALL)
_THOUGHT_OPENS = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_SEGMENT = re.compile(r"([^\n\r.,;:!?]*)([\n\r.,;:!?]|$)")
_DECORATION = " \t\"'“”‘’()[]{}*_`#"
_SHOUTED = re.compile(r"\b(?:YES|NO)\b")
_WORD = re.compile(r"[a-z]+(?:['’]t)?")
_DENIALS = word_set(
    "not no never cannot can't don't doesn't isn't aren't wasn't wouldn't couldn't shouldn't neither nor hardly "
    "without"
)
_CONTRARY = _DENIALS | word_set("wrong incorrect different false")
_DOUBTS = word_set(
    "if unless but however although though except would could might may maybe perhaps possibly probably almost "
    "partly partially unsure uncertain or"
)
#: Longer replies are not read: a verdict is a word, perhaps with a sentence.
MAX_REPLY = 20_000


def read_verdict(reply: str) -> Literal["yes", "no"] | None:
    """Return the verdict of a reply, or None when it cannot be read.

    Args:
        reply: What the judge wrote, any text.
    Cost: linear.
    """
    if len(reply) > MAX_REPLY:
        return None
    visible = _THOUGHT_ENDS.sub("", reply, count=1)
    if _THOUGHT_OPENS.search(visible):
        return None
    pieces = [(text.strip(_DECORATION), end) for text, end in _SEGMENT.findall(visible)]
    places = [place for place, (text, _) in enumerate(pieces) if text.casefold() in ("yes", "no")]
    others = [text for place, (text, _) in enumerate(pieces) if place not in places]
    if len(places) != 1 or any(_SHOUTED.search(text) for text in others) or _asked(pieces, places[0]):
        return None
    before, after = _words(pieces[: places[0]]), _words(pieces[places[0] + 1 :])
    if _DENIALS.intersection(before[-1:]):
        return None
    if pieces[places[0]][0].casefold() == "no":
        return "no"
    taken_back = _CONTRARY.intersection(before[-1:] + after) or _DOUBTS.intersection(before + after)
    return None if taken_back else "yes"


def _words(pieces: list[tuple[str, str]]) -> list[str]:
    found = [word for text, _ in pieces for word in _WORD.findall(text.casefold())]
    return [word.replace("’", "'") for word in found]


def _asked(pieces: list[tuple[str, str]], place: int) -> bool:
    """Tell whether a verdict is a question: "YES?", "YES!?"."""
    marks = pieces[place][1]
    for text, mark in pieces[place + 1 :]:
        if text:
            break
        marks += mark
    return "?" in marks
