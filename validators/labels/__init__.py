"""A rejected dialogue with its verdicts -> the kind of failure, the message with which it began, and why.

diagnosis.py             the label: of all symptoms, the earliest decides
failed_attempt.py        the dialogue with everything that symptoms are derived from
substitution.py          calls made in place of the right ones, and actions without any call
omission.py              what the assistant left undone: claimed, stopped before, passed over
user_faults.py           what the player of the user did wrong

Symptoms come from calls, values, issues and acts that the rules chose, and from issues of reviewers in the check `review`.
If these do not tell, the label is `unclear`.

Order: failed_attempt, substitution, omission and user_faults, diagnosis. The `faults` of a check tell which fault its issues
mean. To name another failure, add its kind to `FailureKind` in schemas/records/failure.py, its place in `ORDER`, and its
symptom in diagnosis.py.
"""
