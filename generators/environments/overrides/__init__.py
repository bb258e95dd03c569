"""The YAML file of an author beside a source -> a toolset and a plan as the author corrects them, or an error with its place.

conditions.py      a condition written as plain values -> whether it holds for a call
override_file.py   a file of overrides -> checked records, with the rows of the files that it names
authored_rows.py   rows that an author wrote -> rows that fit their resource and refer to each other
row_proposals.py   a resource and a model -> parts of rows as they might be, checked
plan_overrides.py  an inferred toolset and plan -> both as the author says
code_overrides.py  what is known of code or a server -> the same as the author says; made-up rows are refused

Order: override_file, then `revised_toolset` before inference and `revised_plan` after it (plan_overrides); code_overrides
instead where code answers. To add a key, add it to `schemas.records.override.Overrides` and read it in plan_overrides. The rules
of an author become a policy in policy/.
"""
