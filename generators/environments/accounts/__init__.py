"""A plan -> summaries of it for people and other rooms.

resource_model.py     a plan -> `schemas.records.tool.ResourceModel`: resources, and the role of each tool
fitness.py            a plan -> what the answers of its tools are based on: rows that are kept, or nothing
explanation.py        a plan -> an account that people can check: what each tool does, why, and what is in doubt
account_words.py      an account -> short notes on it, for the terminal and for a page
override_template.py  an account -> a file of overrides in which everything is commented out

Order: resource_model, fitness, explanation, account_words, override_template. To change what `--explain` says, see
explanation.
"""
