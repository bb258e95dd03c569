"""An object that stands for an enumerated choice, by a code and a label -> the same with matching code and label.

"status": {"code": "RE46941", "label": "Headlamp Kanto"}   ->   {"code": "delivered", "label": "Delivered"}
"""

from collections.abc import Mapping
from typing import Any

from interplay.generators.values.lifetimes import tells_state
from interplay.generators.values.texts.formatted_texts import slug_of
from interplay.generators.values.texts.names.named_texts import says_kind
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens

_LABELS = ("label", "display_name", "title", "name", "text")
_CODES = ("code", "key", "slug", "value")
_SHOWN = {"id", "color", "colour", "icon", "description", *_LABELS, *_CODES}
_GIVEN = ("enum", "const", "examples", "pattern", "format")


def is_choice(name: str, properties: Mapping[str, Any]) -> bool:
    """Tell whether an object of this name and with these fields stands for a status or a kind."""
    whole = tuple("_".join(name_tokens(field)) for field in properties)
    by_itself = "id" in whole  # e.g. a category that rows share
    kind = tells_state(name) or (not by_itself and (says_kind(name) or name_tokens(name)[-1:] == ["method"]))
    return kind and _SHOWN.issuperset(whole) and not set(_LABELS).isdisjoint(whole)


def as_choice(made: Mapping[str, Any], properties: Mapping[str, Any], said: str) -> dict[str, Any]:
    """Return such an object with matching code and label: of its own code if the schema gives that, else of `said`."""
    texts = {"_".join(name_tokens(name)): name for name in made if schema_type(properties.get(name, {})) == "string"}
    code = next((texts[field] for field in _CODES if field in texts), None)
    given = code is not None and any(key in properties[code] for key in _GIVEN)
    said = str(made[code]).lower() if given and code is not None else said
    said = said.replace("_", " ").replace("-", " ") if " " not in said else said
    told = {texts[field]: said.capitalize() for field in _LABELS if field in texts} if said else {}
    told |= {code: slug_of(said).replace("-", "_")} if said and code is not None and not given else {}
    free = {name: value for name, value in told.items() if not any(key in properties[name] for key in _GIVEN)}
    return {**made, **{name: value for name, value in free.items() if is_valid(value, properties[name])}}
