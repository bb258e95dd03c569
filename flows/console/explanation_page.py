"""Accounts of what was inferred, and differences between imports -> text in the terminal."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from interplay.flows.console.imported_tools import print_warnings
from interplay.generators.environments.accounts.account_words import counted, resource_notes, tool_notes
from interplay.generators.environments.accounts.explanation import Account, Doubt, ResourceAccount, ToolAccount
from interplay.generators.importers.toolset_changes import ToolChange, ToolsetDifference
from interplay.schemas.records.tool import PolicyRule, RuleKind

STYLES = {"create": "green", "delete": "red", "update": "yellow", "action": "magenta", "compute": "dim"}
SHOWN_DOUBTS = 25
WIDEST_NAME = 40


def print_account(console: Console, account: Account) -> None:
    """Print resources with the tools that act on them, then computations, the policy, doubts and a summary."""
    for item in account.resources:
        console.print(_heading(item))
        for line in _resource_lines(item):
            console.print(line)
        console.print()
    if account.computations:
        console.print(Text("on no resource", style="bold"))
        for line in _tool_lines(account.computations):
            console.print(line)
        console.print()
    if account.rules:
        console.print(Text("policy", style="bold"))
        for line in _rule_lines(account.rules):
            console.print(line)
        console.print()
    _print_doubts(console, "in doubt", [doubt for doubt in account.doubts if not doubt.kind])
    _print_doubts(console, "in doubt, since calls were answered so", [doubt for doubt in account.doubts if doubt.kind])
    print_warnings(console, [account.fitness] if account.fitness is not None else [])
    console.print(_summary(account))


def _print_doubts(console: Console, heading: str, doubts: Sequence[Doubt]) -> None:
    if not doubts:
        return
    console.print(Text(heading, style="bold yellow"))
    for doubt in _of_each_kind(doubts)[:SHOWN_DOUBTS]:
        console.print(Text.assemble(("  ? ", "yellow"), (doubt.about, "bold"), f" {doubt.what}"))
        if doubt.remedy:
            console.print(Text(f"      {doubt.remedy}", style="dim"))
    if len(doubts) > SHOWN_DOUBTS:
        console.print(f"  and {len(doubts) - SHOWN_DOUBTS} more: --json shows all, --resource NAME one resource")
    console.print()


def _of_each_kind(doubts: Sequence[Doubt]) -> list[Doubt]:
    """Return the doubts reordered so that as many kinds as possible come first."""
    seen: Counter[str] = Counter()
    turns = []
    for doubt in doubts:
        seen[doubt.kind] += 1
        turns.append(seen[doubt.kind] if doubt.kind else 0)
    return [doubt for _, doubt in sorted(zip(turns, doubts, strict=True), key=lambda pair: pair[0])]


def _summary(account: Account) -> str:
    tools = [*(tool for item in account.resources for tool in item.tools), *account.computations]
    counts = Counter(tool.does for tool in tools)
    said = ", ".join(f"{count} {operation}" for operation, count in counts.most_common())
    corrected = f"corrected by {account.overrides}" if account.overrides else "correct it with --write-overrides"
    return (
        f"{account.toolset}: {counted(len(account.resources), 'resource')}, {counted(len(tools), 'tool')} ({said}), "
        f"{len(account.doubts)} in doubt; {corrected}"
    )


def _heading(item: ResourceAccount) -> Text:
    facts, _ = resource_notes(item)
    return Text.assemble((item.name, "bold cyan"), f"  {', '.join(facts)}", (f"  table {item.table}", "dim"))


def _resource_lines(item: ResourceAccount) -> Iterator[Text]:
    for link in resource_notes(item)[1]:
        yield Text(f"  {link}", style="dim")
    yield from _tool_lines(item.tools)


def _tool_lines(tools: tuple[ToolAccount, ...]) -> Iterator[Text]:
    widest = min(WIDEST_NAME, max((len(tool.tool) for tool in tools), default=0))
    for tool in tools:
        yield Text.assemble(
            (f"  {tool.does:<8}", STYLES.get(tool.does, "")), f"{tool.tool:<{widest}}  ", (tool.why, "dim")
        )
        if notes := tool_notes(tool):
            yield Text(f"{'':10}{'; '.join(notes)}", style="dim")


_MEANING: Mapping[RuleKind, str] = {
    "requires": "refuse unless kept", "forbids": "refuse if so", "confirm_before": "ask the user first", "limit": "refuse beyond",
    "only_if": "refuse unless so", "identify_first": "find out first who it is", "handover_when": "hand over if so",
}  # fmt: skip


def _rule_lines(rules: Sequence[PolicyRule]) -> Iterator[Text]:
    """Yield each rule with the tools that it governs, and its branches, or its text if it has none."""
    for rule in rules:
        yield Text.assemble(("  ", ""), (rule.id, "cyan"), f"  {', '.join(rule.tools) or 'all tools'}")
        for branch in rule.branches or (f"{_MEANING[rule.kind]}: {rule.text}",):
            yield Text(f"{'':10}{branch}", style="dim")


def print_difference(console: Console, difference: ToolsetDifference) -> None:
    """Print the tools that were added, removed, renamed or changed since an import, with the places that changed."""
    for name in difference.added:
        console.print(Text.assemble(("added    ", "green"), name))
    for name in difference.removed:
        console.print(Text.assemble(("removed  ", "red"), name))
    for change in difference.renamed:
        console.print(Text.assemble(("renamed  ", "yellow"), f"{change.before} -> {change.name}"))
        _print_places(console, change)
    for change in difference.changed:
        console.print(Text.assemble(("changed  ", "yellow"), change.name))
        _print_places(console, change)
    for part in difference.besides:
        console.print(Text.assemble(("changed  ", "yellow"), part))
    counts = [f"{len(getattr(difference, key))} {key}" for key in ("added", "changed", "removed", "renamed")]
    console.print(f"{', '.join(counts)}, {difference.unchanged} unchanged")


def _print_places(console: Console, change: ToolChange) -> None:
    for place in change.changes:
        before, after = (_short(value) for value in (place.before, place.after))
        console.print(Text(f"{'':9}{place.part}{place.pointer}: {before} -> {after}", style="dim"))
    if change.more:
        console.print(Text(f"{'':9}and {change.more} more", style="dim"))


def _short(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:80]}…"
