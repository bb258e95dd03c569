"""Tools -> a plan: what they act on, and what each of them does.

tool_words.py   words in names of tools, paths and fields (tool_words.yaml) -> verbs, nouns, resource names
plans.py        the records: `Plan`, `ResourcePlan`, `ToolPlan`, `Edit`, `Batch`; which arguments describe the row
result_rows.py  a result schema -> where the rows are in it; values at a path in a row
views.py        a result that shows a row beside the rows it refers to -> where the row is in it
roles/          one tool -> what it does to which resource, by tables
resources/      all roles -> resources with identities, relations and references, by tables: the whole plan

Order: tool_words, plans, result_rows, roles, resources. Begin to read at `resources/plan_inference.infer_plan`. Every
decision is a row of a table, `Rule(name, when, then, example)`: the first row that holds decides, and
`interplay import ... --explain` names it. To make POST /parcels/locate read, add the word to `verbs.list` in tool_words.yaml,
or a row to `PATH_RULES` in roles/path_rules.py above the one that decides now; whether a tool changes anything is decided
before, by the importer: add the word to `search_ends` in importers/documents/tool_effects.yaml too. `bench/accounts.py
--compare` shows what else changes on real descriptions.
"""
