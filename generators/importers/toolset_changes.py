"""Two imports of one source -> the tools that were added, changed, removed or renamed, by content hash.

    changed  getPet  /parameters/properties/id/type: "integer" -> "string";  description
    renamed  listPets -> findPets   (the same content, or the same method and path)

The earlier import is a file that `save_import` wrote, or the toolset of a workspace.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import differences, join_pointer
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import plain
from interplay.schemas.records.tool import Tool, Toolset

LARGEST_FILE = 256 * 1024**2
SHOWN_CHANGES = 20
"""Most changes listed per tool; further ones are only counted."""

PARTS = ("name", "description", "summary", "phrases", "parameters", "returns", "effect", "requestor", "http")


class SavedImport(Record):
    """An imported toolset saved for later comparison, with the content hash of each tool by name."""

    toolset: Toolset
    digests: dict[str, str]


class PartChange(Record):
    """One difference between two versions of a tool: the part, and the pointer within it."""

    part: str
    pointer: str = ""
    before: Any = None
    after: Any = None


class ToolChange(Record):
    """A changed tool; `before` is its earlier name if that changed."""

    name: str
    before: str | None = None
    changes: tuple[PartChange, ...] = ()
    more: int = Field(0, description="Changed places that are not listed.")


class ToolsetDifference(Record):
    """What changed in the tools of a source between two imports."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[ToolChange, ...] = ()
    renamed: tuple[ToolChange, ...] = ()
    unchanged: int = 0
    besides: tuple[str, ...] = Field((), description="Other parts that differ: policy, rules, its sources.")

    @property
    def is_empty(self) -> bool:
        """Tell whether both imports are the same."""
        return not (self.added or self.removed or self.changed or self.renamed or self.besides)

    def summary(self) -> str:
        """Summarise the difference in one line, naming at most 5 tools of each kind."""
        parts = [
            _listed("added", self.added),
            _listed("changed", [change.name for change in self.changed]),
            _listed("removed", self.removed),
            _listed("renamed", [f"{change.before} -> {change.name}" for change in self.renamed]),
            _listed("also changed", self.besides),
        ]
        return "; ".join(part for part in parts if part) or "no difference"


def _listed(what: str, names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"{what} {', '.join(names[:5])}{more}" if names else ""


def save_import(toolset: Toolset) -> str:
    """Return an import as the text of a file: JSON with sorted keys, so that equal imports give equal bytes."""
    saved = SavedImport(toolset=toolset, digests={tool.name: tool.digest() for tool in toolset.tools})
    return json.dumps(saved.model_dump(mode="json"), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def load_import(path: Path) -> Toolset:
    """Read the toolset in a file that `save_import` made.

    Raises:
        ConfigError: the file cannot be read, or is no saved import.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ConfigError(f"{path}: larger than {LARGEST_FILE // 1024**2} MB.")
        return SavedImport.model_validate_json(plain(path).read_bytes()).toolset
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read ({error.strerror}). Write it with: interplay import --save"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = f"{join_pointer(*first['loc'])}: " if first["loc"] else ""
        raise ConfigError(f"{path}: {place}{first['msg']}; expected a file of interplay import --save.") from error


def compare(before: Toolset, after: Toolset) -> ToolsetDifference:
    """Compare two imports of one source; `before` is the earlier one."""
    old, new = (toolset.by_name for toolset in (before, after))
    gone = [tool for tool in before.tools if tool.name not in new]
    came = [tool for tool in after.tools if tool.name not in old]
    renamed = dict(_renamed(gone, came))
    both = [tool for tool in after.tools if tool.name in old]
    changed = [tool for tool in both if tool.digest() != old[tool.name].digest()]
    return ToolsetDifference(
        added=tuple(tool.name for tool in came if tool.name not in renamed),
        removed=tuple(tool.name for tool in gone if tool.name not in {item.name for item in renamed.values()}),
        changed=tuple(_change(old[tool.name], tool) for tool in changed),
        renamed=tuple(_change(renamed[tool.name], tool) for tool in came if tool.name in renamed),
        unchanged=len(both) - len(changed),
        besides=tuple(_besides(before, after)),
    )


def _besides(before: Toolset, after: Toolset) -> Iterable[str]:
    for key in ("name", "licence", "policy", "rules", "nouns", "sayings", "askings", "asks_for", "user_resource"):
        if getattr(before, key) != getattr(after, key):
            yield key.replace("_", " ")
    differing = (
        item
        for item in (*before.provenance, *after.provenance)
        if (item in before.provenance) != (item in after.provenance)
    )
    yield from dict.fromkeys(item.partition("@")[0] for item in differing)


def _renamed(gone: Iterable[Tool], came: Iterable[Tool]) -> Iterable[tuple[str, Tool]]:
    """Yield (new name, old tool) for each renamed tool: the same content, else the same method and path."""
    left, pending = list(gone), list(came)
    for same in (_content, _place):
        known = {same(tool): tool for tool in reversed(left)}
        known.pop(None, None)
        for tool in list(pending):
            match = known.pop(same(tool), None)
            if match is not None:
                left.remove(match)
                pending.remove(tool)
                yield tool.name, match


def _content(tool: Tool) -> str | None:
    return tool.model_copy(update={"name": "_"}).digest()


def _place(tool: Tool) -> str | None:
    return f"{tool.method} {tool.path}" if tool.path else None


def _change(before: Tool, after: Tool) -> ToolChange:
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    found = [
        PartChange(part=part, pointer=change.path, before=_short(change.before), after=_short(change.after))
        for part in PARTS
        if part != "name"
        for change in differences(old[part], new[part])
    ]
    was = before.name if before.name != after.name else None
    more = max(0, len(found) - SHOWN_CHANGES)
    return ToolChange(name=after.name, before=was, changes=tuple(found[:SHOWN_CHANGES]), more=more)


def _short(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= 200 else f"{text[:200]}…"
