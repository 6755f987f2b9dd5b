"""What a run's episodes say, as tables: pure functions from scored episodes.

    summary    ``summarise(scored, unplayed, facts, direct=None, ablations={}) -> Summary``: everything below
    groups     all, by level, single-chain and multi-branch, repeats
    constant   the best constant guess of each type of question
    accuracy   accuracy by level, by chain, by type of question, Direct against tools
    retrieval  R@5 and what answers owe to retrieval
    tools      which tools were called, and how the calls ended
    pivots     queries that pictures led to
    budget     interactions, answers in the extra turn, tokens, cost
    failures   one reason for each task that was not solved
    rescoring  verdicts that are others than when the episodes were played
    ablation   several runs side by side

Must not: open anything. The order of the episodes does not matter. Importing this imports none of them.
"""
