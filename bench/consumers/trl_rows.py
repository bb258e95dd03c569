"""Runs the snippets of the cards with TRL for one step, and reads what its collators would have the model learn."""

import json
import re
import sys
from pathlib import Path

import trl
from datasets import load_dataset
from learnt_spans import make_tokenizer, spans
from transformers import Qwen2Config, Qwen2ForCausalLM

FOLDER, MOST = Path(sys.argv[1]), int(sys.argv[2])
MODEL = FOLDER / "model"
TEMPLATE = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"


def make_model():
    """Write a model of chance whose tokenizer knows the words of the rows."""
    tokenizer = make_tokenizer(FOLDER / "trl" / "train.jsonl")
    tokenizer.chat_template = TEMPLATE.read_text(encoding="utf-8")
    tokenizer.save_pretrained(MODEL)
    sizes = {
        "hidden_size": 8,
        "intermediate_size": 8,
        "num_hidden_layers": 1,
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
    }
    Qwen2ForCausalLM(Qwen2Config(vocab_size=len(tokenizer), **sizes)).save_pretrained(MODEL)
    return tokenizer


def trainer_of(format):
    """Run the snippet of a card as it stands, but for the names of model and folder, few rows and one step; return its trainer."""
    card = (FOLDER / format / "README.md").read_text(encoding="utf-8")
    code = re.search(r"### Train with TRL\n\n```python\n(.*?)\n```", card, re.DOTALL)[1]
    code = code.replace("path/to/this/folder", str(FOLDER / format)).replace("your/model", str(MODEL))
    few = 'max_steps=1, per_device_train_batch_size=2, report_to=[], use_cpu=True, max_length=None, save_strategy="no"'
    code = code.replace('output_dir="out"', f'output_dir="out", {few}')
    code = re.sub(r'rows\["train"\]', f'rows["train"].select(range(min({MOST}, len(rows["train"]))))', code)
    known = {}
    exec(code, known)  # the card's own
    train = load_dataset(str(FOLDER / format))["train"]
    return known["trainer"], train.select(range(len(known["trainer"].train_dataset))), known["columns"]


def holds(text, message):
    """Tell whether a text holds the words of a message and its calls with their arguments."""
    calls = message.get("tool_calls") or []
    texts = [call["function"]["name"] for call in calls]
    texts += [
        json.dumps(value, ensure_ascii=False) for call in calls for value in call["function"]["arguments"].values()
    ]
    return message["content"].strip() in text and all(each in text for each in texts)


def sft(tokenizer):
    """Return how many messages of the assistant are one span each, and nothing else learnt."""
    trainer, rows, _ = trainer_of("trl")
    good = wanted = 0
    for row, given in zip(rows, trainer.train_dataset, strict=True):
        learnt = [tokenizer.decode(span) for span in spans(trainer.data_collator([given])["labels"][0].tolist())]
        said = [message for message in row["messages"] if message["role"] == "assistant"]
        wanted += len(said)
        if len(learnt) == len(said):
            good += sum(
                holds(text, message) and text.count("<|im_end|>") == 1
                for text, message in zip(learnt, said, strict=True)
            )
    return f"{good} of {wanted}, {len(rows)} dialogues"


def sides(format, tokenizer):
    """Return how many completions are learnt whole, and nothing of their prompts."""
    trainer, rows, _ = trainer_of(format)
    good = wanted = 0
    keys = ("chosen", "rejected") if format == "preference" else ("completion",)
    for row, given in zip(rows, trainer.train_dataset, strict=True):
        batch = trainer.data_collator([given])
        for place, key in enumerate(keys):
            ids, mask = batch["input_ids"][place].tolist(), batch["completion_mask"][place].tolist()
            learnt = tokenizer.decode([token for token, on in zip(ids, mask, strict=True) if on])
            before = tokenizer.decode([token for token, on in zip(ids, mask, strict=True) if not on])
            wanted += 1
            good += all(holds(learnt, message) for message in row[key]) and row["prompt"][-1]["content"] in before
    return f"{good} of {wanted}, {len(rows)} rows"


def main():
    """Print one line."""
    tokenizer = make_model()
    told = {"TRL SFT spans": sft(tokenizer)}
    told["TRL DPO sides"] = sides("preference", tokenizer)
    told["TRL KTO completions"] = sides("kto", tokenizer)
    print(json.dumps(told))


main()
