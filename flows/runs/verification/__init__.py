"""A workspace -> what is damaged or missing in it, and its repair.

verified_run.py      small files, shards, withdrawals, the journal and the store
verified_exports.py  the exports that were made of it

Order: verified_run, which asks verified_exports last. What cannot be repaired is reported with what a person can do.
"""
