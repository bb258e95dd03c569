"""Blueprints and trajectories -> verdicts: what is wrong, where, and what rejects; knows only schemas.

blueprints/    checks of a task before it is played
trajectories/  checks of a played dialogue, one module for each
recorded/      checks of a dialogue recorded elsewhere, by facts alone
findings/      results that several checks share: replay, calls matched with actions, confirmation
review/        reviews of tasks and dialogues: votes, a rubric of rules, feedback
curation/      accepted dialogues -> duplicates, contamination, secrets; the rows that cover most
rewards/       a dialogue of an agent in training -> its reward, part by part
labels/        a rejected dialogue -> what went wrong first, and whose fault it was
chain.py       the checks of a trajectory in their order, up to the first that rejects

Order: findings, trajectories, blueprints, chain, labels; review and curation are independent. No verdict depends on what
words look like: calls, results, values and acts decide, and reviewers the rest (docs/decisions/0015-acts-decide-words-do-not.md).
A code of a check that is there goes into that check. To add a check of dialogues, add a module to trajectories/ and its line in `trajectory_checks` in chain.py; for tasks, a module
in blueprints/ and its line in `blueprint_checks` in blueprints/gates.py. CONTRIBUTING.md shows a complete one.
"""
