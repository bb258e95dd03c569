"""Records -> tasks as tau2-bench loads them, with the tools and the policy of their domain in files beside the rows.

    {"id": "9a31...", "task": "{\\"id\\": \\"9a31...\\", \\"user_scenario\\": {\\"instructions\\": {...}},
       \\"evaluation_criteria\\": {\\"actions\\": [{\\"action_id\\": \\"a1\\", \\"name\\": \\"book_hotel\\", ...}], ...}}"}

A row is the task and not the dialogue: what the user wants and knows, the calls of the ground truth, and the values to tell.
Beside the rows, `tau2/` holds `tasks.json`, `split_tasks.json`, `tools.json` and `policy.md`. The environment that executes the
tools is not included.
Source: the shape of the recorded tasks of tau2-bench.
"""

import json
from pathlib import Path
from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue
from interplay.outputs.exporters.row_format import Format, texts
from interplay.outputs.exporters.split_files import write_json
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import Tool, Toolset

FOLDER = "tau2"


def to_tau2(record: Dialogue, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time. Without a blueprint, the task has only the first message."""
    assert record.trajectory is not None, record.id
    blueprint = record.blueprint
    world = blueprint.world if blueprint else None
    persona = json_text(blueprint.scenario.persona.model_dump(mode="json")) if blueprint else None
    instructions = _instructions(record, blueprint.toolset if blueprint else "")
    task = {
        "id": record.id,
        "description": {
            "purpose": blueprint.pattern if blueprint else "",
            "notes": f"world {world.name}" if world else None,
        },
        "user_scenario": {"persona": persona, "instructions": instructions},
        "ticket": None,
        "initial_state": None,
        "evaluation_criteria": _criteria(blueprint),
        "required_tools": [tool.name for tool in tools],
    }
    return {"id": record.id, "task": json_text(task), "language": record.language}


def _instructions(record: Dialogue, domain: str) -> dict[str, Any]:
    said = [message.content for message in record.trajectory.messages] if record.trajectory else []
    told = {"domain": domain, "known_info": None, "unknown_info": None}
    if record.blueprint is None:
        return {**told, "reason_for_call": said[0] if said else "", "task_instructions": ""}
    scenario, goals = record.blueprint.scenario, record.blueprint.goals
    knows = [f"{fact.label}: {json_text(fact.value)}" for fact in scenario.facts if fact.reveal != "never"]
    return {
        **told,
        "reason_for_call": "; ".join(goal.intent for goal in goals),
        "known_info": "\n".join(knows) or None,
        "unknown_info": ", ".join(scenario.unknown) or None,
        "task_instructions": f"You also ask: {scenario.out_of_scope}" if scenario.out_of_scope else "",
    }


def _criteria(blueprint: Blueprint | None) -> dict[str, Any]:
    calls = blueprint.calls if blueprint else ()
    outputs = blueprint.expected.outputs if blueprint else ()
    told = [output.value if isinstance(output.value, str) else json_text(output.value) for output in outputs]
    return {
        "actions": [
            {
                "action_id": action.id,
                "requestor": action.requestor,
                "name": action.tool,
                "arguments": action.arguments,
                "info": None,
                "compare_args": None,
            }
            for action in calls
        ],
        "communicate_info": told,
        "nl_assertions": None,
        "reward_basis": ["DB", "COMMUNICATE"],
    }


class Domain:
    """Writes the tasks, splits, tools and policy of a domain to files, with one task in memory at a time."""

    def __init__(self, folder: Path, toolset: Toolset) -> None:
        self._place, self._splits = folder / FOLDER, dict[str, list[str]]()
        self._place.mkdir()
        write_json(
            self._place / "tools.json",
            [json.loads(tool.model_dump_json(include=_TOOL_FIELDS)) for tool in toolset.tools],
        )
        (self._place / "policy.md").write_text(toolset.policy, encoding="utf-8")
        self._tasks = (self._place / "tasks.json").open("w", encoding="utf-8", newline="\n")
        self._tasks.write("[")

    def write(self, split: str, row: dict[str, Any]) -> None:
        """Write one task."""
        self._tasks.write(("," if self._splits else "") + "\n" + row["task"])
        self._splits.setdefault(split, []).append(row["id"])

    def close(self) -> None:
        """Close the list of tasks, and write the split file."""
        self._tasks.write("\n]\n")
        self._tasks.close()
        base = [name for names in self._splits.values() for name in names]
        write_json(self._place / "split_tasks.json", {**self._splits, "base": base})


_TOOL_FIELDS = {"name", "description", "parameters", "returns", "requestor"}


def losses_of(record: Dialogue) -> tuple[str, ...]:
    """Name what the row of this record cannot hold."""
    withheld = record.blueprint is not None and len(record.blueprint.calls) < len(record.blueprint.actions)
    faults = record.blueprint is not None and bool(record.blueprint.faults)
    return ("dialogue", *(["withheld"] if withheld else []), *(["planned_faults"] if faults else []))


FORMAT = Format(
    note="Tasks as tau2-bench loads them, as JSON text; tools and policy are in `tau2/`. The code of the tools is not.",
    columns=texts("id", "task", "language"),
    to_row=to_tau2,
    with_task=True,
    open_beside=Domain,
    one_toolset=True,
    rows="tasks",
    losses_of=losses_of,
    loss_words={
        "dialogue": "the dialogue, and the rows of the world in which it plays: a row is the task alone",
        "withheld": "calls that the user wants and that must not be made",
        "planned_faults": "what goes wrong with tools",
    },
    holds_mask=True,
)
