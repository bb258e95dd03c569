"""A blueprint or a dialogue -> reviews, a vote, and what follows from it.

committee.py           reviews of a blueprint -> one verdict: majority for each metric, quorum, ties, abstentions
rubric.py              a blueprint -> a review by plain rules
feedback.py            verdicts and reviews -> the points for which a blueprint is revised
checklist.py           a dialogue -> the items that its reviewers answer
fact_table.py          a dialogue -> the facts by execution that its reviewers are given
dialogue_committee.py  reviews of a dialogue -> one verdict: a vote on each item and on each turn
turn_mask.py           faulty turns -> the messages that must not be learnt
reviewer_agreement.py  verdicts compared with labels -> precision, recall, kappa, and the weights of reviewers' votes

Order: for blueprints, rubric reviews beside models, committee counts votes, feedback sums up; for dialogues, checklist and
fact_table prepare the review, dialogue_committee counts votes, turn_mask marks turns; reviewer_agreement is independent.
To change what it takes to pass, change `CommitteeSettings` and `ReviewSettings`; what is asked of dialogues, `ASKED_ALWAYS`.
"""
