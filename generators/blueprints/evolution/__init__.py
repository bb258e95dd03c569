"""A blueprint -> its draft, and the draft that an operator makes of that.

operators.py       easier, harder, sideways: each operator changes a draft, or finds that it does not fit
reopened_draft.py  a blueprint -> its draft, run again, so that parts can be added or removed

Order: reopened_draft, then one of operators. To add an operator, add its function and its row in `OPERATORS`.
"""
