"""A question -> its answer if it was ever paid for; an answer -> a row on disk before anybody reads it.

journal_file.py     the SQLite file: its tables, the key of a question, sums by who spent
journal_writer.py   answers -> rows, committed in groups and synced to the disk
journal.py          look an answer up by its question, and keep new ones
journal_report.py   a journal on disk -> its answers and batches, listed or counted
journal_erasure.py  a journal without the answers for records that must not be kept, and without damaged ones

Order: journal looks up through journal_file and keeps through journal_writer; journal_report only reads. To add a column,
change `SCHEMA` and `ADDED` in `journal_file`, so that journals made before are completed.
"""
