"""Tool definitions in JSON, in the shape of any provider or data set -> a toolset, with a report on each tool.

json_stream.py     a file of one JSON value, several, or a log with messages -> one value
discovery.py       a JSON value -> the tool definitions nested anywhere in it
shorthand.py       schemas in the shorthand of data sets -> JSON Schema
input_schemas.py   a definition -> the description of its arguments, under any known key
importer.py        the definitions -> the toolset: `import_tool_json`, `import_definitions`
invention.py       a domain in prose and a model's answer -> tool definitions

Order: json_stream, discovery; per definition input_schemas and shorthand; common prefixes are removed last. To accept
another provider's shape, add its keys to discovery (envelopes) or input_schemas (arguments).
"""
