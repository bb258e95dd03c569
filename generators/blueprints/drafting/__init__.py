"""The draft of a blueprint: executed actions with their results, the origin of each identity, and what still holds.

draft.py            steps, goals, facts and requests; `mark` and `rewind` take back an attempt
outdated_reads.py   the result of a read, and later writes -> whether the result still holds
ended_rows.py       rows that are cancelled, deleted or otherwise over, which no call should change
barred_tools.py     a wish that no offered tool serves, and the tools left out for that
result_labels.py    a field of a result -> what people call it there
reported_values.py  a result -> the values that can be told of it

Order: outdated_reads, draft; ended_rows and reported_values (result_labels) read its steps, barred_tools stands alone. To keep more of an
executed action, add a field to `draft.Step`, and let `finishing.rerun` pass it on.
"""
