"""An author's YAML file beside a source -> a toolset and a plan with the author's corrections, or an error with its place.

conditions.py      a condition written as plain values -> whether it holds for a call
override_file.py   a file of overrides -> validated records, with the rows of the files that it names
authored_rows.py   rows that an author wrote -> the same, checked against their resource and for their references
row_proposals.py   a resource and a model -> realistic partial rows, checked
plan_overrides.py  an inferred toolset and plan -> both with the author's corrections
code_overrides.py  the resource model of code or a server -> the same, corrected; made-up rows are refused

Order: override_file, then `revised_toolset` before inference and `revised_plan` after it (plan_overrides); code_overrides
instead where code answers. To add a key, add it to `schemas.records.override.Overrides` and read it in plan_overrides. The rules
of an author become a policy in policy/.
"""
