"""A message -> what its words do, read by word lists in English and German; acts are asked first where a message has one.

assent.py      an answer to "Shall I?" -> yes, no or unclear; its words are in assent.yaml
claims.py      whether the assistant says that something was done
decline.py     whether the assistant says that something failed or will not be done
paraphrase.py  words of a wish -> other words for the same deed, which are in paraphrase.yaml
phrases.py     the patterns of the others, kept in phrases.yaml
gloss.py       words of another language -> the values of tools that they stand for

Order: phrases, decline, claims; the others stand alone. To have a phrase taken for a yes, edit assent.yaml; for a claim or a
refusal, phrases.yaml; for another word for a deed, paraphrase.yaml.
"""
