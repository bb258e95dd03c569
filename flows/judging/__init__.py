"""Files of recorded dialogues -> a verdict on each, and the accepted ones as files to train on.

recorded_judgement.py  files, tools, policy and gold -> each dialogue judged: by facts, and by reviewers where facts pass
accepted_files.py       accepted dialogues -> files in the format of an export

Order: recorded_judgement, accepted_files. A reviewer is any `DialogueReview` that is handed to `judge_files`; it is asked
about dialogues that facts let pass, and about no other.
"""
