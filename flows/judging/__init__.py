"""Files of recorded dialogues -> a verdict on each, and the accepted ones as files to train on.

recorded_judgement.py  files, tools, policy and gold -> a verdict on each dialogue: by facts, then by reviewers
accepted_files.py       accepted dialogues -> files in the format of an export

Order: recorded_judgement, accepted_files. A reviewer is any `DialogueReview` passed to `judge_files`; it is only asked
about dialogues that pass the checks of facts.
"""
