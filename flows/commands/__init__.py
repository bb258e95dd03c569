"""The commands by topic: parse arguments, make one call, print a report.

cli.py       the command line: all commands in the order of the help, and the handling of errors
options.py   the options that several commands take
export_options.py  the options of export
toolsets.py  init, import, graph: begin with tools, and see how they were imported
composer.py  policy, scenarios, invent, phrases: let a model draft a file
runs.py      demo, run, evolve, branch: make records; watch: see how far a run has come
judgement.py judge: dialogues recorded elsewhere
gym.py       serve: tasks as environments for agents in training
deployments.py  deploy: hand runs to a Prefect server
dataset.py   preview, stats, report, show, export, schemas: look at records and export them
viewer.py    view: look at runs and dialogues in a browser
curation.py  curate, benchmark-index: leave repetitions, benchmark tasks and secrets out of exports
workspaces.py  merge, verify, remove, redact: join workspaces, check what is on disk, take records out
models.py    check, estimate, calibrate, journal: what models can do, cost, are worth as reviewers, and answered

Order: cli imports the commands of all others; they import options and not each other.
Each command imports what it needs when it is called, so that `interplay --help` starts fast. To add a command, write its
function in the module of its topic and add it to `COMMANDS` in `cli`.
"""
