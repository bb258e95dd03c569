"""A configuration -> what its models will be asked and cost for each accepted record; no request is sent.

estimate.py        a sample of dialogues played by rules -> calls, tokens and dollars by role
dialogue_yield.py  a workspace -> the share of its dialogues that was accepted

Order: none. To estimate a new role, count its requests in `estimate`.
"""
