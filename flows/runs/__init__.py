"""A configuration and a workspace -> the first N accepted records in its store, whatever was there before.

run.py             makes shards in order, a limited number ahead, until enough records are accepted
stages.py          the first stages as functions: import tools, describe their graph, prepare a workspace
capacity.py        a small toolset -> an estimate of how many different tasks it holds
shards.py          the number of a shard -> its file, made in this process
workers.py         shards made in parallel by worker processes
committer.py       finished shards -> the store, in the order of their indices; progress and summary of a run
task_server.py     the other side of `generation.task_process`: composes tasks, and writes a line about each
preview.py         a configuration -> a few dialogues, played and not stored
model_state.py     the state of a run's models, for other processes that watch it
watched_run.py     a run in another process -> how far it has come
derived_run.py     the records of a workspace -> a run that evolves their tasks, or lets their dialogues branch
merged_run.py      several workspaces -> one that holds the records of all, each scenario once
record_removal.py  a record that must not be kept -> a workspace, journal and exports without it
foreign_crashes.py  calls of foreign code that crash their process -> the same run without these calls
process_life.py    garbage collection and the end of processes
verification/      a workspace -> what is damaged in it, and its repair

Order: process_life (foreign_crashes), stages (capacity), run, shards (or workers, task_server), committer, model_state;
preview and watched_run look on; derived_run, merged_run, verification and record_removal come after. To change when a run
stops, change `run` and `committer`.
"""
