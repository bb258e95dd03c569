"""A dialogue, played here or recorded elsewhere -> the reviewers' verdict; and how reliable reviewers are.

review_cases.py          a blueprint and its trajectory, or a recorded dialogue -> the case that reviewers read
dialogue_reviews.py      the configured reviewers -> a function from dialogues to verdicts
gold_file.py             a file of labelled dialogues -> recorded dialogues and their labels
reviewer_calibration.py  reviewers over labelled dialogues -> precision, recall, kappa, cost, weights and thresholds

Order: review_cases, dialogue_reviews; gold_file gives labels to reviewer_calibration. To change what reviewers
are shown, see `validators.review`; how they are asked, `generators.participants.by_model.dialogue_reviewer`.
"""
