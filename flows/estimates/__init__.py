"""A configuration -> what its models will be asked and cost for each accepted record; nothing is sent.

estimate.py        a sample of dialogues played by rules -> calls, tokens and dollars by role
dialogue_yield.py  a workspace -> which share of its dialogues is accepted, as it was measured

Order: none. To estimate a new role, count what it is asked in `estimate`.
"""
