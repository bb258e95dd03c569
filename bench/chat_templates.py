"""Renders dialogues through chat templates of others, and checks by another way what is said to be lost.

    python bench/chat_templates.py --templates DIR [--json] [--write]
    python bench/chat_templates.py --quick

DIR holds chat templates as files (`*.jinja`), none of which is part of this project. Each is tried with dialogues of the clinic and
with one that has all: words beside several calls at once, and a thought. The report is right where the same dialogues, rendered
without its marks, hold the texts that it says are there, and lack those that it says are lost. With --write, the models whose
templates lose words beside calls or several calls at once are noted for dataset cards.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from interplay.flows import run
from interplay.flows.workspaces.run_store import export_run
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.templates.chat_template import HELD, TemplateReport, _as_text, try_template
from interplay.outputs.exporters.templates.template_process import Refusal, TemplateProcess
from interplay.schemas.errors import ConfigError

SMALLEST = ("--quick", "--json")
HEAD = "# Models whose chat templates lose something, or refuse such dialogues; `bench/chat_templates.py --write` writes it.\n"
WHOLE = "{{ tools | tojson }}{% for m in messages %}{{ m.role }}: {{ m.content }}{{ m.tool_calls | tojson if m.tool_calls }}{% endfor %}"


def rows_of(folder: Path, count: int) -> list[dict[str, Any]]:
    """Return dialogues as rows of format `trl`."""
    asyncio.run(run(folder / "w", {"toolset": ["domain:clinic"], "seed": 3, "shard_size": count}, records=count))
    export_run(Workspace(folder / "w"), "trl", folder / "out")
    files = sorted((folder / "out").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.open(encoding="utf-8")]


def planted() -> dict[str, dict[str, Any]]:
    """Return a dialogue without anything unusual, and for each thing that templates lose one that has it as well."""

    def dialogue(words: str = "", calls: int = 1, thought: str = "") -> dict[str, Any]:
        made = [
            {
                "id": f"call0000{n}",
                "type": "function",
                "function": {"name": "find_hotel", "arguments": {"city": f"Graz{n}"}},
            }
            for n in range(calls)
        ]
        acting = {"role": "assistant", "content": words, "tool_calls": made}
        results = [
            {"role": "tool", "name": "find_hotel", "content": f'{{"rooms": {n + 4}}}', "tool_call_id": call["id"]}
            for n, call in enumerate(made)
        ]
        messages = [
            {"role": "system", "content": "You book hotels."}, {"role": "user", "content": "Which hotel has rooms?"},
            acting | ({"reasoning_content": thought} if thought else {}), *results,
            {"role": "assistant", "content": "There are rooms in Graz."},
        ]  # fmt: skip
        parameters = {"type": "object", "properties": {"city": {"type": "string", "description": "Where."}}}
        function = {"name": "find_hotel", "description": "Find hotels.", "parameters": parameters}
        return {"messages": messages, "tools": [{"type": "function", "function": function}]}

    return {
        "plain": dialogue(), "words_beside_calls": dialogue(words="Let me look that up."), "parallel_calls": dialogue(calls=2),
        "reasoning": dialogue(thought="Two cities are called so."),
    }  # fmt: skip


def disagrees(template: TemplateProcess, row: dict[str, Any], report: TemplateReport) -> list[str]:
    """Return what the report says of one dialogue otherwise than its text without marks shows."""
    messages = list(_as_text(row["messages"])) if report.text_arguments else row["messages"]
    found = template.render(messages, row["tools"])
    if isinstance(found, Refusal) or report.refused:
        return [] if isinstance(found, Refusal) and report.refused else ["refused"]
    wrong = []
    for kind, texts in _texts(row).items():
        there = all(text in found or json.dumps(text, ensure_ascii=False)[1:-1] in found for text in texts)
        if there == (kind in report.lost):
            wrong.append(kind)
    return wrong


def _texts(row: dict[str, Any]) -> dict[str, list[str]]:
    """Return, of a dialogue that was planted, texts that stand nowhere else, by what they are lost as."""
    acting = next(message for message in row["messages"] if message.get("tool_calls"))
    calls = acting["tool_calls"]
    found = {
        "system": ["You book hotels."], "user": ["Which hotel has rooms?"], "words": ["There are rooms in Graz."],
        "tools": ["Find hotels."], "results": [message["content"] for message in row["messages"] if message["role"] == "tool"],
        "calls": [calls[0]["function"]["arguments"]["city"]],
    }  # fmt: skip
    if acting["content"]:
        found["words_beside_calls"] = [acting["content"]]
    if len(calls) > 1:
        found["parallel_calls"] = [call["function"]["arguments"]["city"] for call in calls[1:]]
    if acting.get("reasoning_content"):
        found["reasoning"] = [acting["reasoning_content"]]
    return found


def main() -> int:
    """Print a line for each template; return 1 where a report is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one template of this file, and few dialogues")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--templates", type=Path)
    given = parser.parse_args()
    told: dict[str, Any] = {}
    losing: dict[str, list[str]] = {"words_beside_calls": [], "parallel_calls": []}
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        rows = rows_of(folder, 4 if given.quick else 40)
        (folder / "whole.jinja").write_text(WHOLE, encoding="utf-8")
        files = sorted(given.templates.glob("*.jinja")) if given.templates else [folder / "whole.jinja"]
        for path in files:
            try:
                with TemplateProcess(path) as template:
                    reports = {name: try_template(template, path.name, [row]) for name, row in planted().items()}
                    wrong = {name: disagrees(template, row, reports[name]) for name, row in planted().items()}
                    summary = try_template(template, path.name, rows).summary()
            except ConfigError as error:
                told[path.stem] = {"refused": str(error)}
                continue
            told[path.stem] = {"dialogues": summary, "wrong": {name: found for name, found in wrong.items() if found}}
            if reports["plain"].whole:
                for kind, models in losing.items():
                    models += [path.stem] if kind in reports[kind].lost or reports[kind].refused else []
    if given.write:
        HELD.write_text(HEAD + yaml.safe_dump(losing, width=120), encoding="utf-8")
    failed = sum(bool(each.get("wrong")) for each in told.values())
    told["all"] = {"templates": len(files), "reports that are wrong": failed}
    sys.stdout.write(json.dumps(told, indent=None if given.json else 2, ensure_ascii=False) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
