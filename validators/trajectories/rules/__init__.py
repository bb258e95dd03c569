"""A trajectory and the rules of a policy -> what these ask for beside a call that is allowed.

evidence.py  decisions by a rule -> those whose facts nothing had shown by then
duties.py    what rules ask to be said or offered -> what of it was not

Order: evidence, duties. Whether a call is allowed is for ../policy.py.
"""
