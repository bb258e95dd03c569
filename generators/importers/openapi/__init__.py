"""An OpenAPI description (2.0, 3.0 or 3.1, YAML or JSON) -> a toolset, with links between tools and a report on each operation.

links.py            the `links` of responses -> edges: which value of one tool feeds which argument of another
operations.py       a description -> its operations in the order of the file
media_types.py      the `content` of a request or response -> the media type that is imported, and its examples
carrier_parameters.py credentials, technical headers, and keys that nearly every call takes -> left out
declarations.py     parameter lists and the path template -> parameters that agree with the path
request_bodies.py   a request body -> properties of the tool's parameters, or one parameter for the whole body
parameters.py       parameters and body -> one object schema, and the location of each property in the request
response_schemas.py  responses -> the schema of a successful result
jsonapi.py          documents of JSON:API -> the same with the values of each `type`
importer.py         the description -> the toolset: `import_openapi`

Order: operations; per operation parameters (declarations, carrier_parameters, request_bodies), response_schemas; then
over all tools shared keys, unique names, links, jsonapi. To change which parameters users never hear of, see
carrier_parameters.
"""
