"""A wish -> the same with a pronoun for its object: "cancel an order" -> "cancel it"."""

import re

from interplay.schemas.words.lists import beside, word_set

_OBJECT = re.compile(
    r"^(?P<verb>\w+)(?: (?P<particle>off|up|down|out|back|away|over))? (?:an?|my|the|one of my|this|that) "
    r"(?:(?!of\b|for\b|to\b|from\b|in\b|on\b|at\b|with\b|by\b|as\b|and\b)[\w-]+ ?){1,3}$"
)
_DETAILS = re.compile(
    r"^(?P<head>.+) (?P<preposition>of|about|for) (?:an?|my|the|one of my|this|that) (?P<whose>(?:[\w-]+ ?){1,2})$"
)
_PARTICLES = {"off", "up", "down", "out", "back", "away", "over"}
_NEW = word_set(beside(__file__), "new")


def pronominal(intent: str, topic: str = "") -> str:
    """Return a wish with "it" for its object; empty if it has no plain object, or if the object is yet to be created.

    If the wish names two things, `topic` is the one that it is about: in "add a task to a project", the task.
    """
    found = _OBJECT.match(intent)
    if found is not None and found["verb"] not in _NEW:
        last = intent.rpartition(" ")[2]
        particle = found["particle"] or (last if last in _PARTICLES else "")
        head = intent.removesuffix(f" {particle}").rpartition(" ")[2]
        if topic and head != topic.rpartition(" ")[2] and topic in intent:
            return ""  # a reminder of an invoice is no invoice
        return f"{found['verb']} it {particle}".rstrip()
    found = _DETAILS.match(intent)
    if found is not None and topic and topic.split()[-1] not in found["whose"] and _OBJECT.match(found["head"]):
        return pronominal(found["head"])
    if found is not None and intent.split()[0] not in _NEW:
        return f"{found['head']} {found['preposition']} {'that one' if found['preposition'] == 'of' else 'it'}"
    return ""
