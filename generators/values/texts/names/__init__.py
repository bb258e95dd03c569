"""The words of a text field's name, its description and its examples -> a text that looks like what they promise.

named_texts.py       a name and a schema -> a text: what the schema tells, else what the name promises
name_endings.py      the last words of a name, and its description -> what makes the texts that they promise
word_makers.py       one word of a name -> what makes the texts that it promises
field_vocabulary.py  fields of which people have a few plain words (data)

Order: named_texts asks name_endings, then field_vocabulary, then word_makers, and takes the first text that it gets.
"""
