"""A blueprint -> reviews, a vote, and feedback for its next revision.

committee.py  reviews -> one verdict: majority for each metric, quorum, ties, abstentions
rubric.py     a blueprint -> the review of a reviewer that is plain rules
feedback.py   verdicts and reviews -> the points for which a blueprint is revised

Order: rubric reviews beside models, committee counts, feedback sums up.
To change what it takes to pass, change `CommitteeSettings`.
"""
