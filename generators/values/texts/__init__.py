"""The name, format, pattern, description and examples of a text field -> a text.

things.py            a catalogue of kinds of things -> names, texts and usual numbers of one, in two languages (data)
ideas.py             the subject of an object, drawn once -> its name, its person, and texts about it
names/               the words of a name -> a text that looks like what they promise; uses the modules below
described_values.py  the description of a field -> choices and examples that it lists
formatted_texts.py   a format of JSON Schema -> a text in it
past_events.py       the words of a name -> whether its moment is in the past
pattern_texts.py     a regular expression -> a text that it matches, in bounded time
pattern_writer.py    a parsed regular expression -> one text
standard_forms.py    names that promise a standard form: currency codes, IBANs, postcodes, barcodes
numeric_texts.py     texts that hold a number, in the notation of the source
code_shapes.py       an example of a code -> another code of its shape
example_shapes.py    a text made up by name, and the examples of its field -> a text of their shape
standards.py         currencies, countries, languages, locales -> their matching names, codes and symbols
sample_words.py      invented people, real places, plain things (data)
localised_texts.py   texts that users make up -> the same in another language (data)

Order: ../schema_values tries the format (formatted_texts), then names, and writes by pattern (pattern_texts, pattern_writer)
if the pattern does not match. names uses ideas, described_values, standard_forms (standards), numeric_texts, code_shapes
and past_events; example_shapes and localised_texts come last. There, examples and descriptions of the schema come before
what a name promises, and a text made by name is refused if the examples are of another shape. To
add a standard form, add a row to `_ENDINGS` in standard_forms.py: the last words of a name, and a function that makes
a text. standard_forms.yaml holds only the lists of values that these functions choose from.
"""
