"""Trains a tiny random model by GRPO, with an endpoint's answers in place of its own, and prints the rewards as JSON.

    python example.py GYM ENDPOINT [COUNT]

The endpoint is OpenAI-compatible. With a real model, drop `Scripted` and the endpoint: see the last lines of `main`.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import trl
from interplay_gym_trl import environment, tasks
from openai import OpenAI
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
VOCABULARY = 3000
TEMPLATE = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"


class Scripted(GRPOTrainer):
    """A GRPO trainer whose completions come from an endpoint instead of the model."""

    endpoint: OpenAI

    def _generate_single_turn(self, prompt_ids: list[list[int]], *rest: Any, **named: Any) -> Any:
        texts = [self.processing_class.decode(ids) for ids in prompt_ids]
        return [self.processing_class.encode(self._said(text), add_special_tokens=False) for text in texts], None

    def _said(self, text: str) -> str:
        """Return the endpoint's answer to a prompt, in the form of the chat template; an empty answer ends the turn."""
        answer = self.endpoint.chat.completions.create(model="scripted", messages=_messages(text)).choices[0].message
        if not answer.tool_calls and not answer.content:
            return "<|im_end|>"
        calls = [
            {"name": call.function.name, "arguments": json.loads(call.function.arguments)}
            for call in answer.tool_calls or ()
        ] or [{"name": "say", "arguments": {"text": answer.content or ""}}]
        return "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in calls) + "<|im_end|>"


def _messages(text: str) -> list[dict[str, Any]]:
    """Parse a rendered prompt back into messages; a result of `say` becomes a message of the user."""
    found: list[dict[str, Any]] = []
    for part in text.split("<|im_start|>")[1:]:
        role, _, content = part.partition("\n")
        content = content.split("<|im_end|>")[0]
        answers = [piece.split("\n</tool_response>")[0] for piece in content.split("<tool_response>\n")[1:]]
        if role == "assistant":
            said = '"name": "say"' in content
            found.append({"role": "assistant", "content": "said" if said else "called"})
        elif answers and found[-1]["content"] == "called":
            found += [{"role": "tool", "tool_call_id": "1", "content": answer} for answer in answers]
        else:
            found += [{"role": "user", "content": answer} for answer in answers or [content]] if role == "user" else []
    return found


def tokenizer_of(texts: list[str]) -> PreTrainedTokenizerFast:
    """Return a byte-level BPE tokenizer trained on `texts`, which can encode any other text too."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>",
        chat_template=TEMPLATE.read_text(encoding="utf-8"),
    )  # fmt: skip


def main(gym: str, endpoint: str, count: str = "4") -> None:
    """Train for one step per task."""
    data = tasks(gym, limit=int(count))
    tokenizer = tokenizer_of([message["content"] for row in data for message in row["prompt"]])
    shape = Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=8, max_position_embeddings=60_000, tie_word_embeddings=True,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        settings = GRPOConfig(
            output_dir=folder, num_generations=2, per_device_train_batch_size=2, max_completion_length=20_000,
            num_train_epochs=1, logging_steps=1, report_to=[], use_cpu=True, save_strategy="no", disable_tqdm=True,
            chat_template_kwargs={"enable_thinking": False}, log_completions=False, shuffle_dataset=False,
        )  # fmt: skip
        trainer = Scripted(
            model=Qwen3ForCausalLM(shape), args=settings, train_dataset=data, processing_class=tokenizer,
            environment_factory=environment(gym),
        )  # fmt: skip
        trainer.endpoint = OpenAI(base_url=endpoint, api_key="none")
        trainer.train()
    rewards = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    sys.stdout.write(json.dumps(rewards) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
