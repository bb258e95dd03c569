"""Duplicates, contamination, secrets and personal data in a data set; and the rows that cover most of it.

near_duplicates.py  texts, or vectors of them -> for each that repeats an earlier one, which, and how much of it
contamination.py    the tasks of benchmarks -> an index of their words and calls; a dialogue -> the benchmark task that it contains
secrets.py          a text -> keys, tokens and other credentials in it
personal_data.py    a text -> mail addresses, phone, card and account numbers that may be real
representatives.py  rows by what they hold -> the few that hold most of it

Order: none; each stands alone, and looks at what was accepted without touching what execution said.
"""
