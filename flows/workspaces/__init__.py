"""A folder on disk <-> the state of a run; shard files are the truth, the store is derived from them.

workspace.py      the files of a run, by name, and their contents
manifest.py       the records in its small files: the run, its graph, its aims, where dialogues begin
run_files.py      files written atomically, and read with errors that say what to do
shared_folder.py  objects below a URL such as s3://bucket/nightly, and a lock on them
shared_workspace.py  a workspace on an object store <-> its cache in a local folder
lock.py           a workspace held by one process
finished_shards.py  finished shards -> counts, and rows of the store
run_store.py      the store of the workspace, brought up to date; an export
withdrawals.py    what was removed or redacted and why, and the records that replace it
role_costs.py    the journal -> tokens and cost of models by role
source_notes.py  what a run noted about the sources of its tools
cost_course.py   the journal and the times of shards -> the cost of an accepted record over time
run_graph.py     tools and graph -> one picture of them
run_report.py    a workspace -> figures and dialogues of its run as one HTML file
record_lookup.py  an index or an id -> a record; an example record
chosen_config.py  the arguments and the files here -> the configuration that a command runs

Order: chosen_config, workspace (manifest, run_files), shared_workspace, lock, finished_shards, run_store; record_lookup and
run_report read. To keep something new in a workspace, add its path to `Workspace` and its record to `manifest`.
"""
