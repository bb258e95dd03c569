"""Boolean arguments that repeat the tool's name, so that asking for the tool implies them.

delete_comment(deleted), lock_post(locked), mark_post_as_read(read)   true without being asked for
update_post(locked)                                                   not implied: the user has to say it
"""

from functools import lru_cache

from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.word_classes import infinitives


def is_implied_flag(tool: Tool, key: str) -> bool:
    """Tell whether a write tool's boolean argument is named after what the tool does, so that it is true implicitly."""
    schema = tool.properties.get(key, {})
    return tool.effect == "write" and schema_type(schema) == "boolean" and _repeats(key, tool.original_name)


@lru_cache(maxsize=16_384)
def _repeats(key: str, name: str) -> bool:
    """Tell whether a flag's name is a form of the verb in a tool's name, or the word after "as" (`mark_post_as_read`)."""
    said, does = name_tokens(key), name_tokens(name)
    said = said[1:] if said[:1] == ["is"] else said
    if len(said) != 1 or not does:
        return False
    marks = [does[place] for place in range(2, len(does)) if does[place - 1] == "as"]
    return said[0] in marks or bool({*infinitives(said[0])} & {*infinitives(does[0])})
