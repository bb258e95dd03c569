"""A dialogue of an agent in training and its task -> a reward with its parts, by facts alone.

case.py        what all parts look at: the dialogue, its task, the state that was reached, the verdicts of all checks
own_words.py   what was dictated and passed on in other words -> the words of the user
state.py       the difference of the state that was reached, beside the one that is wanted
writes.py      calls that write: those needed, and no others
values.py      values that were asked for, told after a result showed them, and not by reciting it
evidence.py    arguments and statements that come from somewhere; looks that are due before a decision
policy.py      rules of the policy, duties, safety
efficiency.py  calls made beside those needed
format.py      calls that satisfy their schemas, words that are no machine's
steps.py       which calls did what is needed
reward.py      all parts -> the reward

The outcome (state, writes, values) is a factor, so that good form earns nothing where nothing was done. To add a part, add a
module with a function `(Case) -> RewardPart`, its name in `Part` and its line in `PARTS_OF` in reward.py.
"""
