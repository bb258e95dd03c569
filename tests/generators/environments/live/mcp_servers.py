"""MCP servers to test against: one of our own over stdio and HTTP, and public ones where they can be had."""

import atexit
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

INSTALL_SECONDS = 120

SHELF = '''
import json, os, sys, time

"""A server without an SDK: two pages of tools, notifications before each answer, and calls that go wrong on request."""
notes = {}
STRING = {"type": "string"}

def tool(name, read, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": name.replace("_", " "), "inputSchema": schema, "annotations": {"readOnlyHint": read}}

NOTE = {"type": "object", "properties": {"id": STRING, "text": STRING}, "required": ["id", "text"]}
PAGES = {
    None: ([tool("add_note", False, text=STRING) | {"outputSchema": NOTE}, tool("get_note", True, id=STRING)], "2"),
    "2": ([tool("list_notes", True), tool("misbehave", True, how=STRING), tool("draw_random", False)], None),
}

def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def call(name, arguments):
    if name == "add_note":
        note = {"id": f"n{len(notes) + 1}", "text": arguments["text"]}
        notes[note["id"]] = note
        return {"content": [{"type": "text", "text": f"Added {note['id']}."}], "structuredContent": note}
    if name == "get_note":
        note = notes.get(arguments["id"])
        text = json.dumps(note, indent=1) if note else f"no note {arguments['id']}"
        return {"content": [{"type": "text", "text": text}], "isError": note is None}
    if name == "draw_random":
        return {"content": [{"type": "text", "text": f"{int.from_bytes(os.urandom(2), 'big')} of 65536"}]}
    if name == "misbehave":
        return misbehave(arguments["how"])
    return {"content": [{"type": "text", "text": "\\n".join(notes) or "none"}]}

def misbehave(how):
    if how == "die":
        sys.exit("the shelf fell down")
    if how == "hang":
        time.sleep(600)
    if how == "flood":
        sys.stderr.write("so much to say " * 1_000_000)
    if how == "picture":
        return {"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}
    if how.startswith("deep"):
        levels = 800 if how == "deep" else 50_000
        return {"content": [{"type": "text", "text": "[" * levels + "]" * levels}]}
    if how == "NaN":
        return {"content": [{"type": "text", "text": "NaN"}]}
    if how == "garbage":
        print("this is no message", flush=True)
    return {"content": [{"type": "text", "text": "done"}]}

for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params") or {}
    if "id" not in message:
        continue
    say(method="notifications/message", params={"level": "info", "data": f"about to answer {method}"})
    if method == "initialize":
        served = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {"listChanged": True}}}
        say(id=message["id"], result=served | {"serverInfo": {"name": "shelf", "version": "1"}})
    elif method == "tools/list":
        tools, following = PAGES[params.get("cursor")]
        say(id=message["id"], result={"tools": tools} | ({"nextCursor": following} if following else {}))
    elif method == "tools/call" and params["name"] == "list_notes" and params.get("arguments"):
        say(id=message["id"], error={"code": -32602, "message": "list_notes takes no arguments"})
    elif method == "tools/call":
        say(method="notifications/tools/list_changed")
        say(id=message["id"], result=call(params["name"], params.get("arguments") or {}))
    else:
        say(id=message["id"], error={"code": -32601, "message": "no such method"})
'''

COUNTER = """
import sys
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("counter")
total = 0

@server.tool()
def add(number: int) -> dict[str, int]:
    "Add to the total."
    global total
    if number < 0:
        raise ValueError("only up")
    total += number
    return {"total": total}

@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def total_now() -> int:
    "Tell the total."
    return total

if len(sys.argv) > 1:
    server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
else:
    server.run()
"""


def command(folder: Path, source: str) -> str:
    """Write a server down and return the command that starts it."""
    path = folder / "server.py"
    path.write_text(source)
    return f"{sys.executable} {path}"


@contextmanager
def over_http(folder: Path) -> Iterator[str]:
    """Serve the counter over streamable HTTP and give its URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [*command(folder, COUNTER).split(), str(port)]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and server.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.kill()
        server.wait()


@cache
def _npm_folder() -> tuple[Path | None, str]:
    """Install the public servers that npm has, once; return where, or why not."""
    if not (shutil.which("npm") and shutil.which("node")):
        return None, "node and npm are not here"
    folder = Path(tempfile.mkdtemp(prefix="interplay-npm-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    packages = ["@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-memory"]
    try:
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *packages],
            check=True,
            capture_output=True,
            timeout=INSTALL_SECONDS,
        )
    except (subprocess.SubprocessError, OSError) as error:
        return None, f"npm could not install the servers: {type(error).__name__}"
    return folder, ""


def from_npm(name: str) -> str:
    """Return the path of a public server, or skip the test."""
    folder, reason = _npm_folder()
    if folder is None:
        pytest.skip(reason)
    return str(folder / "node_modules" / ".bin" / name)


ODD = '''
import json, sys, time

TOOL = {"name": "get_a", "inputSchema": {"type": "object", "properties": {}}}
INTEGER = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}

def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def texts(*texts):
    return {"content": [{"type": "text", "text": text} for text in texts]}

def serve(listing, calling=lambda: texts("ok"), before=lambda: None):
    """Answer with what `listing(cursor)` and `calling()` give."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        before()
        params = message.get("params") or {}
        if message["method"] == "initialize":
            served = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}}
            say(id=message["id"], result=served | {"serverInfo": {"name": "odd", "version": "1"}})
        elif message["method"] == "tools/list":
            say(id=message["id"], result=listing(params.get("cursor")))
        elif message["method"] == "tools/call":
            say(id=message["id"], result=calling())
'''
"""A server to be completed with a line that calls `serve`."""


DIARY = '''
import json, os, random, sys, time, uuid
from datetime import datetime, timezone

"""A server that names everything anew at each start, keeps its rows in memory or in a file, and has tools that go wrong."""
STRING, INTEGER = {"type": "string"}, {"type": "integer"}
FILE = next((word for word in sys.argv[1:] if word.endswith(".json")), None)
rows = json.load(open(FILE)) if FILE and os.path.exists(FILE) else {}
STARTS = sys.argv[1] if len(sys.argv) > 1 and not FILE else None

def tool(name, /, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": name.replace("_", " ").capitalize() + ".", "inputSchema": schema}

TOOLS = [tool("create_entry", title=STRING, mood=STRING | {"enum": ["good", "bad"]}), tool("get_entry", entryId=STRING),
         tool("list_entries"), tool("delete_entry", entryId=STRING), tool("clear_all"), tool("roll_dice"),
         tool("get_weather", city=STRING), tool("hang_up"), tool("check_flood"), tool("get_broken", phase=STRING)]
if STARTS:
    with open(STARTS, "a") as file:
        file.write("x")
    if os.path.getsize(STARTS) > 2:
        TOOLS = [one for one in TOOLS if one["name"] != "get_weather"]

def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def call(name, arguments):
    if name == "create_entry":
        now = datetime.now(timezone.utc).isoformat()
        row = {"entryId": str(uuid.uuid4()), "title": arguments["title"], "mood": arguments["mood"], "madeAt": now}
        rows[row["entryId"]] = row
        keep()
        return row
    if name in ("get_entry", "delete_entry"):
        row = rows.get(arguments["entryId"])
        if name == "delete_entry" and row:
            del rows[arguments["entryId"]]
            keep()
        return row or {"success": False, "error": "no such entry"}
    if name == "list_entries":
        return {"entries": random.sample(sorted(rows.values(), key=lambda row: row["title"]), len(rows))}
    if name == "clear_all":
        rows.clear()
        keep()
        return {"success": True}
    if name == "roll_dice":
        return {"rolled": random.randint(1, 9000)}
    if name == "get_weather":
        return {"city": arguments["city"], "sky": "clear"}
    if name == "hang_up":
        sys.exit("\\x1b[31mit is over")
    if name == "check_flood":
        return {"text": "flood " * 100000}
    raise ValueError(f"name {arguments['phase']!r} is not defined")

def keep():
    if FILE:
        json.dump(rows, open(FILE, "w"))

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    params = message.get("params") or {}
    if message["method"] == "initialize":
        served = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}}
        say(id=message["id"], result=served | {"serverInfo": {"name": "diary", "version": "1"}})
    elif message["method"] == "tools/list":
        say(id=message["id"], result={"tools": TOOLS})
    elif message["method"] == "tools/call":
        try:
            text, failed = json.dumps(call(params["name"], params.get("arguments") or {})), False
        except ValueError as error:
            text, failed = str(error), True
        say(id=message["id"], result={"content": [{"type": "text", "text": text}], "isError": failed})
'''
