"""Texts and names in the jargon of a service's data model -> plain words.

Add new entity to Invoices      ->  Add new invoice
list objects of kind Pod        ->  list the pods
readCoreV1NamespacedPodLog      ->  read pod log
"""

import re
from collections.abc import Collection

from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import is_plural, plural, singular
from interplay.schemas.words.verbs import VERBS
from interplay.schemas.words.word_classes import can_be_noun, can_be_verb, is_verb_alone

_MODELLED = re.compile(
    r"^(\w+) (new )?(?:the )?(?:(entit(?:y|ies))|navigation property) (?:(?:from|to|in|of) )?(\w+)(?: (?:for|in|from|of) \w+)?",
    re.IGNORECASE,
)


def without_model(text: str) -> str:
    """Rewrite a summary in data-model jargon: "Add new entity to Invoices" -> "Add new invoice"."""
    text = re.sub(r"^partially (?=update)", "", text, flags=re.IGNORECASE)
    kind = re.match(
        r"(?:(list)(?: or watch)? objects of kind|(delete) (?:a )?collection of) (\w+)$", text, re.IGNORECASE
    )
    if kind:
        return f"{kind[1] or kind[2]} {'the' if kind[1] else 'all'} {plural(' '.join(name_tokens(kind[3])))}"
    if re.match(r"invoke (?:action|function) \w+$", text, re.IGNORECASE):
        return ""
    found = _MODELLED.match(text)
    if found is None:
        return text
    words = name_tokens(found[4])
    noun = " ".join(words if str(found[3]).lower() == "entities" else [*words[:-1], singular(words[-1])])
    return f"{found[1]} {found[2] or ''}{noun}{text[found.end() :]}"


def plain_path(tool: Tool) -> str:
    """Return a tool's path with OData keys as steps of their own: `/Invoices('{No}')/Sales.Post` -> `/Invoices/{No}/Post`."""
    path = without_class(without_repetition(tool))
    if "(" not in path:
        return path
    keyed = re.sub(r"\(([^()]*\{[^()]*)\)", lambda found: "/" + re.findall(r"\{[^{}]*\}", found[1])[-1], path)
    return re.sub(r"(?<=\}/)(?:\w+\.)+(?=\w+)", "", keyed.replace("()", ""))


def without_repetition(tool: Tool) -> str:
    """Return a tool's path without words that repeat the method or the collection, and with the verb after the identity.

    PUT /users/update/{id}                  ->  /users/{id}
    DELETE /field/deleteField/{id}          ->  /field/{id}
    PUT /jobs/updateJobStatus/{id}          ->  /jobs/{id}/status
    GET /task/viewall                       ->  /tasks
    GET /videos/getall/{published}          ->  /videos
    GET /getOnlineStatus/{id}               ->  /online_status/{id}
    DELETE /deleteField/{id}                ->  /field/{id}
    POST /orders/approveOrder/{id}          ->  /orders/{id}/approve
    PUT /orders/updateState/{orderId}       ->  /orders/{orderId}/state
    GET /videos/play/{id}, by `playVideo`   ->  /videos/{id}/play
    """
    if tool.http is None:
        return ""
    method = tool.http.method
    said, kept, after = _REPEATING.get(method, frozenset()), list[str](), list[str]()
    parts = _in_order((tool.http.path.rstrip("/") or "/").split("/"), name_tokens(tool.original_name))
    for place, part in enumerate(parts):
        before, later = parts[place - 1] if place else "", parts[place + 1 :]
        last = all("{" in other for other in later)
        if last and before and "{" not in before and method == "GET" and "".join(name_tokens(part)) in _GATHERING:
            kept[-1] = before if is_plural(before) else plural(before)
            break  # further steps only filter the list
        if part.lower() in said and before and "{" not in before:
            if not later[1:] and (is_plural(before) or later):
                continue
        elif (rest := _beside_verb(part, before, said)) is not None and last:
            after += rest
            continue
        if method == "POST" and last and len(later) == 1 and (apart := _deed_apart(part)):
            noun = [] if singular(apart[1]) == "_".join(singular(word) for word in name_tokens(before)) else [apart[1]]
            return "/".join([*kept, *noun, *later, apart[0]])
        if last and len(later) == 1 and (told := _part_of_row(part, before, later[0], said)):
            return "/".join([*kept, *later, told])
        alone = last and method != "POST" and (later or not before)
        kept.append(_without_verb(part, said, "".join(later)) if alone else part)
    return "/".join([*kept, *after])


def _without_verb(part: str, said: Collection[str], identity: str) -> str:
    """Remove from the last step, or from that before an identity, a verb that repeats the method: `getOrderById` -> `order`."""
    verb, *rest = name_tokens(part) or [""]
    if rest[:1] == ["all"] and rest[1:]:
        rest = [*rest[1:-1], plural(singular(rest[-1]))]
    by = rest.index("by") if "by" in rest else len(rest)
    if by and rest[by + 1 :] in (["id"], name_tokens(identity)) and not is_plural(rest[by - 1]):
        rest = rest[:by]
    plain = rest and verb in said and "by" not in rest and not is_verb_alone(rest[0])
    meant = bool(identity) or verb in _ONLY_VERBS or (bool(rest) and is_plural(rest[-1]))
    return "_".join(rest) if plain and meant else part


def _part_of_row(part: str, before: str, identity: str, said: Collection[str]) -> str:
    """Return the part of a row that a step changes before the identity of the row: `updateStock` of `/products/updateStock/{productId}`.

    Empty if the step is about anything else.
    """
    verb, *rest = name_tokens(part) or [""]
    owner = [singular(word) for word in name_tokens(before)] if "{" not in before else []
    named = owner and [singular(word) for word in name_tokens(identity)][: len(owner)] == owner
    return "_".join(rest) if named and rest and verb in said and "by" not in rest and can_be_noun(rest[-1]) else ""


def _deed_apart(part: str) -> tuple[str, str] | None:
    """Return the verb and the noun of a step that says what is done to the row after it: `approveOrder` -> approve, order."""
    verb, *rest = name_tokens(part) or [""]
    done = rest and verb in VERBS and verb not in _GIVING and "by" not in rest and can_be_noun(rest[-1])
    return (verb, "_".join(rest)) if done else None


def _in_order(parts: list[str], named: list[str]) -> list[str]:
    """Return the steps of a path with a final identity moved before the verb or property that precedes it.

    It is moved only if the tool's name confirms this: playVideo, getVideoStats, but not getVideoClip for /videos/clips/{id}.
    """
    if len(parts) < 3 or "{" not in parts[-1] or "{" in parts[-2] + parts[-3] or not is_plural(parts[-3]):
        return parts
    said, *others = name_tokens(parts[-2]) or [""]
    words = {singular(word) for word in name_tokens(parts[-1])}
    thing = [singular(word) for word in name_tokens(parts[-3])]
    spoken = [singular(word) for word in named]
    places = [at for at in range(len(spoken)) if spoken[at : at + len(thing)] == thing]
    after = [named[at + len(thing) :] for at in places]
    follows = any(rest[:1] == [said] and rest[1:2] in ([], ["by"]) for rest in after)
    done = named[:1] == [said] and can_be_verb(said) and 1 in places
    moved = not others and singular(said) not in words and (done or follows)
    return [*parts[:-2], parts[-1], parts[-2]] if moved else parts


def _beside_verb(part: str, before: str, said: Collection[str]) -> list[str] | None:
    """Return the words that a step adds to a verb and the collection before it; None if it has another form."""
    verb, *rest = name_tokens(part) or [""]
    thing = name_tokens(before) if "{" not in before else []
    told, more = rest[: len(thing)], rest[len(thing) :]
    if verb not in said or not thing or [*told[:-1], *map(singular, told[-1:])] != [*thing[:-1], singular(thing[-1])]:
        return None
    if not more:
        return []
    named = more == ["by", "id"] or more == ["by", *told, "id"]
    return [] if named else None if "by" in more else ["_".join(more)]


_GATHERING = word_set(beside(__file__), "gathering")
_ONLY_VERBS, _GIVING = word_set(beside(__file__), "only_verbs"), word_set(beside(__file__), "giving")
_REPEATING = {method: frozenset(said.split()) for method, said in table(beside(__file__), "repeating").items()}


def without_class(path: str) -> str:
    """Return a path without class suffixes: `/ProductsApi` -> `/Products`."""
    return re.sub(r"(?<=[a-z])(?:Api|Controller)(?=/|$)", "", path)


def without_group(tokens: list[str]) -> list[str]:
    """Return the words of a name without API group and version: `readCoreV1NamespacedPodLog` -> read pod log."""
    at = next((number for number in range(1, len(tokens) - 2) if _is_version(tokens[number : number + 2])), None)
    if at is None:
        return tokens
    end = at + 2 + (2 if tokens[at + 2] in ("alpha", "beta") else 0)
    return [*tokens[: max(1, at - 1)], *(token for token in tokens[end:] if token != "namespaced")]


def _is_version(pair: list[str]) -> bool:
    return pair[0] == "v" and pair[1].isdigit()
