"""Which letters belong to words that are written without spaces between them."""

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3000-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7ff\uff00-\uffef"
"""Characters, as a regular expression lists them, whose words stand beside others, or take particles, without a space:
Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean."""
