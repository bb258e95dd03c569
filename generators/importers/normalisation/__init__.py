"""A schema of any OpenAPI or JSON Schema dialect -> one bounded draft 2020-12 schema without references, with notes on repairs.

samples.py           enums, defaults and examples -> values of the schema's type; one sample -> a schema
observed_schemas.py  many values that a tool returned -> the schema of its results
keywords.py          the plain keywords of one schema -> their 2020-12 form
type_expressions.py  types as people write them (`List[int]`, `str, optional`) -> schemas
expansion.py         what is gathered while a component is expanded, and stubs where it is cut
intersection.py      schemas that must all hold (`allOf`) -> one schema
discriminators.py    schemas with a `discriminator` -> the property with the values that tell the kinds apart
kubernetes.py        Kubernetes objects -> schemas that fix `apiVersion` and `kind`
forced_size.py       how many values a schema forces its instances to have, and the schema without
normaliser.py        a schema and the document it stands in -> the normalised schema

Order: normaliser expands references (expansion, discriminators, kubernetes), reads keywords (keywords, samples), then joins
`allOf` (intersection). To accept a further odd type or keyword, see `ALIASES` and `plain_keywords` in keywords; the bounds are
constants of normaliser.
"""
