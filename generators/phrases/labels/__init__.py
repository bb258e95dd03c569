"""A field, or an argument that takes an identity -> its label, what people call it.

field_labels.py     the name or pointer of a field -> its label; which labels are names or amounts
identity_labels.py  an identity, or the argument that takes one -> its label
address_parts.py    the words of a field -> its part of an address; the parts of an address -> the address on one line

Order: address_parts first; field_labels uses it, and identity_labels uses field_labels. To spell out an abbreviation, or to keep it, edit field_labels.yaml.
"""
