"""A blueprint and an environment to run it in -> verdicts, before a single turn is played.

gates.py              the gates in their order, cheapest first
format.py             tools, arguments, origins, references and offers, without running anything
safety_gate.py        whether a safety scenario's expected behaviour, calls and risks agree
ground_truth.py       results, final state and expected outputs, compared with what the environment returns
solvable.py           whether whoever makes each call can know its arguments
triviality.py         whether there is something to do and to say
forbidden_actions.py  actions that the policy forbids, and withheld ones that it allows
referents.py          whether what a user means without naming it is one row, and each condition decides as stated
coreference.py        part of referents: whether "the same" row is the one that was talked about last
staleness.py          part of referents: choices and conditions that an earlier request changed after they were read
duplicates.py         stories of tasks -> those that were told before in the run

Order: format, safety_gate, ground_truth, solvable, triviality, forbidden_actions, referents (coreference, staleness), as
`blueprint_checks` in gates.py has them, then duplicates; from ground_truth on, all share one run of the blueprint.
To add a gate, add a module with a class that lists its `codes`, and its line in `blueprint_checks`.
"""
