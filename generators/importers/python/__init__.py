"""A Python class, object or module -> a toolset: its public functions, or those marked with `@tool`.

decorators.py      the mark of a tool: `@tool`, and attributes that other libraries set; `ToolError`
annotations.py     an annotation -> its JSON Schema, and values in the annotated type
docstrings.py      Google, NumPy or reST docstrings -> the description, that of each parameter, and the schema of the result
sides.py           an environment with tools for assistant and user -> the objects that hold them, and its policy
injected_state.py  functions that take the state as an argument -> which they are, and where the state comes from
importer.py        the target -> the toolset: `import_python`

Order: importer finds the functions (decorators, sides, injected_state), then makes each a tool (annotations, docstrings).
To accept the marks of another library, see `mark_of` in decorators. The objects are called in
environments/toolkit.
"""

from interplay.generators.importers.python.decorators import ToolError, tool

__all__ = ["ToolError", "tool"]
