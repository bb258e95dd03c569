"""The settings and the commands -> the pages that list them all, the schema of a configuration, and where issues are made.

python docs/reference.py        write docs/configuration.md, docs/commands.md, docs/interplay.schema.json, the end of docs/issues.md
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from enum import EnumType
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import yaml
from typer.main import get_command

from interplay.flows.commands.cli import app
from interplay.flows.settings.config_schema import config_schema, schema_text

FOLDER = Path(__file__).parent
LONGEST_DEFAULT = 40
"""Characters of a default that stands in a table; longer ones follow as YAML."""

SECTIONS = {
    "recipes": ("RecipeSettings", "What tasks are asked for. See [Tasks](tasks.md), [Behaviours and faults](behaviours.md)"),
    "limits": ("Limits", "What ends a dialogue. See [Branches and sessions](branches.md)"),
    "worlds": ("WorldSettings", "Made-up worlds: how many records share one, and what they hold. See [Tasks](tasks.md)"),
    "worlds/rows": ("Size", "How many rows of a resource there are in a world"),
    "start": ("StartSettings", "Where dialogues begin. See [Branches and sessions](branches.md)"),
    "branches": ("BranchSettings", "How dialogues branch. See [Branches and sessions](branches.md)"),
    "models": ("ModelSettings", "Settings of each model, under a name of your choice. See [Models and budgets](models.md)"),
    "embeddings": ("EndpointSettings", "The model that finds fields of near meaning. See [Models and budgets](models.md)"),
    "roles": ("RoleSettings", "Settings of each role: `user`, `assistant`, `tool`, `reviewer`, `composer`; "
              "or the name of a model, or a list of names. See [Models and budgets](models.md)"),
    "choice": ("ModelChoice", "One of several models in the list of a role"),
    "sampling": ("Sampling", "How answers are sampled, under a model or a choice"),
    "budget": ("BudgetSettings", "The most that models may cost. See [Models and budgets](models.md)"),
    "bound": ("Bound", "The most that a role may cost"),
    "committee": ("CommitteeSettings", "Who reviews tasks before they are played. See [Models and budgets](models.md)"),
    "review": ("ReviewSettings", "Who reviews dialogues. See [Reviews, masks, calibration](reviews.md)"),
    "gym": ("GymSettings", "What agents in training get. See [Train agents on tasks](gym.md)"),
    "gym/weights": ("RewardWeights", "What the parts of a reward weigh beside its outcome"),
    "curate": ("CurationSettings", "What stays out of exports though it was accepted. See [Curation](curation.md)"),
    "curate/select": ("SelectSettings", "How many rows to keep, and what they are to show"),
    "evolution": ("Evolution", "Set by `interplay evolve`. See [Tasks](tasks.md)"),
}  # fmt: skip
"""The sections of the page on configuration: the heading, the settings that it lists, and what they are for."""

PLACES = {kind: heading for heading, (kind, _) in SECTIONS.items()}

CONFIGURATION = """\
# Configuration

Every key of `interplay.yaml`. `interplay init` writes a file with the common ones and comments, and its schema beside it:

```sh
interplay init mine
```

```text
…
Wrote mine/interplay.yaml. Next: interplay run mine/interplay.yaml
```

The first line of that file, `# yaml-language-server: $schema=interplay.schema.json`, lets editors complete keys and mark mistakes:
VS Code with the YAML extension, Neovim and others with yaml-language-server, JetBrains. The schema is
[interplay.schema.json](interplay.schema.json). A key that is not known is an error that names the nearest one.

Paths in a configuration are taken from its folder.

## Top level
"""

COMMANDS = """\
# Commands

Every command with its arguments and options. The same is on the command line:

```sh
interplay run --help
```

Commands with `--json` answer with one JSON document on standard output; progress goes to standard error. Exit codes: 0 done,
1 an error (one line says what, where and what to do), 2 wrong usage, 3 `import --since` found changes, 130 stopped with Ctrl+C.
"""


def configuration() -> str:
    """Return the page that lists every key of a configuration."""
    schema = config_schema()
    parts = [CONFIGURATION, *_section(schema, "")]
    for heading, (kind, about) in SECTIONS.items():
        parts += [f"\n## {heading}\n\n{about}.\n\n", *_section(_in_full(schema["$defs"][kind]), heading)]
    return "".join([*parts, "\nRead next: [Tasks](tasks.md), or [Models and budgets](models.md).\n"])


def _in_full(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the long form of settings that may be written in short."""
    return next((form for form in schema.get("anyOf", ()) if "properties" in form), schema)


def _section(schema: dict[str, Any], heading: str) -> Iterator[str]:
    yield "\n" * (not heading) + "| key | value | default | meaning |\n|---|---|---|---|\n"
    needed = schema.get("required", ())
    long: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        default = json.dumps(field.get("default"))
        if len(default) > LONGEST_DEFAULT:
            long |= {} if "$ref" in field else {name: field["default"]}
            default = "" if "$ref" in field else "see below"
        elif name in needed:
            default = "required"
        else:
            default = "" if default in ("null", "{}", "[]", '""') else f"`{default}`"
        yield f"| `{name}` | {_value(field)} | {default} | {_cell(field['description'])} |\n"
    if long:
        for part in reversed(heading.split("/")) if heading else ():
            long = {part: long}
        text = yaml.safe_dump(long, sort_keys=False)
        yield f"\nThe defaults that are too long for the table:\n\n```yaml\n{text}```\n"


def _value(field: dict[str, Any]) -> str:
    """Return what a key takes, in a few words."""
    if "$ref" in field:
        heading = PLACES[field["$ref"].rpartition("/")[2]]
        return f"[{heading}](#{heading})"
    if "anyOf" in field:
        kinds = [_value(form) for form in field["anyOf"] if form.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in field:
        return ", ".join(f"`{item}`" for item in field["enum"])
    kind = field.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(_named(item) for item in kind)
    if kind == "array":
        return f"list of {_value(field.get('items', {}))}"
    if kind == "object":
        inner = field.get("additionalProperties")
        return f"name: {_value(inner)}" if isinstance(inner, dict) else "mapping"
    return " ".join(filter(None, (_named(kind, field.get("format", "")), _bounds(field))))


def _named(kind: str, form: str = "") -> str:
    return {"boolean": "`true`, `false`", "integer": "whole number", "string": "path" if form == "path" else "text",
            "array": "list"}.get(kind, kind)  # fmt: skip


def _bounds(field: dict[str, Any]) -> str:
    least, most = field.get("minimum"), field.get("maximum")
    above = field.get("exclusiveMinimum")
    if least is not None and most is not None:
        return f"from {least} to {most}"
    return f"from {least}" if least is not None else f"above {above}" if above is not None else ""


def commands() -> str:
    """Return the page that lists every command."""
    root = get_command(app)
    return "".join([COMMANDS, *_command(root, "interplay"), "\nRead next: [First run](first-run.md).\n"])


def _command(command: Any, path: str) -> Iterator[str]:
    inner = getattr(command, "commands", {})
    if not inner:
        usage = " ".join(
            word for word in command.collect_usage_pieces(command.make_context(path, [], resilient_parsing=True))
        )
        yield f"\n## {path}\n\n{_cell(command.help)}\n\n`{path} {usage.replace('[[', '[').replace(']]', ']')}`\n\n| | |\n|---|---|\n"
        for option in command.params:
            yield f"| {_option(option)} | {_cell(option.help)}{_default(option)} |\n"
    elif path != "interplay":
        yield f"\n## {path}\n\n{_cell(command.help)}\n"
    for name, sub in inner.items():
        yield from _command(sub, f"{path} {name}")


def _option(option: Any) -> str:
    if option.param_type_name == "argument":
        return f"`{option.metavar or option.name.upper()}`"
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    annotation = option.type_descriptor.annotation
    choices = [item.value for item in annotation] if isinstance(annotation, EnumType) else _literals(annotation)
    kind = ", ".join(f"`{choice}`" for choice in choices) or (
        "" if isinstance(option.default, bool) else f"`{option.metavar or 'N'}`"
    )
    return f"{names} {kind}".strip()


def _literals(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) is Literal else ()


def _default(option: Any) -> str:
    if option.required and option.param_type_name == "option":
        return " Required."
    if (
        isinstance(option.default, bool)
        or option.default is None
        or callable(option.default)
        or option.default in ("", ())
    ):
        return ""
    value = getattr(option.default, "value", option.default)
    return f" Default: `{value}`."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


MAKERS = (
    "generators/blueprints", "flows/generation", "validators/blueprints", "validators/trajectories", "validators/findings",
    "validators/review",
)  # fmt: skip
"""Folders whose modules make issues; labels, rewards and the judgement of recorded dialogues only read codes, or have their own."""

MADE = """\
## Where each code is made

The module that says so; its docstring tells what it compares. Of `policy`, the codes are the ids of the rules, which are made where
the policy is written.

| module | codes |
|---|---|
"""


def issues() -> str:
    """Return the page of issues with the table of modules anew, which stands before its last line."""
    page, _, rest = (FOLDER / "issues.md").read_text(encoding="utf-8").partition(MADE.splitlines()[0])
    last = (rest or page).rstrip().rpartition("\n")[2]
    before = page if rest else page.rstrip().removesuffix(last)
    codes = _codes_of(before)
    paths = [path for folder in MAKERS for path in sorted((FOLDER.parent / folder).rglob("*.py"))]
    said = {path: _made_in(ast.parse(path.read_text(encoding="utf-8"))) for path in paths}
    whole = set[str]().union(*said.values())
    lines = []
    for path, texts in said.items():
        begun = tuple(text for text in texts if text.endswith("_"))
        own = [code for code in codes if code in texts or (code not in whole and code.startswith(begun))]
        if own:
            lines.append(f"| `{path.relative_to(FOLDER.parent)}` | {', '.join(f'`{code}`' for code in own)} |\n")
    return f"{before}{MADE}{''.join(lines)}\n{last}\n"


def _codes_of(page: str) -> list[str]:
    """Return what stands in the tables of a page as codes: in the first column of those of doubts, in the second of those of stages."""
    found, column = dict[str, None](), 0
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and cells[0] in ("stage", "doubt"):
            column = 1 if cells[0] == "stage" else 0
        elif cells:
            found |= dict.fromkeys(re.findall(r"`([a-z]\w+)`", cells[column]))
    return [*found]


def _made_in(tree: ast.Module) -> set[str]:
    """Return the texts of a module, and the beginnings of those with slots, but for lists of codes and what is compared with one."""
    lists = [node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Compare))]
    lists = [node for node in lists if isinstance(node, ast.Compare) or _target(node) in ("codes", "faults")]
    skipped = {id(part) for node in lists for part in ast.walk(node)}
    said = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in skipped]
    begun = {id(node.values[0]) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) and node.values}
    return {
        node.value
        for node in said
        if isinstance(node.value, str) and (id(node) in begun or not node.value.endswith("_"))
    }


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    return ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)


PAGES: dict[str, Callable[[], str]] = {
    "configuration.md": configuration,
    "commands.md": commands,
    "interplay.schema.json": schema_text,
    "issues.md": issues,
}
"""Each file of this folder that is generated, or ends so, and what makes its text."""


if __name__ == "__main__":
    for page, made in PAGES.items():
        (FOLDER / page).write_text(made(), encoding="utf-8")
