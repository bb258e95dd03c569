"""Names and prose -> what they say: nouns, numbers, dates, values; for grammars, hearing and checks alike.

numbers.py   prose -> the numbers in it, as digits or words
dates.py     prose -> the days, months and times in it
text.py      prose -> the forms in which values are looked for: letters, numbers, moments, addresses
mentions.py  prose and a value -> whether it says the value
scripts.py   which letters belong to scripts without spaces
nouns.py     English nouns -> plural, and whether a noun is one
articles.py  a noun phrase -> the same with the article that fits it
verbs.py     verbs that names of tools begin with
lists.py     lists of words kept as data (data/<language>/<idea>.yaml) -> tuples, sets, tables

Order: lists; scripts, numbers, dates, text, mentions; nouns, articles, verbs.
To have another way of saying a value understood, extend mentions.py and its test; lists of words are data files.
"""
