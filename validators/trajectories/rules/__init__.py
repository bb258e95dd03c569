"""A trajectory and the rules of a policy -> what these ask for besides allowing or forbidding calls.

evidence.py  decisions by a rule -> those whose facts no result had shown by then
duties.py    what rules ask to be said or offered -> what of it was not

Order: evidence, duties. Whether a call is allowed is checked in ../policy.py.
"""
