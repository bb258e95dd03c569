"""Loads dialogues with LLaMA-Factory's own loader, converter and template, and reads what they would have the model learn."""

import importlib.machinery
import json
import logging
import sys
import types
from pathlib import Path

for name in ("torchaudio", "torchvision"):  # for sounds and pictures; rows of text need neither
    try:
        __import__(name)
    except ImportError:
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None)

from learnt_spans import make_tokenizer, spans
from llamafactory.data.loader import get_dataset
from llamafactory.data.template import get_template_and_fix_tokenizer
from llamafactory.hparams import DataArguments, ModelArguments
from transformers import Seq2SeqTrainingArguments

logging.disable(logging.WARNING)
FOLDER, MOST = Path(sys.argv[1]) / "sharegpt", int(sys.argv[2])


def holds(text, turn):
    """Tell whether a text holds the words of a turn, or its calls with the same arguments."""
    if turn["from"] == "gpt":
        return turn["value"].strip() in text
    words, tag, called = turn["value"].partition("<tool_call>")
    calls = json.loads(called.removesuffix("</tool_call>") if tag else words)
    calls = calls if isinstance(calls, list) else [calls]
    if tag and words.strip() not in text.split("<tool_call>")[0]:
        return False
    told = [json.loads(part.split("</tool_call>")[0]) for part in text.split("<tool_call>")[1:]]
    return told == calls


def main():
    """Print one line."""
    tokenizer = make_tokenizer(FOLDER / "train.jsonl")
    data = DataArguments(
        dataset="train", dataset_dir=str(FOLDER), template="qwen", cutoff_len=1_000_000, max_samples=MOST
    )
    template = get_template_and_fix_tokenizer(tokenizer, data)
    settings = Seq2SeqTrainingArguments(output_dir=str(FOLDER / "out"), report_to=[], use_cpu=True)
    loaded = get_dataset(template, ModelArguments(model_name_or_path="none"), data, settings, "sft", tokenizer)
    rows = [json.loads(line) for line in (FOLDER / "train.jsonl").open(encoding="utf-8")][:MOST]
    good = wanted = 0
    for row, found in zip(rows, loaded["train_dataset"], strict=True):
        learnt = [tokenizer.decode(span) for span in spans(found["labels"])]
        said = [turn for turn in row["conversations"] if turn["from"] in ("gpt", "function_call")]
        wanted += len(said)
        if len(learnt) == len(said):
            good += sum(
                holds(text, turn) and text.count("<|im_end|>") == 1 for text, turn in zip(learnt, said, strict=True)
            )
    print(json.dumps({"LLaMA-Factory spans": f"{good} of {wanted}, {len(rows)} dialogues"}))


main()
