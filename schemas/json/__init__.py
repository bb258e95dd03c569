"""JSON values and texts, and JSON Schema (draft 2020-12), safe on input from strangers.

record.py       the base of all records: frozen, no unknown fields, to JSON and back
canonical.py    values -> canonical JSON, digests, differences; JSON pointers
fields.py       a JSON Schema -> its type, properties and leaves; a row -> the value of a field
validation.py   a value and a schema -> whether it is valid, and what is wrong
interpreter.py  a schema -> the validator that says what is wrong and where
object_cache.py  what is worked out of a schema once
formats.py      texts -> whether they are of a format: date, uri, uuid
regex.py        patterns of strangers -> searches in linear time
json_text.py    the text of a model -> the JSON values in it
yaml_text.py    the text of a YAML file -> its value

Order: record, canonical, fields; regex and formats, interpreter, validation.
To judge a further format, add it to `FORMATS`.
"""
