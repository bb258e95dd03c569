"""Calls and what they returned -> what other rooms have to agree on about them.

antecedent.py          calls so far -> the thing that "the same" refers to
call_contradiction.py  a write and its result -> the arguments that the result contradicts
first_page.py          an argument -> whether it says which part of a list is wanted, and what shows the first one
implied_flags.py       a tool -> the flags that who asks for it has said with that
offer.py               the tools on offer -> those on offer after a search, a call or a change
session_scope.py       what tools must be told -> what a whole conversation takes place in: an account that none of them shows

Order: none, for they do not know each other. To change what counts as a contradiction, edit call_contradiction.py: drafts and checks
both ask it.
"""
