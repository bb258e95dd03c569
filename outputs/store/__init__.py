"""Dataset records -> shard files, which are the truth, and tables in DuckDB, which can be derived from them again.

shard_file.py          records of a range of indices -> one Parquet file, and back
shard_seal.py          the digest of a shard file's bytes, stored in the file itself
stored_record.py       the JSON of a record, of this version or an older one -> the record
arrivals.py            shard files to load -> their records, with later verdicts applied
dataset_store.py       the database of runs, toolsets and records: load, query, stream
table_loader.py        shards and toolsets -> rows in its tables
database.py            a DuckDB file -> a connection to its tables; transactions
tables.py              the tables, and their version: a store of an older version is rebuilt from the shards
table_rows.py          records and toolsets -> the rows of these tables
stored_dialogue.py     a record -> its dialogue, with the columns to filter rows by: all that most exports need
task_coverage.py       a blueprint -> what it covers: edges, rules, behaviours, faults
utterance_patterns.py  an utterance -> its pattern, with placeholders for values
dialogue_texts.py      the accepted dialogues -> their texts and calls
splits.py              a task -> train, validation or test
arrow.py               rows -> an Arrow table, built from buffers
scratch.py             temporary folders; those of killed processes are deleted
queries.md             the tables, and queries that answer common questions

Order: stored_record, shard_file, arrivals, dataset_store (database, tables), table_loader,
table_rows. To add a column, add it to `TABLES`, increase `VERSION`, and fill the column in `table_rows`.
"""
