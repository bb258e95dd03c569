"""A toolset and patterns -> the toolset reduced to the tools that match.

get_*           tools by name, imported or original; `*` stands for anything, `?` for one character
effect:write    tools by effect (read, write), or by requestor: requestor:user
method:DELETE   tools by HTTP method; path:/repos/* by path template
"""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from interplay.schemas.errors import ConfigError
from interplay.schemas.records.tool import Tool, Toolset

KINDS = ("name", "effect", "requestor", "method", "path")
LONGEST_PATTERN = 200


def select(toolset: Toolset, include: Sequence[str], exclude: Sequence[str], where: str) -> Toolset:
    """Return the toolset with the tools that match any pattern of `include` (all if it is empty) and none of `exclude`.

    Rules are narrowed to the remaining tools; a rule left with none is dropped.

    Raises:
        ConfigError: a pattern matches no tool, or no tool remains; `where` names the source of the patterns.
    """
    if not include and not exclude:
        return toolset
    for pattern in (*include, *exclude):
        _check(pattern, toolset, where)
    kept = [
        tool
        for tool in toolset.tools
        if (not include or any(fits(tool, pattern) for pattern in include))
        and not any(fits(tool, pattern) for pattern in exclude)
    ]
    if not kept:
        raise ConfigError(f"{where}: leaves no tool of {toolset.name}. Widen what is kept.")
    return with_tools(toolset, kept)


def with_tools(toolset: Toolset, tools: Iterable[Tool]) -> Toolset:
    """Return the toolset with these tools, its rules narrowed to them."""
    kept = tuple(tools)
    names = {tool.name for tool in kept}
    rules = (
        rule.model_copy(update={"tools": tuple(name for name in rule.tools if name in names)})
        for rule in toolset.rules
        if not rule.tools or names & set(rule.tools)
    )
    return toolset.model_copy(update={"tools": kept, "rules": tuple(rules)})


def fits(tool: Tool, pattern: str) -> bool:
    """Tell whether a tool matches a pattern."""
    kind, mark, text = pattern.partition(":")
    kind, text = (kind, text) if mark and kind in KINDS else ("name", pattern)
    if kind == "name":
        return fnmatchcase(tool.name, text) or fnmatchcase(tool.original_name, text)
    if kind in ("effect", "requestor"):
        return text == (tool.effect if kind == "effect" else tool.requestor)
    if tool.http is None:
        return False
    return tool.method == text.upper() if kind == "method" else fnmatchcase(tool.path, text)


def _check(pattern: str, toolset: Toolset, where: str) -> None:
    if len(pattern) > LONGEST_PATTERN or pattern.count("*") > 10:
        raise ConfigError(f"{where}: the pattern {pattern[:60]!r} is too long, or has more than 10 stars.")
    if not any(fits(tool, pattern) for tool in toolset.tools):
        names = ", ".join(tool.name for tool in toolset.tools[:5])
        raise ConfigError(
            f"{where}: {pattern!r} fits no tool of {toolset.name} ({names}, ...). "
            "Give a name with * and ?, or effect:, requestor:, method: or path: and a pattern."
        )
