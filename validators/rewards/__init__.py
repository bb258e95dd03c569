"""A dialogue of an agent in training and its task -> a reward with its parts, by facts alone.

case.py          what all parts are computed from: the dialogue, its task, the state reached, the verdicts of all checks
own_words.py     paraphrases of dictated text -> the user's own words
values.py        values that were asked for, told after a result showed them, and not by reciting it
reward_parts.py  the other parts: state and writes, evidence, policy, efficiency, format
reward_weights.py  how much each part weighs, as configured
reward.py        all parts -> the reward, with credits for the calls that were needed

Order: case, own_words, values, reward_parts, reward_weights, reward.
The outcome (state, writes, values) is a factor, so that good form earns nothing if nothing was done. To add a part, add a
function `(Case) -> RewardPart`, its name in `Part` and its line in `PARTS_OF` in reward.py.
"""
