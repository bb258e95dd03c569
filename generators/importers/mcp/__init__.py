"""An MCP server, over stdio or streamable HTTP -> the toolset that it lists; needs the extra `interplay[mcp]`.

tool_list.py   what a server says of its tools -> definitions, all pages of them; an odd tool costs itself alone
connection.py  the address of a server -> a session with it in a background thread, with deadlines
importer.py    the address -> the toolset: `import_mcp`

Order: connection starts the server, tool_list reads what it says, importer hands that to definitions. A server's tools are
called in environments/live.
"""
