"""A `ChatRequest` -> the body that a provider's API takes, and its answer -> a `ChatReply`; one attempt, no retries.

wire.py                what the protocols of all providers share: output schemas, reasoning, ids of calls
strict_schema.py       a JSON Schema -> the form in which providers can enforce it
usage.py               an answer or a question -> its tokens, whatever the provider calls them
chat_completions.py    OpenAI's chat completions, as every compatible server takes them
openai_responses.py    OpenAI's Responses API
anthropic_messages.py  Anthropic's Messages API
anthropic_turns.py     the messages of a dialogue -> the turns that this API takes
claude_generations.py  the name of a Claude model -> how it thinks, samples and enforces a schema
endpoint.py            settings and a protocol -> an endpoint over an SDK: one request, one answer or error
sdk_endpoints.py          settings -> an endpoint over OpenAI's SDK
sdk_endpoints.py       settings -> an endpoint over Anthropic's SDK
embeddings.py          texts -> vectors, over OpenAI's SDK

Order: sdk_endpoints or sdk_endpoints opens an endpoint, the protocol writes the body (wire, strict_schema, turns), endpoint
sends it, the protocol reads the answer (wire, usage). To support another API, write a module with `payload` and `parse`
and a `Wire` of both.
"""
