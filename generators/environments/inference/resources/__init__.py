"""The roles of all tools -> the plan: resources, the fields of their rows, identities, relations and references.

plan_inference.py     `infer_plan` runs all of the inference; `plan_of` makes a plan of roles that are settled
aliases.py            several names of one thing -> one resource
row_fields.py         the tools of a resource -> the fields of its rows
guessed_results.py    a reading tool without a result schema -> the schema of what one like it answers
identities.py         IDENTITY_RULES: the tools of a resource -> the field that tells its rows apart
relations.py          what tools name on the way to rows -> parents, shared identities, lists of rows
resource_index.py     all resources -> the one that a name, a description or examples of a field speak of
field_reference.py    a field -> what conditions ask of it: its noun, its description, its examples
references.py         ROW_RULES and ARGUMENT_RULES: fields and arguments -> the resources that they refer to

Order: aliases, row_fields, identities, relations, references (which asks field_reference and resource_index); plan_inference
calls them. To change which field identifies a row or refers to another, add a row to the table.
"""
