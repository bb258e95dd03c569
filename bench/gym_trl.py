"""Plays tasks through the adapter for TRL, in a virtual environment of its own where TRL is installed.

    python bench/gym_trl.py [--quick] [--json] [--python /path/of/an/environment/bin/python] [--tasks 40]

Without --python, an environment is made and TRL installed there, which takes minutes. The policy is scripted: it says and calls
what the dialogues of the same workspace hold, so each reward is to be 1.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

SMALLEST = ("--quick", "--json")
INTERPLAY = (sys.executable, "-c", "from interplay.flows.commands.cli import main; main()")
ADAPTER = Path(__file__).resolve().parents[1] / "outputs" / "gym" / "trl"
POLICY = """
import inspect, json, sys
from pathlib import Path
import interplay_gym_trl as adapter
url, rows, most = sys.argv[1], [json.loads(line) for line in Path(sys.argv[2]).open(encoding="utf-8")], int(sys.argv[3])
made = adapter.environment(url)
try:
    from transformers.utils import get_json_schema
    schemas = [get_json_schema(method) for name, method in inspect.getmembers(made, inspect.isfunction)
               if not name.startswith("_") and name not in ("reset", "get_reward")]
except ImportError:
    schemas = []
data = adapter.tasks(url, limit=most) if schemas else None
rewards = []
for row in rows[:most]:
    gym = made()
    gym.reset(task=row["task_id"], seed=0)
    for message in json.loads(row["messages"]):
        if message["role"] != "assistant":
            continue
        try:
            for call in message.get("tool_calls") or ():
                getattr(gym, call["function"]["name"])(**json.loads(call["function"]["arguments"]))
            if not message.get("tool_calls"):
                gym.say(message["content"])
        except adapter.GymError as error:
            if "SessionOver" not in str(error):
                raise
    rewards.append(gym.get_reward())
print(json.dumps({"rewards": rewards, "schemas": len(schemas), "rows": 0 if data is None else len(data)}))
"""


def rows_of(folder: Path, to: Path, count: int) -> None:
    """Make a workspace, and write the task and the messages of each of its dialogues."""
    from interplay.flows import open_store  # noqa: PLC0415 - Arrow and DuckDB
    from interplay.outputs.exporters.formats.openai import chat_message  # noqa: PLC0415
    from interplay.schemas.records.dialogue import assistant_view  # noqa: PLC0415

    command = [*INTERPLAY, "run", "--toolset", "domain:clinic", "--records", str(count), "--workspace", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    with open_store(folder) as store, to.open("w", encoding="utf-8") as out:
        run = store.query("SELECT run FROM records LIMIT 1")[0]["run"]
        for record in store.accepted(run):
            if record.blueprint is not None and record.trajectory is not None:
                messages = [chat_message(message) for message in assistant_view(record.trajectory.messages)]
                out.write(json.dumps({"task_id": record.blueprint.id, "messages": json.dumps(messages)}) + "\n")


def python_of(folder: Path) -> Path:
    """Make a virtual environment with TRL and the adapter."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", str(ADAPTER)], check=True)
    return python


def main() -> int:
    """Print rewards; return 1 where one is not 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without TRL: the adapter's own file alone")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--python", type=Path)
    parser.add_argument("--tasks", type=int, default=40)
    given = parser.parse_args()
    count = 6 if given.quick else given.tasks
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        rows_of(folder / "workspace", folder / "rows.jsonl", count)
        python = given.python or (Path(sys.executable) if given.quick else python_of(folder / "venv"))
        command = [*INTERPLAY, "serve", str(folder / "workspace"), "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split(" at ")[1].split()[0]
            (folder / "policy.py").write_text(POLICY, encoding="utf-8")
            done = subprocess.run(
                [python, folder / "policy.py", url, folder / "rows.jsonl", str(count)],
                capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ADAPTER), "HOME": kept},
            )  # fmt: skip
        finally:
            server.terminate()
            server.wait()
    if done.returncode:
        sys.stdout.write(f"{json.dumps({'error': done.stderr[-2000:]})}\n")
        return 1
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    right = sum(reward == 1 for reward in found["rewards"])
    told = {"tasks": len(found["rewards"]), "reward_is_1": right, "schemas": found["schemas"], "rows": found["rows"]}
    sys.stdout.write(f"{json.dumps(told)}\n")
    return 0 if right == len(found["rewards"]) else 1


if __name__ == "__main__":
    sys.exit(main())
