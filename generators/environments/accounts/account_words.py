"""An account -> short notes for people, in the terminal and on a page.

book       identified by book_id (a field that holds the key of each row), 6 rows
lend_book  book_id refers to book (the name of its identity)
"""

from collections.abc import Mapping

from interplay.generators.environments.accounts.explanation import ResourceAccount, ToolAccount


def resource_notes(item: ResourceAccount) -> tuple[list[str], list[str]]:
    """Return notes on a resource (identity, parent, number of rows), and notes on its references."""
    facts = ["one for each " + (item.parent or "world")] if item.single else []
    facts += [f"identified by {item.identity}{_because(item.because, item.identity)}"] if item.identity else []
    facts += [f"below {item.parent}"] if item.parent and not item.single else []
    if item.rows is not None:
        seeds = f", {item.seed_rows} of them given" if item.seed_rows else ""
        facts.append(f"{counted(item.rows, 'row')}{seeds}")
    to = [
        f"{target} by {pointer[1:].replace('/', '.')}{_because(item.because, pointer)}"
        for pointer, target in item.references.items()
    ]
    links = [f"refers to {', '.join(to)}"] if to else []
    links += [f"many to many with {', '.join(item.many_to_many)}"] if item.many_to_many else []
    return facts, links


def tool_notes(tool: ToolAccount) -> list[str]:
    """Return notes on a tool: effect, target, references, fields it sets, error cases."""
    others = {pointer: to for pointer, to in tool.references.items() if pointer != f"/{tool.target}"}
    stands_in_why = f"the method {tool.why.partition(' ')[0]}"
    notes = [f"{tool.effect} by {tool.effect_why}"] if tool.effect_why not in ("", stands_in_why) else []
    notes += [f"by {tool.target}"] if tool.target else []
    notes += [
        f"{pointer[1:].replace('/*', '[]').replace('/', '.')} refers to {target}{_because(tool.because, pointer)}"
        for pointer, target in others.items()
    ]
    if tool.does == "action" and tool.target and not tool.sets:
        notes.append("changes no field that is known; only the call itself is noted")
    notes += [f"sets {field}" for field in tool.sets]
    notes += [counted(tool.errors, "error case")] if tool.errors else []
    return notes


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in singular or plural: `1 row`, `6 rows`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _because(rows: Mapping[str, str], field: str) -> str:
    """Return the reason for a field in brackets, such as the name of a table row; empty if there is none."""
    return f" ({rows[field]})" if rows.get(field) else ""
