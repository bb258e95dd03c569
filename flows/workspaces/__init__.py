"""A folder on disk <-> the state of a run; shard files are the truth, the store is derived from them.

workspace.py      the files of a run, by name, and what they hold
manifest.py       the records in its small files: what the run is for, its graph, its aims, where dialogues begin
run_files.py      files written in one step, and read with errors that say what to do
shared_folder.py  objects below a URL such as s3://bucket/nightly, and who holds them
shared_workspace.py  a workspace there <-> a folder here, which is its cache
lock.py           a workspace held by one process alone
finished_shards.py  finished shards -> counts, and rows of the store
run_store.py      the store of the workspace, brought up to date; an export
withdrawals.py    what was taken out, why, and what stands in its place
role_costs.py    the journal -> what models read and wrote for each role, and what that costs
source_notes.py  what a run noted of the sources of its tools
cost_course.py   the journal and the times of shards -> what an accepted record had cost as time went by
run_graph.py     tools and graph -> one picture of them
run_report.py    a workspace -> figures and dialogues of its run as one HTML file
record_lookup.py  an index or an id -> a record; a record that shows well
chosen_config.py  what was given and what lies here -> the configuration that a command runs

Order: chosen_config, workspace (manifest, run_files), shared_workspace, lock, finished_shards, run_store; record_lookup and run_report read. To keep
something new in a workspace, add its path to `Workspace` and its record to `manifest`.
"""
