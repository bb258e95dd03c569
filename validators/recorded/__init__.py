"""A dialogue recorded elsewhere -> what is wrong with it by facts alone: its messages, tools and gold.

gold_writes.py   writes compared with those of the gold: missing, added, with other arguments
first_fault.py   issues -> the kind of the first fault, and its message
checks.py        all checks in their order, and those of the form: unknown tools, malformed calls, arguments against schemas

Order: gold_writes, first_fault, checks. What was meant is left to reviewers. To add a check, add a module with a function
from a dialogue to issues, its codes in `FAULTS` of first_fault, and its line in checks.
"""
