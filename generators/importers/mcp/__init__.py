"""An MCP server, over stdio or streamable HTTP -> the toolset that it lists; needs the extra `interplay[mcp]`.

tool_list.py   a server's tool list, all pages -> definitions; an invalid tool does not affect the others
connection.py  the address of a server -> a session with it in a background thread, with deadlines
importer.py    the address -> the toolset: `import_mcp`

Order: connection starts the server, tool_list reads its list, importer passes that to definitions. A server's tools are
called in environments/live.
"""
