"""A dialogue that was had elsewhere -> what is wrong with it by facts alone: its messages, its tools, its gold.

gold_writes.py   writes beside those of the gold: missing, added, with other arguments
first_fault.py   issues -> the kind of the first thing that went wrong, and its message
checks.py        all of them in their order, and those of the form: unknown tools, cut calls, arguments against their schemas

Order: gold_writes, first_fault, checks. What was meant is none of theirs: that is for reviewers. To add a check,
add a module with a function from a dialogue to issues, its codes in `FAULTS` of first_fault, and its line in checks.
"""
