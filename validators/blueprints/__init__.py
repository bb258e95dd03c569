"""A blueprint, and an environment to run it in -> verdicts, before a single turn is played.

gates.py        the gates in their order, and those that compare the ground truth with what the environment does
format.py       tools, arguments, origins and references, without running anything
solvable.py     whether the one who plays can know each argument
referents.py    whether what a user means without naming it is one thing, and each condition decides
coreference.py  whether "the same" thing is the one that was talked about last
staleness.py    choices and conditions that an earlier request has changed since they were read
duplicates.py   tasks -> those whose story was told before in the run

Order: format, safety (its gate stands beside its check in ../trajectories), then what runs the blueprint, once for all.
To add a gate, add a module and its line in `blueprint_checks`.
"""
