"""JSON values and texts, and JSON Schema (draft 2020-12), safe on untrusted input.

record.py       the base class of all records: frozen, no unknown fields, to JSON and back
canonical.py    values -> canonical JSON, digests, differences; JSON pointers
fields.py       a JSON Schema -> its type, properties and leaves; a row -> the value of a field
validation.py   a value and a schema -> whether it is valid, and what is wrong
interpreter.py  a schema -> the slower validator, which tells what is wrong and where
object_cache.py  a cache for values derived from a schema or plan, by object identity
formats.py      a text -> whether it conforms to a format: date, uri, uuid
regex.py        untrusted patterns -> searches in linear time
json_text.py    the text of a model -> the JSON values in it
yaml_text.py    the text of a YAML file -> its value

Order: record, canonical, fields; regex and formats, interpreter, validation.
To check a further format, add it to `FORMATS`.
"""
