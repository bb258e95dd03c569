"""A workspace -> what in it is not as it was promised, and the same made again.

verified_run.py      small files, shards, what was taken out, the journal and the store
verified_exports.py  the exports that were made of it

Order: verified_run, which asks verified_exports at last. What cannot be made again is told with what a person can do.
"""
