"""Tools -> a plan: what they act on, and what each of them does.

tool_words.py   words in names of tools, paths and fields -> verbs, nouns, and the resource that they mean
plans.py        the records: `Plan`, `ResourcePlan`, `ToolPlan`, `Edit`, `Batch`; which arguments describe the row
result_rows.py  a result schema -> where the rows stand in it; values at a path in a row
roles/          one tool -> what it does to which resource
resources/      all roles -> resources with identities, relations and references: the whole plan

Order: tool_words, plans, result_rows, roles, resources. Begin to read at `resources/plan_inference.infer_plan`. To change
what a call is taken for, see roles; to change what identifies a row or refers to one, see resources.
"""
