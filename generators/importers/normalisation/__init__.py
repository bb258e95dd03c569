"""A schema of any OpenAPI or JSON Schema dialect -> one bounded draft 2020-12 schema without references, with notes on repairs.

samples.py           enums, defaults and examples -> values of the schema's type; one sample -> a schema
observed_schemas.py  recorded results of a tool -> the schema of its results
keywords.py          the plain keywords of one schema -> their 2020-12 form
type_expressions.py  types as people write them (`List[int]`, `str, optional`) -> schemas
expansion.py         the state of the expansion of a component, and stubs for cut components
intersection.py      schemas that must all hold (`allOf`) -> one schema
discriminators.py    schemas with a `discriminator` -> the values of the discriminating property
kubernetes.py        Kubernetes objects -> schemas that fix `apiVersion` and `kind`
forced_size.py       a schema -> the number of values that an instance must have, and the schema without that demand
normaliser.py        a schema and the document it stands in -> the normalised schema

Order: normaliser expands references (expansion, discriminators, kubernetes), reads keywords (keywords, samples), then joins
`allOf` (intersection). To accept a further odd type or keyword, see `ALIASES` and `plain_keywords` in keywords; the bounds are
constants of normaliser.
"""
