"""Calls and their results -> conclusions that several rooms must share.

antecedent.py          earlier calls -> the row that "the same ..." refers to
call_contradiction.py  a write call and its result -> the arguments that the result contradicts
first_page.py          a paging argument -> the value that requests the first page
implied_flags.py       a tool -> the boolean arguments that asking for it implies
offer.py               the tools on offer -> those on offer after a search, a call or a tool change
session_scope.py       what tools show and require -> the resource that a whole conversation takes place in

Order: none, the modules are independent. To change what counts as a contradiction, edit call_contradiction.py, which drafts and
checks share.
"""
