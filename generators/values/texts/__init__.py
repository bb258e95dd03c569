"""The name, format, pattern, description and examples of a text field -> a text.

things.py            a catalogue of what APIs are about -> names, texts and usual numbers of one of them, in two languages (data)
ideas.py             what an object is about, drawn once -> its name, its person, and texts about it
names/               the words of a name -> a text that looks like what they promise; asks the modules below
described_values.py  the description of a field -> choices and examples that it names
formatted_texts.py   a format of JSON Schema -> a text in it
past_events.py       the words of a name -> whether its moment lies in the past
pattern_texts.py     a regular expression -> a text that it matches, in bounded time
pattern_writer.py    a parsed one -> one text
standard_forms.py    names that promise a known form: currency codes, IBANs, postcodes, barcodes
numeric_texts.py     texts that hold a number, written as the source writes it
code_shapes.py       an example of a code -> another code of its shape
example_shapes.py    a text made up by name, and the examples of its field -> a text of their shape
standards.py         currencies, countries, languages, locales -> their names, codes and symbols, which agree
sample_words.py      invented people, real places, plain things (data)
localised_texts.py   texts that users make up -> the same in another language (data)

Order: ../schema_values asks for a format (formatted_texts) or a pattern (pattern_texts, pattern_writer) first, then names,
which asks ideas, described_values, standard_forms (standards), numeric_texts, code_shapes and past_events; example_shapes and
localised_texts come last. There, what a schema tells by examples or
description comes before what a name promises, and what a name promises is refused where examples are of another shape. To
add a standard form, add a row to `_ENDINGS` in standard_forms.py: the words that a name ends with, and a function that makes
a text. standard_forms.yaml holds only lists of values that these functions choose from.
"""
