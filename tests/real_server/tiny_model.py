"""A seed -> a GGUF file with a tiny model of random weights, which babbles: some letters, then an end.

Its tokens are the bytes, the printable characters, the marks of its chat template, and a few words of JSON. One dimension of
every embedding is constant, so that its weights to the output say how likely a token is whatever came before: strings
close, lists end, and some answers begin with a tool call.
"""

from pathlib import Path

import gguf
import numpy as np

WIDTH, LAYERS, HEADS, INNER = 64, 1, 4, 128
CONTEXT = 32_768
OPENING, CLOSING = '<tool_call>\n{"name": "', "}\n</tool_call>"
"""What is around a call: the server looks for all of it, so that it is one token here."""
MARKS = ("<|im_start|>", "<|im_end|>", OPENING, CLOSING)
PIECES = ("tru", "true", "fals", "false", "nul", "null", "name", "result", "error", "arguments", "message", "done")
LIKELY = {
    '"': 5.0, "}": 4.0, "]": 4.0, ",": 2.0, "<|im_end|>": 5.0, OPENING: 4.0, CLOSING: 4.0,
    "null": 4.5, "{": 5.5, "[": 5.0, "\n": -2.0, "\t": -4.0, "\\": -4.0,
}  # fmt: skip
LETTER, DIGIT, OTHER, BYTE = 2.0, 2.0, 0.5, -8.0

TEMPLATE = """\
{%- if tools %}{{- '<|im_start|>system\\n' }}
{%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
{{- '# Tools\\n\\nYou may call one or more functions to assist with the user query.\\n\\nYou are provided with function \
signatures within <tools></tools> XML tags:\\n<tools>' }}
{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}
{{- '\\n</tools>\\n\\nFor each function call, return a json object with function name and arguments within \
<tool_call></tool_call> XML tags:\\n<tool_call>\\n{"name": <function-name>, "arguments": <args-json-object>}\\n\
</tool_call><|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}
{%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}
{{- '<|im_start|>assistant' }}{%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
{%- for call in message.tool_calls or [] %}{%- if call.function %}{%- set call = call.function %}{%- endif %}
{{- '\\n<tool_call>\\n{"name": "' + call.name + '", "arguments": ' }}{%- if call.arguments is string %}\
{{- call.arguments }}{%- else %}{{- call.arguments | tojson }}{%- endif %}{{- '}\\n</tool_call>' }}
{%- endfor %}{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"""


def tokens() -> list[tuple[str, gguf.TokenType]]:
    """Return the vocabulary: text and kind."""
    kinds = gguf.TokenType
    special = [("<unk>", kinds.UNKNOWN), ("<s>", kinds.CONTROL), ("</s>", kinds.CONTROL)]
    spoken = [(text, kinds.USER_DEFINED if "tool" in text else kinds.CONTROL) for text in MARKS]
    single = [(chr(code), kinds.NORMAL) for code in (10, *range(32, 127))]
    return [
        *special,
        *((f"<0x{byte:02X}>", kinds.BYTE) for byte in range(256)),
        *((text.replace(" ", "\u2581"), kind) for text, kind in single),
        *((text, kinds.USER_DEFINED) for text in PIECES),
        *spoken,
    ]


def likelihood(text: str, kind: gguf.TokenType) -> float:
    """Return how likely a token is, on the scale of logits."""
    if kind == gguf.TokenType.BYTE or text in ("<unk>", "<s>", "</s>", "<|im_start|>"):
        return BYTE
    if text in LIKELY:
        return LIKELY[text]
    return LETTER if text.isalpha() and text.isascii() else DIGIT if text.isdigit() else OTHER


def write_model(path: Path, seed: int = 0) -> Path:
    """Write the model; the same bytes for the same seed."""
    vocabulary = tokens()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(vocabulary))
    names = [text for text, _ in vocabulary]
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text.encode() for text in names])
    writer.add_token_scores([0.0] * len(vocabulary))
    writer.add_token_types([kind for _, kind in vocabulary])
    writer.add_bos_token_id(names.index("<s>"))
    writer.add_eos_token_id(names.index("<|im_end|>"))
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)
    for name, values in _weights(vocabulary, np.random.default_rng(seed)).items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _weights(vocabulary: list[tuple[str, gguf.TokenType]], random: np.random.Generator) -> dict[str, np.ndarray]:
    """Return random weights, with the first dimension of the stream kept for what is likely at all."""

    def drawn(*shape: int, scale: float = 0.08) -> np.ndarray:
        return random.normal(0, scale, shape).astype(np.float32)

    embedding, output = drawn(len(vocabulary), WIDTH, scale=0.3), drawn(len(vocabulary), WIDTH, scale=0.12)
    embedding[:, 0] = 4.0
    found = {"token_embd.weight": embedding, "output_norm.weight": np.ones(WIDTH, np.float32)}
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        found |= {f"{block}attn_{part}.weight": drawn(WIDTH, WIDTH) for part in ("q", "k", "v", "output")}
        found |= {f"{block}ffn_{part}.weight": drawn(INNER, WIDTH) for part in ("gate", "up")}
        found |= {f"{block}ffn_down.weight": drawn(WIDTH, INNER)}
        found |= {f"{block}{part}_norm.weight": np.ones(WIDTH, np.float32) for part in ("attn", "ffn")}
        found[f"{block}attn_output.weight"][0] = found[f"{block}ffn_down.weight"][0] = 0
    constant = 4.0 / np.sqrt((16.0 + (WIDTH - 1) * 0.2) / WIDTH)  # what the last norm makes of the first dimension
    output[:, 0] = [likelihood(text, kind) / constant for text, kind in vocabulary]
    return found | {"output.weight": output}
