"""A dialogue -> a verdict of reviewers, whether it was played here or recorded elsewhere; and what reviewers are worth.

review_cases.py          a blueprint and its trajectory, or a recorded dialogue -> what reviewers are shown
dialogue_reviews.py      what a configuration says of reviewers -> a function from dialogues to verdicts
gold_file.py             a file of labelled dialogues -> recorded dialogues and their labels
reviewer_calibration.py  reviewers over labelled dialogues -> precision, recall, kappa, cost, weights and thresholds

Order: review_cases, dialogue_reviews; gold_file gives labels to reviewer_calibration. To change what reviewers
are shown, see `validators.review`; how they are asked, `generators.participants.by_model.dialogue_reviewer`.
"""
