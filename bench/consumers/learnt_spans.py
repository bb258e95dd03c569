"""What trainers learn of rows: a tokenizer that knows their words, and the runs of tokens that are not masked."""

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast


def make_tokenizer(path):
    """Return a tokenizer that knows the words of the rows."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer, raw.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    told = trainers.BpeTrainer(
        vocab_size=6000, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False,
        special_tokens=["<|im_start|>", "<|im_end|>", "<|endoftext|>"],
    )  # fmt: skip
    raw.train_from_iterator(path.read_text(encoding="utf-8").splitlines(), told)
    return PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|im_end|>", pad_token="<|endoftext|>")


def spans(labels):
    """Return the runs of tokens that are learnt."""
    found, now = [], []
    for token in [*labels, -100]:
        if token != -100:
            now.append(token)
        elif now:
            found, now = [*found, now], []
    return found
