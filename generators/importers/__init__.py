"""A source of tools (OpenAPI, Python, MCP, JSON definitions), or of recorded calls -> a `Toolset` with a report on each tool.

documents/      files of unknown origin -> bounded JSON values, references, names, texts, notes
normalisation/  schemas of any dialect -> bounded JSON Schema 2020-12
definitions/    JSON tool definitions in any provider's shape -> a toolset
openapi/        OpenAPI descriptions -> a toolset
python/         Python classes, objects and modules -> a toolset
mcp/            MCP servers -> a toolset; the connection to one
conversations/  recorded dialogues and calls -> messages, result schemas, flows of values
tool_selection.py   include and exclude patterns -> the tools that are kept
toolset_changes.py  two imports of one source -> tools that were added, changed, removed or renamed

Order: documents, normalisation, definitions; then openapi, python, mcp and conversations, which do not know each other. To
add a source, add a room with an `importer.py` whose function returns an `ImportReport`, and register it where `flows` reads
specifications of sources. To change how schemas of all sources are read, see normalisation.
"""
