"""A tool -> the flags that repeat what its name says, so that asking for the tool sets them.

delete_comment(deleted), lock_post(locked), mark_post_as_read(read)   true without being asked for
update_post(locked)                                                   what is to be changed: it has to be said
"""

from functools import lru_cache

from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.word_classes import verbs_of


def is_implied_flag(tool: Tool, key: str) -> bool:
    """Tell whether asking for a tool implies that a flag is true: the flag is named for what the tool does."""
    schema = tool.properties.get(key, {})
    return tool.effect == "write" and schema_type(schema) == "boolean" and _repeats(key, tool.original_name)


@lru_cache(maxsize=16_384)
def _repeats(key: str, name: str) -> bool:
    """Tell whether the name of a flag is the verb of a tool's name in any form, or how the tool marks a thing."""
    said, does = name_tokens(key), name_tokens(name)
    said = said[1:] if said[:1] == ["is"] else said
    if len(said) != 1 or not does:
        return False
    marks = [does[place] for place in range(2, len(does)) if does[place - 1] == "as"]
    return said[0] in marks or bool(verbs_of(said[0]) & verbs_of(does[0]))
