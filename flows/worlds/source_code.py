"""A module of tools -> digests of its code files, by which changes are noticed.

    support    ->    {"support": "5a1e...", "support_rows": "77b0..."}

Modules that it imports, directly or not, are included if they lie in its package or beside it; installed libraries are not.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

INSTALLED = {"site-packages", "dist-packages"}


def code_digests(name: str) -> dict[str, str]:
    """Return the digests of the code of an imported module, and of all modules of the same author that it imports, by name."""
    package = name.partition(".")[0]
    told = getattr(sys.modules.get(name), "__file__", None)
    if not isinstance(told, str):
        return {}
    root = Path(told).parents[name.count(".") + told.endswith("__init__.py")]
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        name = waiting.pop()
        file = _file(root, name)
        own = name.partition(".")[0]
        library = own != package and (root.name in INSTALLED or own == __name__.partition(".")[0])
        if name in found or file is None or library:
            continue
        code = file.read_bytes()
        found[name] = hashlib.blake2b(code, digest_size=16).hexdigest()
        waiting += _imported(code, name if file.name == "__init__.py" else name.rpartition(".")[0])
        waiting.append(name.rpartition(".")[0])
    return dict(sorted(found.items()))


def _file(root: Path, name: str) -> Path | None:
    """Return the file of a module below a folder, if it exists."""
    place = root.joinpath(*name.split("."))
    files = (place / "__init__.py", place.with_name(f"{place.name}.py")) if name else ()
    return next((file for file in files if file.is_file()), None)


def _imported(code: bytes, package: str) -> Iterator[str]:
    """Yield the names of possible modules in the imports of `code`, which lies in `package`."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)
