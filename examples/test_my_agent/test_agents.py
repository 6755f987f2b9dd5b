"""Tests of two agents: what they do is compared with goldens.

pytest examples/test_my_agent                    compare
pytest examples/test_my_agent --mosaic-update    write the goldens anew
pytest examples/test_my_agent --mosaic-live      call the real model, compare
"""

from __future__ import annotations

import agent_a
import agent_b

ENV = "InterLV-L1-v0"
#: One hop each: what one search and a look can answer. The stored tasks are those that it cannot.
EASY = [f"interlv-l1/train/1-1/{number}" for number in range(80)]


def test_agent_a(mosaic):
    """One search, one look, one colour; and the same calls as ever."""
    run = mosaic.play(agent_a.agent, env=ENV, seed=0)
    assert run.calls("local_text_search_with_image") == 1 and run.pictures <= 2
    assert run.answer in agent_a.COLOURS or run.answer == "unknown"
    run.check_golden()


def test_agent_a_on_easy_tasks(mosaic):
    """What it solved it still solves."""
    trials = mosaic.trials(agent_a.agent, EASY, k=1, env=ENV, source="generated", difficulty=(1, 1))
    print(trials)
    low, _ = trials.interval()
    assert low > 0.0
    trials.check_golden()


def test_agent_b(mosaic):
    """The model's words are recorded, so what moves is known."""
    ask = mosaic.model(agent_b.pretend_model)  # recorded; later runs need no model
    run = mosaic.play(agent_b.make_agent(ask), env=ENV, seed=1)
    assert run.interactions <= 3
    run.check_golden()
