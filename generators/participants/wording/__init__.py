"""Dialogue acts, values and wishes -> sentences of one speaker in one language, from grammars that are data.

voice.py           one speaker in one dialogue: draws sentences, and records the values it has spoken
languages.py       grammar/*.yaml -> compiled templates with slots
lexicon.py         English labels, nouns and wishes -> those of another language
inflection.py      nouns and wishes -> their forms: article, case, infinitive
value_phrases.py   values -> words: dates, times, money, lists, codes
fact_phrases.py    facts and choices -> how a user says them
wish_phrases.py    goals and their conditions -> how a user brings them up
woven_facts.py     a wish and some facts -> one phrase with both, worded by the role of each fact
own_phrases.py     phrases of tools -> how the value of a label is said, asked for and reported
goal_phrases.py    the goals of a request -> their names: the order, the second order
deed_phrases.py    a wish -> the words for its completed action
named_wishes.py    a wish and the names of its rows -> the wish with these names
result_phrases.py  results -> lists, options and clauses
asides.py          a persona -> remarks about itself
habits.py          a persona's writing habits -> a text in that style, with its values unchanged
capitalisation.py  a joined text -> the same with the original case of names
grammar/           the sentences: one file per language

Order: languages, value_phrases, capitalisation, habits, inflection, lexicon, voice (asides), deed_phrases, fact_phrases, woven_facts,
named_wishes, goal_phrases; wish_phrases, result_phrases and own_phrases use those they need.
To add or change a sentence, edit grammar/en.yaml and grammar/de.yaml; to add a language, add a file and its code in
`LANGUAGES`.
"""
