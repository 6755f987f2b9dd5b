"""The final-answer channel of a model's text.

Used where a model's whole text is the answer: answer-only turns and direct answering. It sees one
text, the model's own last message; answer tags in tool output or earlier turns never reach it.
Must not: judge, or change the words of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mosaic_env.scoring.words import word_set

#: Their content is never an answer; a stray closing tag hides all before it.
_THOUGHTS = word_set("think thinking thought thoughts reasoning reflection scratchpad analysis")
#: Tool output that a model writes itself.
_QUOTED = word_set("tool_response tool_result tool_output information observation")
_ANSWERS = word_set("done answer final_answer")
_TAG = re.compile(
    rf"<(/?)({'|'.join(sorted(_THOUGHTS | _QUOTED | _ANSWERS))})\b[^<>]{{0,80}}>",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\f?boxed\s{0,3}\{")
_BRACE = re.compile(r"[{}]")
_LATEX_TEXT = re.compile(r"\s*\\(?:text|mathrm|textbf|mathbf)\{([^{}]*)\}\s*")
_LEAD_IN = re.compile(
    r"\b(?:final|my)[ ]answer[*_ ]{0,4}(?:is\b|are\b|[:：=])"
    r"|\bthe[ ](?:final[ ]|correct[ ]|right[ ])?answer[*_ ]{0,4}(?:is\b|[:：=])"
    r"|^[ \t#>*_-]{0,8}answer[*_ ]{0,4}[:：]"
    r"|答案(?:是|为|：|:)",
    re.IGNORECASE | re.MULTILINE,
)
_WRAPPERS = ("**", "__", "$$", "$", "`", "*")
_MAX_NESTING = 3
#: A box that is not closed within so many characters is read to the end.
_MAX_BOX = 10_000


def final_answer(text: str) -> str:
    r"""Return the final answer that a model's text gives, stripped.

    Thought blocks are dropped, closed or not. Then the last ``<done>``, ``<answer>`` or
    ``<final_answer>`` counts, then the last ``\boxed{}`` (in the tag, or behind it), then what follows
    the last "final answer:" or "the answer is", then the whole text. An empty tag is an empty answer.

    Args:
        text: One message of the model, any length.
    Returns: The answer, ``""`` when there is none.
    Cost: linear; 10 MB take about a second at worst.
    """
    visible, tagged = _visible(text)
    answer, behind = tagged if tagged is not None else (visible, "")
    boxed = _boxed(behind)
    if boxed is not None:
        answer = boxed
    for _ in range(_MAX_NESTING):
        inner = _boxed(answer)
        if inner is None:
            inner = _after_lead_in(answer)
        if inner is None or inner == answer:
            break
        answer = inner
    return _unwrap(answer)


def without_thoughts(text: str) -> str:
    """Return a text without thought blocks and quoted tool output, closed or not.

    A closing tag of a thought without an opening one hides everything before it: chat templates
    often write the opening tag into the prompt.

    Cost: linear.
    """
    return _visible(text)[0]


def _visible(text: str) -> tuple[str, tuple[str, str] | None]:
    """Return the visible text, and the last answer tag's content with what follows it, or None."""
    kept: list[str] = []
    content_at = behind_at = -1
    depth = start = 0
    for match in _tags(text):
        closing, name = bool(match.group(1)), match.group(2).lower()
        if name in _ANSWERS:
            if depth:
                continue
            kept += [text[start : match.start()], match.group()]
            start = match.end()
            if not closing:
                content_at, behind_at = len(kept), -1
            elif content_at >= 0 and behind_at < 0:
                behind_at = len(kept)
            continue
        if depth == 0:
            kept.append(text[start : match.start()])
        if depth == 0 and closing and name in _THOUGHTS:
            kept, content_at, behind_at = [], -1, -1
        depth = max(0, depth - 1) if closing else depth + 1
        start = match.end()
    if depth == 0:
        kept.append(text[start:])
    visible = "".join(kept).strip()
    if content_at < 0:
        return visible, None
    end = behind_at - 1 if behind_at >= 0 else len(kept)
    return visible, ("".join(kept[content_at:end]).strip(), "".join(kept[end:]))


def _tags(text: str) -> Iterator[re.Match[str]]:
    return _TAG.finditer(text) if ">" in text else iter(())


def _boxed(text: str) -> str | None:
    """Return the content of the last box, or None."""
    last: re.Match[str] | None = None
    for match in _BOXED.finditer(text):
        last = match
    if last is None:
        return None
    depth = 1
    for brace in _BRACE.finditer(text, last.end(), last.end() + _MAX_BOX):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return _latex_text(text[last.end() : brace.start()])
    return text[last.end() :].strip()


def _latex_text(text: str) -> str:
    match = _LATEX_TEXT.fullmatch(text)
    return (match.group(1) if match else text).strip()


def _after_lead_in(text: str) -> str | None:
    """Return the line that follows the last lead-in, or None when nothing does."""
    last: re.Match[str] | None = None
    for match in _LEAD_IN.finditer(text):
        last = match
    if last is None:
        return None
    line = text[last.end() :].lstrip(" \t\r\n:：=").split("\n", 1)[0]
    if line.count("**") == 1:  # "**Final answer:** red" closes what the lead-in opened
        line = line.replace("**", "", 1)
    return _unwrap(line) or None


def _unwrap(text: str) -> str:
    """Strip white space and Markdown around an answer."""
    text = text.strip()
    for mark in _WRAPPERS:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text = text[len(mark) : -len(mark)].strip()
    return text
