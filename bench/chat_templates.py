"""Renders dialogues through real chat templates, and verifies independently what the report says is lost.

    python bench/chat_templates.py --templates DIR [--json] [--write]
    python bench/chat_templates.py --quick

DIR holds chat templates as files (`*.jinja`), which are not part of this project. Each is tried with dialogues of the clinic,
and with planted ones that have words beside calls, parallel calls, or reasoning. The report is right if the same dialogues,
rendered without its marks, contain the texts that it says are kept, and lack those that it says are lost. With --write, models
whose templates lose words beside calls or parallel calls are recorded for dataset cards.
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
    """Make dialogues, and return them as rows of format `trl`."""
    asyncio.run(run(folder / "w", {"toolset": ["domain:clinic"], "seed": 3, "shard_size": count}, records=count))
    export_run(Workspace(folder / "w"), "trl", folder / "out")
    files = sorted((folder / "out").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.open(encoding="utf-8")]


def planted() -> dict[str, dict[str, Any]]:
    """Return a plain dialogue, and for each thing that templates may lose one that contains it."""

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
    """Return the kinds of text for which the report on one dialogue contradicts its rendering without marks."""
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
    """Return the unique texts of a planted dialogue, by the kind of loss that they reveal."""
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
    """Print the findings for each template; return 1 if a report is wrong."""
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
