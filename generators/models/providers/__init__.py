"""A `ChatRequest` -> the body for a provider's API, and its answer -> a `ChatReply`; one attempt, no retries.

wire.py                what the protocols of all providers share: output schemas, reasoning, ids of calls
strict_schema.py       a JSON Schema -> the form in which providers can enforce it
usage.py               an answer or a payload -> its tokens, reported or estimated
chat_completions.py    OpenAI's chat completions, for all compatible servers
openai_responses.py    OpenAI's Responses API
anthropic_messages.py  Anthropic's Messages API
anthropic_turns.py     the messages of a dialogue -> the turns of this API
claude_generations.py  the name of a Claude model -> how it thinks, samples and enforces a schema
endpoint.py            settings and a protocol -> an endpoint over an SDK: one request, one answer or error
sdk_endpoints.py       settings -> an endpoint over the SDK of OpenAI or Anthropic
embeddings.py          texts -> vectors, over OpenAI's SDK

Order: sdk_endpoints opens an endpoint, the protocol writes the body (wire, strict_schema, turns), endpoint
sends it, the protocol parses the answer (wire, usage). To support another API, write a module with `payload` and `parse`,
and a `Wire` of both.
"""
