"""A field, or an argument that identifies something -> what people call it.

field_labels.py     the name of a field, or its pointer -> its label; which labels are those of names and of amounts
identity_labels.py  an identity, and the argument that takes it -> what people call it

Order: field_labels first; identity_labels ask it. An abbreviation that is read out as it stands goes into field_labels.yaml.
"""
