"""A question -> its answer, if it was ever paid for; an answer -> a row on disk before it is used.

journal_file.py     the SQLite file: its tables, the key of a question, sums by role, model and endpoint
journal_writer.py   answers -> rows, committed in groups and synced to the disk
journal.py          looks up answers by question, and stores new ones
journal_report.py   a journal on disk -> its answers and batches, listed or counted
journal_erasure.py  a journal without the answers for records that must not be kept, and without damaged ones

Order: journal reads through journal_file and writes through journal_writer; journal_report only reads. To add a column,
change `SCHEMA` and `ADDED` in `journal_file`, so that older journals get it too.
"""
