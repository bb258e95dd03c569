"""A rejected dialogue with its verdicts -> the kind of failure, the message with which it began, and why.

diagnosis.py             the label: signs in their order, the earliest decides
failed_attempt.py        the dialogue with all that signs are read from
substitution.py          calls made in place of the right ones, actions nothing was called for
omission.py              what the assistant left undone: claimed, stopped, passed over
user_faults.py           what the player of the user did wrong

Signs are calls, values, issues and acts that the rules chose; issues of reviewers, in a check called `review`, are signs too.
Where these do not tell, the label is `unclear`.

Order: failed_attempt, substitution, omission and user_faults, diagnosis. Which fault an issue means is said by the `faults` of
the check that finds it. To name another failure, add its kind to `FailureKind` in schemas/records/failure.py, its place in
`ORDER`, and its sign in diagnosis.py.
"""
