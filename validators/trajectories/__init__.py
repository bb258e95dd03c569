"""A trajectory and its blueprint -> one verdict for each check.

structure.py     who speaks when, how calls and results pair, schemas, steps on the user's device, and repetitions
                 (../findings/loops.py)
availability.py  tools: called only while they are offered, and offered only after a search or a planned change
execution.py     calls run again in a fresh environment -> whether results and final state are the same
agreement.py     results of writes and later reads -> arguments that they contradict
outcome.py       final state, writes and outputs, compared with the blueprint; calls with dropped values, reads of other rows
groundedness.py  arguments -> whether each has a source
statements.py    values that the assistant states without a source
freshness.py     rows offered from a list that a write has changed since
knowledge.py     values that the user says -> whether its scenario lets it know them
policy.py        calls -> policy rules that they break when they are made
rules/           what rules ask for besides: evidence for decisions, and duties to say or to offer something
recovery.py      what the assistant does after a fault of a tool
safety.py        whether the assistant behaved as a safety scenario expects

Order: structure (availability), knowledge, safety, execution, agreement, recovery, groundedness (statements),
outcome, policy, rules, freshness: cheapest first, as `trajectory_checks` in ../chain.py has them; in
brackets the parts of a check. groundedness goes before outcome, since an ungrounded value is the cause of a wrong state.
To add a check, add a module with a class that lists its `codes`, and its line in `trajectory_checks`.
"""
