"""Reads rows with axolotl's own strategy for chat templates, set up by the snippets of the cards, and looks at what is learnt."""

import json
import logging
import re
import sys
from pathlib import Path

import yaml
from axolotl.prompt_strategies.chat_template import load
from axolotl.utils.dict import DictDefault
from datasets import load_dataset
from learnt_spans import make_tokenizer, spans

logging.disable(logging.WARNING)
FOLDER, MOST = Path(sys.argv[1]), int(sys.argv[2])
PLAIN = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
QWEN = """{% if tools %}<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}{% for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}"""


def learnt_messages(row):
    """Return the texts of each message of the assistant that is to be learnt."""
    for message in row.get("messages") or row["conversations"]:
        if message.get("role", message.get("from")) in ("assistant", "gpt") and message.get("weight") != 0:
            names = [call["function"]["name"] for call in message.get("tool_calls") or []]
            yield [(message.get("content") or message.get("value") or "").strip(), *names]


def tried(format, tokenizer):
    """Return how many messages of a format are one span each."""
    card = (FOLDER / format / "README.md").read_text(encoding="utf-8")
    (known,) = yaml.safe_load(re.search(r"### Train with axolotl\n\n```yaml\n(.*?)\n```", card, re.DOTALL)[1])[
        "datasets"
    ]
    template = PLAIN if format == "hermes" else QWEN
    config = DictDefault(
        {"sequence_len": 1_000_000, "train_on_inputs": False, "chat_template": "jinja", "chat_template_jinja": template}
    )
    strategy = load(
        tokenizer, config, DictDefault({**known, "chat_template": "jinja", "chat_template_jinja": template})
    )
    good = wanted = unlearnt = 0
    rows = load_dataset(str(FOLDER / format))["train"]
    rows = rows.select(range(min(MOST, len(rows))))
    for row in rows:
        learnt = [tokenizer.decode(span) for span in spans(strategy.tokenize_prompt(dict(row))["labels"])]
        said = list(learnt_messages(row))
        wanted += len(said)
        unlearnt += sum(message.get("weight") == 0 for message in row.get("messages") or ())
        if len(learnt) == len(said):
            good += sum(all(each in text for each in texts) for text, texts in zip(learnt, said, strict=True))
    return f"{good} of {wanted}, {len(rows)} dialogues" + (f", {unlearnt} messages with weight 0" if unlearnt else "")


def main():
    """Print one line."""
    tokenizer = make_tokenizer(FOLDER / "trl" / "train.jsonl")
    print(
        json.dumps({f"axolotl spans of {format}": tried(format, tokenizer) for format in ("trl", "openai", "hermes")})
    )


main()
