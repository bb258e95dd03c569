"""The words of a text field's name, its description and its examples -> a text that looks like what they promise.

named_texts.py       a name and a schema -> a text: what the schema gives, else what the name promises
name_endings.py      the last words of a name, and its description -> a function that makes such texts
word_makers.py       one word of a name -> a function that makes such texts
field_vocabulary.py  fields that usually hold one of a few plain words (data)

Order: named_texts tries name_endings, then field_vocabulary, then word_makers, and takes the first text.
"""
