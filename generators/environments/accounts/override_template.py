"""An account -> a file of overrides to start from, in which everything is commented out."""

import json
from collections.abc import Iterator

from interplay.generators.environments.accounts.explanation import Account, ResourceAccount, ToolAccount

_HEAD = """\
# What was inferred of {name}. Take the # away from what you correct; the rest stays as inferred.
# See what comes of it:  interplay import --toolset {spec} --explain

# include: [get_*, "path:/orders*"]     # tools to keep
# exclude: ["effect:write"]             # tools to leave out
# licence: ...
# policy: |
#   What the assistant must and must not do, in prose.
# rules:                                # kinds: requires, forbids, confirm_before, limit, only_if, identify_first, handover_when
#   - {{id: at_most_five, kind: only_if, text: "Five at most.", tools: [TOOL], when: {{argument.quantity: {{max: 5}}}}}}
# user_resource: RESOURCE               # the resource that the user is one of
"""


def overrides_template(account: Account, spec: str) -> str:
    """Return the text of a file of overrides that states, in comments, what was inferred."""
    lines = [_HEAD.format(name=account.toolset, spec=spec), "resources:"]
    for resource in account.resources:
        lines += _resource_lines(resource)
    lines += ["", "tools:"]
    for tool in (*(tool for resource in account.resources for tool in resource.tools), *account.computations):
        lines += _tool_lines(tool)
    if account.doubts:
        lines += ["", "# In doubt:"]
        lines += [f"#   {_line(doubt.about)}: {_line(doubt.what)}" for doubt in account.doubts]
    return "\n".join(lines) + "\n"


def _resource_lines(item: ResourceAccount) -> Iterator[str]:
    yield f"  # {_quoted(item.name)}:"
    yield f"  #   identity: {_quoted(item.identity) if item.identity else 'FIELD'}"
    yield f"  #   parent: {_quoted(item.parent) if item.parent else 'null'}"
    if item.references:
        yield f"  #   references: {json.dumps(item.references, ensure_ascii=False)}"
    if item.rows is not None:
        yield f"  #   rows: {item.rows}"
    yield "  #   seed_rows: []"


def _tool_lines(tool: ToolAccount) -> Iterator[str]:
    yield f"  # {_quoted(tool.tool)}:     # {_line(tool.why)}"
    yield f"  #   operation: {tool.does}"
    yield f"  #   effect: {tool.effect}"
    if tool.resource:
        yield f"  #   resource: {_quoted(tool.resource)}"
    if tool.target:
        yield f"  #   target: {_quoted(tool.target)}"
    if tool.does == "action" and tool.resource:
        yield "  #   sets: {status: ...}"
    if tool.effect == "write":
        yield '  #   errors: [{when: {}, error: "409 Conflict: ..."}]'


def _quoted(text: str) -> str:
    plain = text.replace("_", "").replace("-", "")
    return text if plain.isalnum() and plain[0].isalpha() else json.dumps(text)


def _line(text: str) -> str:
    return " ".join(text.split())[:300]
