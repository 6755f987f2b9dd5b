"""Filters that play: whether tasks can be solved, only by searching and looking, and not by guessing.

    play           many episodes at once under the rules of an environment, with room for a fault on purpose
    controls       faults on purpose: pictures off, image tools off, random rows, a hop's entity missing
    cases          tasks with what one search finds for each of them
    knowledge      what cheap strategies may learn from other tasks: constant guesses, vocabularies
    reading        answers found in texts and captions
    attackers      cheap strategies that must not beat a constant guess · ``classifier`` the one that learns
    difference     the interval of a difference of two rates over the same tasks
    report         the numbers and their verdicts · ``audit`` makes one · ``select`` keeps the sound tasks
    filtered       a world whose stored tasks passed
    counterfactual pairs of tasks that differ in what a picture shows · ``pairs`` makes them from generated tasks
    pair_audit     which agents get both tasks of a pair right

Reads gold. Importing this imports none of them.
"""
