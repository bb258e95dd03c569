"""The commands, by what they are about: arguments in, one call, a report printed.

cli.py       the command line: all commands in the order of the help, and what becomes of errors
options.py   the options that several commands take
export_options.py  those of export
toolsets.py  init, import, graph: begin with tools, and see what became of them
composer.py  policy, scenarios, invent: let a model draft a file
runs.py      demo, run, evolve, branch: make records; watch: see how far a run has come
judgement.py judge: dialogues that others recorded
gym.py       serve: tasks as environments for agents in training
deployments.py  deploy: hand runs to a Prefect server
dataset.py   preview, stats, report, show, export, schemas: look at records and give them out
viewer.py    view: look at runs and dialogues in a browser
curation.py  curate, benchmark-index: leave out of exports what repeats or gives something away
workspaces.py  merge, verify, remove, redact: join workspaces, check what is on disk, take records out
models.py    check, estimate, calibrate, journal: what models can do, would cost, are worth, and answered

Order: cli asks the others for their commands and stands above them; they know options and not each other.
Each command imports what it needs when it is called, so that `interplay --help` answers at once. To add a command, write its
function in the module that it is about and add it to `COMMANDS` in `cli`.
"""
