"""A configuration -> what its models will be asked and cost for each accepted record; nothing is sent.

estimate.py        a sample of dialogues played by rules -> calls, tokens and dollars by role
dialogue_yield.py  a workspace -> which share of its dialogues is accepted, as it was measured
token_count.py     a request -> the tokens that it would take, counted without sending it

Order: estimate puts each turn of the sample to token_count. To estimate a new role, count what it is asked in `estimate`.
"""
