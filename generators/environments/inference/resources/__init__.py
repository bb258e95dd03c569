"""The roles of all tools -> the plan: resources, the fields of their rows, identities, relations and references.

plan_inference.py     `infer_plan` runs the whole inference; `plan_of` makes a plan from settled roles
aliases.py            several names of one thing -> one resource
row_fields.py         the tools of a resource -> the fields of its rows
guessed_results.py    a reading tool without a result schema -> a schema guessed from its name
identities.py         IDENTITY_RULES: the tools of a resource -> the field that identifies its rows
relations.py          the paths and arguments of tools -> parents, shared identities, lists of rows
resource_index.py     all resources -> the one that a field means by its name, description or examples
field_reference.py    a field -> what the conditions of the rules ask of it: its noun, its description, its examples
references.py         ROW_RULES and ARGUMENT_RULES: fields and arguments -> the resources that they refer to

Order: aliases, row_fields, identities, relations, references (which asks field_reference and resource_index); plan_inference
calls them. To change which field identifies a row or refers to another, add a row to the table.
"""
