"""An OpenAPI description (2.0, 3.0 or 3.1, YAML or JSON) -> a toolset, with links between tools and a report on each operation.

links.py            the `links` of responses -> which value of one tool feeds which argument of another
operations.py       a description -> its operations in the order of the file
media_types.py      the `content` of a request or response -> the media type that is imported, and its examples
carrier_parameters.py parameters that only let a request pass, and keys that nearly every call takes -> left out
declarations.py     parameter lists and the path template -> parameters that agree with the path
request_bodies.py   a request body -> properties of the tool's parameters, or one parameter for all of it
parameters.py       parameters and body -> one object schema, and where each property travels
response_schemas.py  responses -> the schema of the result of a success
jsonapi.py          documents of JSON:API -> the same with the words that each `type` may be
importer.py         the description -> the toolset: `import_openapi`

Order: operations; per operation parameters (declarations, carrier_parameters, request_bodies), response_schemas; then
over all tools shared keys, unique names, links, jsonapi. To change which parameters users never hear of, see
carrier_parameters.
"""
