"""Settings and bytes -> one exchange with one server over HTTP, and an error that says whether to ask again, and when.

endpoint_settings.py  the settings of a model's endpoint; keys stay in the environment
credentials.py        the environment -> keys and secret headers, and texts without them
json_body.py          a body -> its JSON, as it is sent, and with sorted keys, for the key of the question
bounded_body.py       the body of an answer, read up to a limit
http_client.py        an SDK's HTTP client -> a faster one over aiohttp, and advice if it cannot be opened
posting_client.py     the client that posts bodies with little overhead
deferred_imports.py   the import of an SDK without the hundreds of types that it re-exports
transport_errors.py   the hierarchy of errors between a request and its answer
failures.py           an error status, or an answer that no model wrote -> one of these errors

Order: endpoint_settings, credentials, json_body, bounded_body, posting_client, http_client, failures. To handle a server's odd error, change
`failures`; its class in `transport_errors` decides whether to ask again.
"""
