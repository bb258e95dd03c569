"""A file of unknown origin -> bounded JSON values, the targets of their references, and legal names and texts for tools.

document_reader.py  YAML or JSON -> plain JSON values, bounded in size, depth and expansion
json_references.py  a `$ref` -> its target, never outside the main document's folder or repository
import_notes.py     repairs and remarks -> the reasons in a tool's report
tool_names.py       names in a source -> legal, unique, reproducible names
tool_texts.py       texts of an operation -> summary and description
tool_effects.py     method, path, name and text of an operation -> whether it reads or writes, and the reason

Order: document_reader, json_references; tool_names, tool_texts, tool_effects. Bounds are constants at the top of document_reader. To
change what is taken for a read or a write, see `effect_of_request` and `effect_of_name` in tool_effects.
"""
