"""One tool -> its role: operation (create, read, list, update, delete, action, compute), resource, target and owners.

rule_table.py      `Rule`, a row of a table, and `first_rule`, which finds the row that decides
path_words.py      paths whose words run together -> the same with the words separated
segments.py        path templates -> segments, each a literal or a parameter
paths.py           the paths of a toolset -> resources, owners, and what a GET on each path shows
singletons.py      a path -> the single resource that it leads to: settings, a widget, the caller's own account
targets.py         a tool and its resource -> the argument that identifies the row
field_edits.py     a path that ends at a field of a row -> the edit of that field, and its place in the row
path_calls.py      a tool with a path -> what the conditions of rules ask of it: method, place, what a GET there shows
path_rules.py      PATH_RULES: a tool with a path -> its role
name_calls.py      a tool's name -> its verb, its nouns, and the resources that its arguments name
name_rules.py      OPERATION_RULES and RESOURCE_RULES: a tool whose path does not tell -> its role
rpc_calls.py       a dotted path (`/conversations.invite`) -> the words of its name, its results and arguments
rpc_rules.py       RPC_RULES: a function behind a dotted path -> its role, by the results and arguments of all of them
classification.py  tools -> their roles by these tables, then RESULT_RULES: corrections by what results show
containers.py      what holds others, such as the caller's cart or a row with parts -> what is put into it and taken out
bulk_edits.py      functions over lists of items -> which list of which row each item changes

Order: path_words, segments, paths, singletons; then classification, which asks the tables; then over all tools rpc_rules,
containers (single ones), targets, containers (rows with parts), bulk_edits. Steps over all tools add to `why` what they
change. To change what a call does, find the row that decides with `interplay import --toolset SPEC --explain`, and add a row
above it; an unknown verb goes into `tool_words.yaml` one folder up.
"""
