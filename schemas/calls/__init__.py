"""Calls and what they returned -> what other rooms have to agree on about them.

antecedent.py          calls so far -> the thing that "the same" refers to
call_contradiction.py  a write and its result -> the arguments that the result contradicts
implied_flags.py       a tool -> the flags that who asks for it has said with that
offer.py               the tools on offer -> those on offer after a search, a call or a change

Order: none, for they do not know each other. To change what counts as a contradiction, edit call_contradiction.py: drafts and checks
both ask it.
"""
