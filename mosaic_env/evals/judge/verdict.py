"""Reading a verdict from a judge's reply: one YES or NO that stands alone, or nothing.

    reply     what stands before the end of a thought is left out; a thought that does not end cannot be read
    segment   what stands between line ends and ``. , ; : ! ?``
    verdict   a segment of the word YES or NO alone, in any case, in quotes, brackets, ``*``, ``_``, ````` or ``#``

A reply is read when exactly one segment is a verdict and

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
_WORD = re.compile(r"[a-z]+(?:['’]t)?")
_DENIALS = word_set(
    "not no never cannot can't don't doesn't isn't aren't wasn't wouldn't couldn't shouldn't neither nor hardly "
    "without wrong incorrect different false"
)
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
    segments = [(text.strip(_DECORATION).casefold(), end) for text, end in _SEGMENT.findall(visible)]
    places = [place for place, (text, _) in enumerate(segments) if text in ("yes", "no")]
    if len(places) != 1:
        return None
    place = places[0]
    word, end = segments[place]
    before, after = _words(segments[:place]), _words(segments[place + 1 :])
    if _asked(segments, place, end) or _DENIALS.intersection(before[-1:]):
        return None
    if word == "no":
        return "no"
    taken_back = _DOUBTS.intersection(before + after) or _DENIALS.intersection(after)
    return None if taken_back else "yes"


def _words(segments: list[tuple[str, str]]) -> list[str]:
    return [word.replace("’", "'") for text, _ in segments for word in _WORD.findall(text)]


def _asked(segments: list[tuple[str, str]], place: int, end: str) -> bool:
    """Tell whether a verdict is a question: "YES?", "YES!?"."""
    marks = [end]
    for text, mark in segments[place + 1 :]:
        if text:
            break
        marks.append(mark)
    return "?" in marks
