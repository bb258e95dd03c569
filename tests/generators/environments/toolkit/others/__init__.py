"""Toolkits as others write them, who have never heard of this project: state, preconditions, results in prose.

broker.py   a log-in, orders in a dict, funds; errors as {"error": ...}, results described in docstrings
car.py      a start sequence over flags and numbers, results of types that say nothing
telecom.py  lists of dataclasses below an attribute `db`, a look-up that answers with a bare id, rows of one status alone
"""
