"""The possible word classes of an English word (verb, noun, adjective, adverb), from lemminflect's lexicon.

move    verb, noun           closed    verb (a form of close), adjective           github    unknown: a name or jargon
"""

from functools import lru_cache

from interplay.schemas.words.verbs import TOLD
from interplay.schemas.words.word_tables import Forms, lexicon


@lru_cache(maxsize=16_384)
def _classes(word: str) -> Forms:
    found: Forms = lexicon().getAllLemmas(word)
    return {**found, "ADJ": (word,)} if "ADJ" not in found and _tells_what_can_be_done(word) else found


def _tells_what_can_be_done(word: str) -> bool:
    """Tell whether a word is an adjective by its ending, which the lexicon lacks for many: "searchable", "visible"."""
    stem = word.removesuffix("able")
    verbs = (
        (lexicon().getAllLemmas(form).get("VERB", ()) for form in (stem, f"{stem}e"))
        if stem != word and len(stem) > 2
        else ()
    )
    return any(verbs) or (word.endswith("ible") and len(word) > len("crible"))


def is_known(word: str) -> bool:
    """Tell whether a word is in the English lexicon."""
    return bool(_classes(word.lower()))


def is_abbreviation(word: str) -> bool:
    """Tell whether letters are an abbreviation, since they are few and no word: VIN, adr."""
    return word.isalpha() and len(word) <= _LETTERS and not is_known(word)


_LETTERS = 4


def can_be_verb(word: str) -> bool:
    """Tell whether a word can be an imperative verb: "move" and "unmatch", not "moves" or "moved"."""
    known = _classes(word)
    stems = () if known else (word.removeprefix(start) for start in _BEFORE_VERBS if word.startswith(start))
    return (
        word in TOLD or word in known.get("VERB", ()) or any(stem in _classes(stem).get("VERB", ()) for stem in stems)
    )


_BEFORE_VERBS = ("un", "re", "de", "dis", "over", "pre")
"""Prefixes that turn a verb into another one."""


def is_verb_alone(word: str) -> bool:
    """Tell whether a word can be an imperative verb and nothing else: "flatten", not "segment"."""
    found = _classes(word)
    return word in found.get("VERB", ()) and not {"NOUN", "PROPN", "ADJ", "ADV"} & found.keys()


def is_noun(word: str) -> bool:
    """Tell whether English has a noun of three letters or more that is written so: "cart", "products"."""
    return len(word) > len("to") and "NOUN" in _classes(word)


def can_be_noun(word: str) -> bool:
    """Tell whether a word can be a noun; unknown words count as names or jargon."""
    found = _classes(word.lower())
    return not found or "NOUN" in found or "PROPN" in found or word.endswith("ing")


def can_be_adverb(word: str) -> bool:
    """Tell whether a word can be an adverb or the particle of a verb: "take it down"."""
    return "ADV" in _classes(word.lower())


def infinitives(word: str) -> tuple[str, ...]:
    """Return the infinitives that a word may be a form of: "deleted" -> ("delete",); empty if it cannot be a verb."""
    return _classes(word.lower()).get("VERB", ())


def phrasal(word: str) -> str:
    """Split a noun made of a verb and its particle: "logout" -> "log out"; "" for other words."""
    if "VERB" in _classes(word):
        return ""
    parts = ((word.removesuffix(end), end) for end in _AFTER_VERBS if word.endswith(end))
    return next((f"{verb} {end}" for verb, end in parts if len(verb) > 1 and "VERB" in _classes(verb)), "")


_AFTER_VERBS = ("out", "up", "back", "down", "off", "in")
"""Particles that are joined to the verb in nouns: logout, backup."""


def is_participle(word: str) -> bool:
    """Tell whether a word can only be a past participle: "closed", "given"."""
    found = _classes(word.lower())
    lemmas = found.get("VERB", ())
    return bool(lemmas) and word.lower() not in lemmas and "NOUN" not in found and not word.endswith(("s", "ing"))


def tells_which(word: str) -> bool:
    """Tell whether a word can qualify a noun: "active", "lost", and "found", which is a verb too."""
    found = _classes(word.lower())
    return "NOUN" not in found and ("ADJ" in found or is_other_form(word))


def is_other_form(word: str) -> bool:
    """Tell whether a word that cannot be a noun can be a past form of another verb, even if it is one itself: "found" of find."""
    found = _classes(word.lower())
    verbs = found.get("VERB", ())
    return "NOUN" not in found and any(verb != word.lower() for verb in verbs) and not word.endswith(("s", "ing"))


def is_predicate(label: str) -> bool:
    """Tell whether a label can be predicated of a thing: "active", "paid", "has bicycle"; not "system" or "owner"."""
    words = label.lower().split() or [""]
    first, last = words[0], words[-1]
    does = _classes(first)
    acts = len(words) > 1 and first.endswith("s") and "VERB" in does and "NOUN" not in does and "be" not in does["VERB"]
    return acts or "ADJ" in _classes(last) or is_participle(last)


@lru_cache(maxsize=4096)
def participle_of(verb: str) -> str:
    """Return the past participle of a verb: "send" -> "sent"; "" if the word cannot be an imperative verb."""
    found = lexicon().getInflection(verb, "VBN") if can_be_verb(verb) else ()
    return str(found[0]) if found else ""
