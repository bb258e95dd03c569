"""Which accepted records are left out of exports, and why: repetitions, benchmark tasks, secrets and personal data.

benchmark_files.py  files of benchmark tasks -> an index of them, and back
curated_run.py      a workspace -> verdicts on its accepted records, stored beside its store

Order: benchmark_files, curated_run. The verdicts of checks and reviewers stay as they are.
"""
