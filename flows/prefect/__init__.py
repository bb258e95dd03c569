"""A run under Prefect: the parameters of its flows, what Prefect's page shows of it, and where its shards are made.

choices.py       literals that the command line and the flows share
flow_parameters.py  the parameters of a flow -> the same, checked before anything runs
scheduled_run.py  one firing of a deployment -> the number of records, or the part of a workspace, that it makes
shard_tasks.py   shard numbers -> tasks: in interplay's own processes, or on a task runner of Prefect
artifacts.py     the results of a run -> artifacts: progress, tables, dialogues; text in them is escaped
lost_runs.py     a server -> automations that restart runs whose worker was lost

Order: choices, flow_parameters, scheduled_run, shard_tasks, artifacts. The flows themselves are in `flows/pipeline.py`,
which deployments name; `flows/deployment.py` sets deployments up. To show something else of a run, change `artifacts`.
"""
