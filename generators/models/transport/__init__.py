"""Settings and bytes -> one exchange with one server over HTTP, and an error that says whether to ask again, and when.

endpoint_settings.py  what a configuration says of a model's address; keys stay in the environment
credentials.py        the environment -> keys and secret headers, and texts in which they do not appear
json_body.py          a body -> its JSON, as it is sent and in the one order of its keys by which questions are told apart
bounded_body.py       the body of an answer -> the same, read no further than a limit
http_client.py        an SDK's own HTTP client -> one over aiohttp, or what to do where it cannot be opened
posting_client.py     the client that posts bodies with little around each
deferred_imports.py   an SDK -> the same, without importing the hundreds of types that it re-exports
transport_errors.py   the tree of what can go wrong between a request and its answer
failures.py           an error status, or an answer that no model wrote -> one of these errors

Order: endpoint_settings, credentials, json_body, bounded_body, posting_client, http_client, failures. To handle a server's odd error, change
`failures`; whether an error is worth asking again is decided by its class in `transport_errors`.
"""
