"""Reading a judge's reply: one verdict that stands alone, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_env.evals.judge.verdict import MAX_REPLY, read_verdict

YES = [
    "YES", "yes", "Yes.", " YES\n", "**YES**", "`YES`", '"YES"', "[YES]", "YES!", "# YES", "Verdict: YES",
    "There is no doubt: YES", "There is no doubt: **YES**.", "No doubt, YES", "YES, they name the same colour.",
    "The answer gives the same number.\nYES", "The answer gives the same number. YES.", '{"verdict": "YES"}',
    "<think>NO? Perhaps NO.</think>YES", "perhaps NO</think>\nYES",
]  # fmt: skip
NO = ["NO", "no.", "No", "**NO**", "NO: it says blue", "NO, but it is close", "Verdict: NO", "It is wrong.\nNO",
      "<think>YES</think>NO"]  # fmt: skip
UNREADABLE = [
    "", " ", "not YES", "Not yes.", "YES or NO", "YES/NO", "YES. NO.", "NO, YES", "YES YES", "YES\nYES", "YES?",
    "YES!?",
    "It is not: YES", "It isn't: YES", "There is no: YES", "YES, but only if blue is meant", "If in doubt: YES",
    "I would say: YES", "YES. That is wrong.", "YES, not.", "YES, it's different", "I would say yes", "maybe", "1",
    "ＹＥＳ", "YESNO", "yes-no", "<think>YES", "YES<think>", "да", "Y", "true", "NO?", "Y E S",
    "y" * (MAX_REPLY + 1), "YES " * 9000, "NO NO, YES", "NO doubt: YES", "It is wrong: YES",
]  # fmt: skip


@pytest.mark.parametrize("reply", YES)
def test_yes(reply: str) -> None:
    assert read_verdict(reply) == "yes"


@pytest.mark.parametrize("reply", NO)
def test_no(reply: str) -> None:
    assert read_verdict(reply) == "no"


@pytest.mark.parametrize("reply", UNREADABLE)
def test_unreadable(reply: str) -> None:
    assert read_verdict(reply) is None


@given(st.text())
def test_any_text_is_read_or_not(reply: str) -> None:
    assert read_verdict(reply) in ("yes", "no", None)


@given(
    st.lists(
        st.sampled_from(["YES", "NO", "not", "never", "if", "or", "wrong", ",", ".", "\n", "?"]), max_size=8
    )
)
def test_yes_needs_one_yes_and_no_no(words: list[str]) -> None:
    if read_verdict(" ".join(words)) == "yes":
        assert words.count("YES") == 1
        assert "NO" not in words
        assert not {"if", "or"} & set(words)
