"""A blueprint or a dialogue -> reviews, a vote, and what follows from it.

committee.py           reviews of a blueprint -> one verdict: majority for each metric, quorum, ties, abstentions
rubric.py              a blueprint -> the review of a reviewer that is plain rules
feedback.py            verdicts and reviews -> the points for which a blueprint is revised
checklist.py           a dialogue -> the items that its reviewers answer
fact_table.py          a dialogue -> the facts by execution that they are given
dialogue_committee.py  reviews of a dialogue -> one verdict: a vote on each item and on each turn
turn_mask.py           turns at fault -> the messages that are not to be learnt
reviewer_agreement.py  verdicts beside labels -> precision, recall, kappa, and what reviewers are worth

Order: rubric reviews blueprints beside models, committee collects votes and counts, feedback sums up; of dialogues, checklist and fact_table
are made for reviewers, dialogue_committee counts, turn_mask marks; reviewer_agreement stands beside them.
To change what it takes to pass, change `CommitteeSettings` and `ReviewSettings`; what is asked of dialogues, `ASKED_ALWAYS`.
"""
