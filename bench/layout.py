"""Files of a Python project -> the figures that `house.py` prints."""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

LEFT_OUT = re.compile(
    r"(^|/)(\.[^/]+|tests?|testing|bench|benchmarks?|docs?|examples?|build|dist|node_modules|venv|conftest\.py|test_[^/]*)(/|$)"
)
DATA = (".yaml", ".yml", ".json", ".j2", ".md", ".html", ".css", ".js", ".txt")
WORD = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ' -]*")
ALTERNATIVES = re.compile(r"[A-Za-zÀ-ÿ' ]+(?:\|[A-Za-zÀ-ÿ' ]+){11,}")
MANY = 12
"""Least number of words for a literal to be a word list."""
NO_GERUNDS = frozenset(("string", "strings", "thing", "things", "ring", "king", "spring", "ping"))
LONGEST_SUBJECT, SUBJECTS = 72, 100
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Module:
    """A Python file: its path relative to the project, its text, its syntax tree, and all nodes of that."""

    path: Path
    text: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]

    @cached_property
    def definitions(self) -> list[Definition]:
        """All functions, methods and classes, including nested ones."""
        return [node for node in self.nodes if isinstance(node, Definition)]


def tracked(folder: Path) -> list[Path]:
    """Return the relative paths of a project's files, if possible only those tracked by git; links are left out."""
    listed = subprocess.run(["git", "-C", str(folder), "ls-files"], capture_output=True, text=True, check=False)
    found = (
        map(Path, listed.stdout.splitlines()) if listed.stdout else (p.relative_to(folder) for p in folder.rglob("*"))
    )
    kept = (path for path in found if not LEFT_OUT.search(path.as_posix()))
    return sorted(path for path in kept if (folder / path).is_file() and not (folder / path).is_symlink())


def read(folder: Path, paths: Iterable[Path]) -> Iterator[Module]:
    """Parse the Python files; unparsable ones are reported and left out."""
    for path in paths:
        if path.suffix == ".py":
            try:
                text = (folder / path).read_text(encoding="utf-8")
                tree = ast.parse(text)
            except (SyntaxError, ValueError) as error:
                print(f"{path}: left out, {error}", file=sys.stderr)
                continue
            yield Module(path, text, tree, tuple(ast.walk(tree)))


def rooms(modules: Sequence[Module], data: dict[Path, int]) -> dict[str, dict[str, int]]:
    """Return modules, lines, statements and lines of data by top-level folder."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for module in modules:
        found[_room(module.path)].update(
            modules=1,
            lines=len(module.text.splitlines()),
            statements=sum(isinstance(node, ast.stmt) for node in module.nodes),
        )
    for path, lines in data.items():
        found[_room(path)].update(data=lines)
    return {room: dict(counts) for room, counts in sorted(found.items()) if counts["modules"]}


def _room(path: Path) -> str:
    parts = path.parts[1:] if path.parts[0] == "src" else path.parts
    return parts[0] if len(parts) > 1 else "."


def folders(modules: Sequence[Module]) -> dict[str, int]:
    """Return the number of modules of each folder without `__init__`, the fullest first."""
    return dict(Counter(str(module.path.parent) for module in modules if module.path.stem != "__init__").most_common())


def functions(modules: Sequence[Module]) -> dict[str, Any]:
    """Return statistics of the lengths of functions, in lines."""
    lengths = sorted(
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{module.path}:{node.lineno} {node.name}")
        for module in modules
        for node in module.definitions
        if not isinstance(node, ast.ClassDef)
    )
    if not lengths:
        return {"count": 0}
    median, high = (lengths[int(len(lengths) * share)][0] for share in (0.5, 0.9))
    return {"count": len(lengths), "median": median, "p90": high, "longest": lengths[-1][0], "where": lengths[-1][1]}


def word_lists(modules: Sequence[Module]) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return (size, location, words) of the word lists in code, the longest first."""
    found = [
        (len(words), f"{module.path}:{line}", words)
        for module in modules
        for line, words in _lists(module.tree)
        if len(words) >= MANY and sum(bool(WORD.fullmatch(word)) for word in words) > 0.8 * len(words)
    ]
    return sorted(found, key=lambda item: (-item[0], item[1]))


def _lists(tree: ast.Module) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (line, words) of each outermost literal of texts, each text that is split, and each pattern of alternatives."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            text = node.func.value
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield node.lineno, tuple(text.value.split())
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for match in ALTERNATIVES.finditer(node.value):
                yield node.lineno, tuple(match[0].split("|"))
        words = _texts(node)
        if words is not None:
            yield getattr(node, "lineno", 0), words
        else:
            pending += ast.iter_child_nodes(node)


def _texts(node: ast.AST) -> tuple[str, ...] | None:
    """Return the texts of a literal that consists of texts at any depth; None for any other node."""
    if isinstance(node, ast.Dict):
        parts: list[Any] = [*node.keys, *node.values]
    elif isinstance(node, (ast.List, ast.Set, ast.Tuple)):
        parts = node.elts
    else:
        return None
    found: list[str] = []
    for part in parts:
        inner = (part.value,) if isinstance(part, ast.Constant) and isinstance(part.value, str) else _texts(part)
        if inner is None:
            return None
        found += inner
    return tuple(found)


def twice(modules: Sequence[Module]) -> dict[str, list[str]]:
    """Return the names shared by several modules, with their folders."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in modules:
        if not module.path.stem.startswith("__"):
            found[module.path.stem].append(str(module.path.parent))
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def gerunds(modules: Sequence[Module]) -> list[str]:
    """Return the modules named by a gerund: the last word of their name ends in -ing."""
    words = ((module.path, module.path.stem.rpartition("_")[2]) for module in modules)
    return [str(path) for path, word in words if word.endswith("ing") and word not in NO_GERUNDS]


def uses(modules: Sequence[Module]) -> dict[str, Any]:
    """Return the definitions whose name is used once, or never; decorated, inherited and special ones are left out."""
    used: Counter[str] = Counter()
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
                used[node.id] += 1
            elif isinstance(node, ast.Attribute):
                used[node.attr] += 1
    overrides = {id(node) for module in modules for node in _overrides(module)}
    exported = {name for module in modules for name in _exported(module.tree)}
    defined = [
        (node.name, f"{module.path}:{node.lineno} {node.name}")
        for module in modules
        for node in module.definitions
        if not (node.name.startswith("__") or node.decorator_list or id(node) in overrides)
    ]
    once = [place for name, place in defined if used[name] == 1]
    return {
        "definitions": len(defined),
        "used_once": once,
        "unused": [place for name, place in defined if not used[name] and name not in exported],
    }


def _overrides(module: Module) -> Iterator[ast.AST]:
    """Yield the members of classes with a base, which may call them."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and node.bases:
            yield from node.body


def _exported(tree: ast.Module) -> Iterator[str]:
    """Yield the names in a module's `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from ast.literal_eval(node.value)


def undocumented(modules: Sequence[Module]) -> tuple[list[str], list[str]]:
    """Return the modules without a docstring, and the packages whose docstring is no map of their modules."""
    silent = [module.path for module in modules if module.tree.body and not ast.get_docstring(module.tree)]
    inside: dict[Path, list[str]] = defaultdict(list)
    for module in modules:
        if module.path.stem == "__init__":
            inside[module.path.parent.parent].append(module.path.parent.name)
        else:
            inside[module.path.parent].append(module.path.stem)
    told = {m.path.parent: ast.get_docstring(m.tree) or "" for m in modules if m.path.stem == "__init__"}
    unmapped = [
        str(folder)
        for folder, text in sorted(told.items())
        if len(inside[folder]) > 2
        and 2 * sum(bool(re.search(rf"\b{name}\b", text)) for name in inside[folder]) <= len(inside[folder])
    ]
    return [str(path) for path in silent], unmapped


def long_subjects(folder: Path) -> list[str]:
    """Return the overlong ones among the last commit subjects; empty without a history."""
    command = ["git", "-C", str(folder), "log", f"-{SUBJECTS}", "--format=%s", "--", "."]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return [subject for subject in listed if len(subject) > LONGEST_SUBJECT]


def measure(folder: Path) -> dict[str, Any]:
    """Return all figures of a project."""
    files = tracked(folder)
    modules = list(read(folder, files))
    data = {path: len((folder / path).read_bytes().splitlines()) for path in files if path.suffix in DATA}
    lists, (silent, unmapped), counted = word_lists(modules), undocumented(modules), uses(modules)
    words = [word for _, _, found in lists for word in found]
    return {
        "project": folder.name, "rooms": rooms(modules, data), "folders": folders(modules), "functions": functions(modules),
        "word_lists": [f"{place} {size} words: {' '.join(found[:4])} ..." for size, place, found in lists],
        "words": len(words), "distinct_words": len({word.lower() for word in words}),
        "names_twice": [f"{name}: {', '.join(places)}" for name, places in twice(modules).items()],
        "gerunds": gerunds(modules), **counted, "no_docstring": silent, "no_map": unmapped,
        "long_subjects": long_subjects(folder),
    }  # fmt: skip
