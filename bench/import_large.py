"""Measures the import of very large API descriptions: seconds and peak memory, each in a fresh process.

    python bench/import_large.py [--quick] [--json] [--shape NAME ...] [--operations N]

Shapes: `varied` is a real description (INTERPLAY_SHARED, default ../shared) repeated under other names to 1,200 operations
and about 13 MB; `web` has 2,000 components that refer to each other, so that every operation reaches most of them; `samples`
has an inlined example at every operation; `common` has two huge components in every answer. Each is read as JSON and as YAML,
with --quick as JSON only. The exit code is 1 above 20 s or 1 GiB.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import yaml
from shared_data import OPENAPI

from interplay.generators.importers.documents.document_reader import read_document
from interplay.generators.importers.openapi.importer import import_openapi

BASE = "asana.yaml"
OPERATIONS = 1_200
SMALLEST = ("--quick", "--shape", "common", "--operations", "20", "--json")
"""Arguments of the smallest run, which a test makes."""
MAX_SECONDS, MAX_MIB = 20, 1024

_COMPONENT = re.compile(r'("#/components/\w+/)([^"/]+)')


def varied(operations: int) -> dict[str, Any]:
    """Repeat a real description under other paths, operation and component names."""
    base = read_document(OPENAPI / BASE)
    text = json.dumps(base)
    made: dict[str, Any] = {**base, "paths": {}, "components": {}}
    left, number = operations, 0
    while left:
        copied = json.loads(_COMPONENT.sub(rf"\1\2_{number}", text))
        for kind, components in copied["components"].items():
            made["components"].setdefault(kind, {}).update({f"{key}_{number}": it for key, it in components.items()})
        for path, item in copied["paths"].items():
            for method in [key for key in item if key in ("get", "put", "post", "delete", "patch")]:
                if left:
                    item[method]["operationId"] = f"{item[method].get('operationId', method)}_{number}"
                    left -= 1
                else:
                    del item[method]
            made["paths"][f"/v{number}{path}"] = item
        number += 1
    return made


def web(operations: int) -> dict[str, Any]:
    """Make 2,000 components of 24 properties, 10 of which are other components."""
    rng, schemas = Random(1), {}
    for number in range(2_000):
        properties: dict[str, Any] = {
            f"{_word(rng)}_{index}": {
                "type": rng.choice(("string", "integer", "boolean")),
                "description": _text(rng, 16),
            }
            for index in range(14)
        }
        for index in range(10):
            reference = {"$ref": f"#/components/schemas/Kind{rng.randrange(2_000)}"}
            properties[f"link_{index}"] = {"type": "array", "items": reference} if index % 2 else reference
        parent = {"$ref": f"#/components/schemas/Kind{number // 7}"}
        own = {"type": "object", "properties": {"id": {"type": "string"}, **properties}}
        schemas[f"Kind{number}"] = {"allOf": [parent, own]} if number % 3 else own
    paths = {f"/kinds{number}": _pair(f"Kind{number}") for number in range(operations // 2)}
    return _description(paths, schemas)


def samples(operations: int) -> dict[str, Any]:
    """Make three quarters of the operations, each with an example result of 12 kB inlined."""
    rng = Random(2)
    row = {f"{_word(rng)}_{index}": _text(rng, 5) for index in range(60)}
    properties = {name: {"type": "string", "examples": [value]} for name, value in row.items()}
    schemas = {f"Row{number}": {"type": "object", "properties": properties} for number in range(100)}
    paths = {f"/rows{number}": _pair(f"Row{number % 100}") for number in range(operations * 3 // 8)}
    for item in paths.values():
        for operation in item.values():
            answer = operation["responses"]["200"]["content"]["application/json"]
            answer["examples"] = {"default": {"value": [row | {"note": _text(rng, 30)} for _ in range(5)]}}
    return _description(paths, schemas)


def common(operations: int) -> dict[str, Any]:
    """Make operations whose bodies and results all contain the same two huge components."""
    rng = Random(3)
    schemas: dict[str, Any] = {}
    for name in ("Meta", "Spec"):
        for level in range(6):
            below = {"type": "array", "items": {"$ref": f"#/components/schemas/{name}{level + 1}"}}
            leaves = {f"{_word(rng)}_{n}": {"type": "string", "description": _text(rng, 40)} for n in range(30)}
            properties: dict[str, Any] = {**leaves, **{f"below_{n}": below for n in range(3)}}
            schemas[f"{name}{level}"] = {"type": "object", "properties": properties}
        schemas[f"{name}6"] = {"type": "object", "properties": {"name": {"type": "string"}}}
    for number in range(operations // 2):
        own = {f"{_word(rng)}_{index}": {"type": "string", "description": _text(rng, 60)} for index in range(30)}
        parts = {"metadata": {"$ref": "#/components/schemas/Meta0"}, "spec": {"$ref": "#/components/schemas/Spec0"}}
        schemas[f"Thing{number}"] = {"type": "object", "properties": {**parts, **own}}
    return _description({f"/things{number}": _pair(f"Thing{number}") for number in range(operations // 2)}, schemas)


SHAPES: dict[str, Callable[[int], dict[str, Any]]] = {
    "varied": varied,
    "web": web,
    "samples": samples,
    "common": common,
}


def _pair(name: str) -> dict[str, Any]:
    """Return a path item with operations that list and create a component."""
    schema = {"$ref": f"#/components/schemas/{name}"}
    many = {"type": "object", "properties": {"value": {"type": "array", "items": schema}, "next": {"type": "string"}}}
    body = {"content": {"application/json": {"schema": schema}}}
    return {
        "get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": many}}}}},
        "post": {"requestBody": body, "responses": {"200": {"description": "", **json.loads(json.dumps(body))}}},
    }


def _description(paths: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "openapi": "3.0.3",
        "info": {"title": "Large", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _word(rng: Random) -> str:
    return "".join(rng.choices("bdfgklmnprstvz", k=1) + rng.choices("aeiou", k=1)) * 2


def _text(rng: Random, words: int) -> str:
    return " ".join(_word(rng) for _ in range(words))


def measure(path: Path) -> dict[str, Any]:
    """Return the figures of one file, imported in this process."""
    started, cpu = time.perf_counter(), time.process_time()
    report = import_openapi(path)
    return {
        "mb": round(path.stat().st_size / 1e6, 1),
        "tools": len(report.toolset.tools),
        **Counter(item.outcome for item in report.reports),
        "wall_s": round(time.perf_counter() - started, 1),
        "cpu_s": round(time.process_time() - cpu, 1),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def written(folder: Path, shape: str, operations: int, formats: list[str]) -> None:
    """Write the description of a shape in each format."""
    value = SHAPES[shape](operations)
    for form in formats:
        with (folder / f"{shape}.{form}").open("w", encoding="utf-8") as file:
            if form == "json":
                json.dump(value, file, indent=1)
            else:
                yaml.dump(json.loads(json.dumps(value)), file, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper))


def _run(*options: str) -> str:
    """Run this file in its own process; this one must stay small, since a child's peak memory includes its parent's."""
    return subprocess.run([sys.executable, __file__, *options], check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Measure each file in its own process and print its line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="JSON only")
    parser.add_argument("--shape", nargs="+", choices=SHAPES, default=list(SHAPES), help="only these")
    parser.add_argument("--operations", type=int, default=OPERATIONS, help="how large they are")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--alone", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(measure(options.alone)))
        return
    formats = ["json"] if options.quick else ["json", "yaml"]
    if options.write:
        written(options.write, options.shape[0], options.operations, formats)
        return
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for shape in options.shape:
            size = ["--operations", str(options.operations), *(["--quick"] if options.quick else [])]
            _run("--write", folder, "--shape", shape, *size)
            for path in [Path(folder) / f"{shape}.{form}" for form in formats]:
                answer = _run("--alone", str(path))
                found.append({"file": path.name, **json.loads(answer)})
                if not options.json:
                    print("  ".join(f"{key} {value}" for key, value in found[-1].items()), flush=True)
    if options.json:
        print(json.dumps(found, indent=2))
    sys.exit(any(item["cpu_s"] > MAX_SECONDS or item["peak_mib"] > MAX_MIB for item in found))


if __name__ == "__main__":
    main()
