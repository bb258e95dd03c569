"""The import of an SDK without the modules that its packages only re-export.

Both SDKs import hundreds of types in the `__init__.py` of their `types` packages, which takes half of the time to the first
request; an endpoint needs a handful. Here, packages that consist of such imports alone load a name when it is first used, as
the SDKs' own `resources` packages do already.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any


@contextmanager
def deferred_reexports(package: str) -> Iterator[None]:
    """Within the context, import subpackages of `package` so that they load each re-exported name on first use."""
    finder = _Finder(package)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    def __init__(self, package: str) -> None:
        self.below = f"{package}."

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(self.below):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.submodule_search_locations and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        names = reexported(self.get_source(module.__name__) or "")
        if names is None:
            super().exec_module(module)
            return

        def resolve(name: str) -> Any:
            if name not in names:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            where, original = names[name]
            if where.strip("."):
                found = getattr(import_module(where, module.__name__), original)
            else:  # `from . import shared`
                found = import_module(where + original, module.__name__)
            setattr(module, name, found)
            return found

        module.__dict__["__all__"] = list(names)
        module.__dict__["__getattr__"] = resolve


def reexported(source: str) -> dict[str, tuple[str, str]] | None:
    """Return the origin (module, name there) of each name that a package re-exports; None if it has any other code."""
    names: dict[str, tuple[str, str]] = {}
    for statement in ast.parse(source).body:
        match statement:
            case ast.ImportFrom(module="__future__"):
                pass
            case ast.ImportFrom(level=level, module=module, names=taken) if level and taken[0].name != "*":
                where = "." * level + (module or "")
                names |= {alias.asname or alias.name: (where, alias.name) for alias in taken}
            case _:
                return None
    return names
