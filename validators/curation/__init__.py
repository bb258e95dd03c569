"""Duplicates, contamination, secrets and personal data in a data set; and the rows that cover most of it.

near_duplicates.py  texts or their embeddings -> for each that repeats an earlier one: which one, and how similar it is
contamination.py    tasks of benchmarks -> an index of their words and calls; a dialogue -> the benchmark task that it contains
secrets.py          a text -> keys, tokens and other credentials in it
personal_data.py    a text -> mail addresses, phone, card and account numbers that may be real
representatives.py  rows as sets of things -> a few rows that together cover most of them

Order: none, the modules are independent; they look at accepted dialogues, and never change a verdict of execution.
"""
