"""Which accepted records stay out of exports, and why: what repeats, gives benchmarks away, or holds what is somebody's.

benchmark_files.py  files of benchmark tasks -> an index of them, and back
curated_run.py      a workspace -> verdicts on its accepted records, kept beside its store

Order: benchmark_files, curated_run. What execution and reviewers said stays as it is.
"""
