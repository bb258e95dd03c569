"""A field, or an argument that takes an identity -> its label, what people call it.

field_labels.py     the name or pointer of a field -> its label; which labels are names or amounts
identity_labels.py  an identity, or the argument that takes one -> its label

Order: field_labels first; identity_labels uses it. To spell out an abbreviation, or to keep it, edit field_labels.yaml.
"""
