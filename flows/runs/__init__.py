"""A configuration and a workspace -> the first N accepted records in its store, whatever was there before.

run.py             makes shards in order, a bounded number ahead, until enough is accepted
stages.py          the first stages as functions: import tools, describe their graph, prepare a workspace
capacity.py        a small toolset -> about how many different tasks it holds, told before they are made
shards.py          the number of a shard -> its file, made here
workers.py         shards made in processes side by side
committer.py       finished shards -> the store, in the order of their indices; progress and summary of a run
task_server.py     the other side of `generation.task_process`: composes tasks, and writes a line about each
preview.py         a configuration -> a few dialogues played before one's eyes, nothing kept
model_state.py     how things stand with the models of a run, told to those who look from elsewhere
watched_run.py     a run that goes on elsewhere -> how far it has come
derived_run.py     the records of a workspace -> a run that evolves their tasks, or lets their dialogues branch
merged_run.py      several workspaces -> one that holds the records of all, each scenario once
record_removal.py  a record that must not be kept -> a workspace, journal and exports without it
foreign_crashes.py  calls of foreign code that end their process -> the same run without these calls
process_life.py    how a process collects garbage, and how it ends
verification/      a workspace -> what is not as it was promised, and the same made again

Order: process_life (foreign_crashes), stages (capacity), run, shards (or workers, task_server), committer, model_state; preview and watched_run
look on; derived_run, merged_run, verification and record_removal come after. To change when a run stops, change `run` and `committer`.
"""
