"""Whether an answer is right: rules first, a language model only for what rules leave open.

    verdict  reading YES or NO from a model's reply, strictly
    prompt   the request: criteria in words, question and answers as data that cannot be left
    judge    ``Judge(model, cache=None).decide(answer, gold, question)`` and ``judge_episode(episode, gold, judge)``

Reads gold. Importing this imports none of them.
"""
