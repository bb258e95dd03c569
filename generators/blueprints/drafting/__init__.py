"""The draft of a blueprint: actions that have run, what they returned, how each identity was come by, what still holds.

draft.py            steps, goals, facts and requests; `mark` and `rewind` take back an attempt
outdated_reads.py   what a read answered and what was written since -> whether it still holds
ended_rows.py       rows that are cancelled or deleted, which nothing may change afterwards
barred_tools.py     a wish that a tool would serve, and the tools that are not offered for it
reported_values.py  a result -> the values that can be told of it

Order: outdated_reads, draft; ended_rows and reported_values read its steps, barred_tools stands alone. To keep more of an
executed action, add a field to `draft.Step`, and let `finishing.rerun` pass it on.
"""
