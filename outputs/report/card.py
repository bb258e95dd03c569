"""A toolset and a run's figures -> the dataset card: README.md with the front matter that the Hub reads.

    ---
    license: apache-2.0
    task_categories: [text-generation]
    configs:
    - config_name: default
      data_files: [{split: train, path: train.jsonl}]
    ---
    # Clinic: multi-turn tool-calling dialogues

Names and licences come from third-party files, so they are escaped before they go into the card.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from interplay.outputs.report.coverage import TO_COVER
from interplay.outputs.report.pictures import distributions, pictures
from interplay.outputs.report.word_variety import variety
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.records.tool import Toolset
from interplay.schemas.words.lists import word_set

LICENCES = word_set(Path(__file__).with_name("licences.yaml"), "licences")
LONGEST = 300
PICTURES = "pictures"
"""The folder beside a card that holds its pictures."""


@dataclass(frozen=True)
class FormatFacts:
    """What the card tells about a format: its name, a sentence, what its rows are called, and their `datasets.Features`.

    `sharded` holds the splits with several files; `snippets` maps trainers to what to paste; `columns` tells whether rows have
    columns to filter by; `template_losses` maps what is lost to the models whose chat templates lose it.
    """

    name: str
    note: str
    rows: str
    features: Any
    sharded: frozenset[str] = frozenset()
    snippets: Mapping[str, str] = field(default_factory=dict)
    columns: bool = False
    template_losses: Mapping[str, Sequence[str]] = field(default_factory=dict)


def dataset_card(
    toolset: Toolset,
    figures: dict[str, Any],
    format: FormatFacts,
    shape: str,
    splits: dict[str, int],
    left_out: Sequence[tuple[str, int]],
) -> str:
    """Return the text of README.md; `figures` are those of `statistics`, `left_out` what rows lack with numbers of dialogues."""
    body = _template().render(
        toolset=toolset,
        sources=[public_name(source) for source in toolset.provenance],
        licences=tuple(filter(None, toolset.licence.split("; "))) if "; " in toolset.licence else (),
        figures=figures,
        to_cover=TO_COVER,
        format=format,
        shape=shape,
        splits=splits,
        left_out=left_out,
        pictures=figures.get("pictures", {}),
        citation=citation(toolset, figures),
        folder=PICTURES,
    )
    front = _front_matter(toolset, shape, splits, format, figures.get("languages", {}))
    return f"---\n{front}---\n\n{body}"


@cache
def _template() -> Any:
    from jinja2 import StrictUndefined  # noqa: PLC0415  (needed at the edge only)
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters["plain"] = plain
    return environment.from_string(Path(__file__).with_name("card.md.j2").read_text(encoding="utf-8"))


def plain(text: Any) -> str:
    """Return `text` on one line, shortened to `LONGEST` characters, with all Markdown and HTML syntax escaped."""
    line = " ".join(str(text).split())
    line = line if len(line) <= LONGEST else line[:LONGEST] + "..."
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]()|#!~])", r"\\\1", line)


def citation(toolset: Toolset, figures: Mapping[str, Any]) -> str:
    """Return a BibTeX entry for the data set; untrusted names are reduced to letters, digits and a few signs."""
    name = re.sub(r"[^\w .:+-]", " ", " ".join(toolset.name.split()))[:LONGEST].strip()
    key = re.sub(r"\W+", "_", name.casefold()).strip("_") or "dialogues"
    made = figures.get("made") or {}
    told = ", ".join(f"{what} {made[what]}" for what in ("run", "seed") if what in made)
    versions = ", ".join(figures.get("versions") or {})
    return (
        f"@misc{{{key},\n  title = {{{name}: multi-turn tool-calling dialogues}},\n"
        f"  howpublished = {{Made with interplay {versions}}},\n  note = {{{told}}}\n}}"
    )


def _front_matter(
    toolset: Toolset, shape: str, splits: dict[str, int], format: FormatFacts, languages: Mapping[str, int]
) -> str:
    import yaml  # noqa: PLC0415  (needed at the edge only)
    from datasets import DatasetInfo  # noqa: PLC0415  (slow to import)
    from datasets.info import DatasetInfosDict  # noqa: PLC0415
    from huggingface_hub import DatasetCardData  # noqa: PLC0415

    licence = toolset.licence.strip().lower()
    data = DatasetCardData(
        license=licence if licence in LICENCES else "other",
        license_name=None if licence in LICENCES else "see-source-and-licence",
        language=sorted(languages) or None,
        task_categories=["text-generation"],
        tags=["tool-calling", "function-calling", "multi-turn", "agents", "synthetic", "interplay"],
        pretty_name=" ".join(toolset.name.split())[:LONGEST],
        size_categories=[_size_category(sum(splits.values()))],
    )
    if shape != "dataset":
        files = [
            {"split": split, "path": f"{split}{'-*' if split in format.sharded else ''}.{shape}"} for split in splits
        ]
        data["configs"] = [{"config_name": "default", "data_files": files}]
        DatasetInfosDict({"default": DatasetInfo(features=format.features)}).to_dataset_card_data(data)
    return str(yaml.safe_dump(data.to_dict(), sort_keys=False, allow_unicode=True))  # type: ignore[no-untyped-call]


def _size_category(rows: int) -> str:
    sizes = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    return next((name for limit, name in sizes if rows < limit), "1M<n<10M")


def public_name(source: str) -> str:
    """Return a source as given, but only the file name if it is an absolute path, which would reveal the machine's layout."""
    local = source.startswith(("/", "~", "\\\\", "file:")) or re.match(r"[A-Za-z]:[\\/]", source)
    return re.split(r"[\\/]", source)[-1] if local else source


_ACCEPTED = "FROM records WHERE run = $run AND status = 'accepted'"


def card_figures(store: DatasetStore, run: str, tokens: Sequence[int]) -> dict[str, Any]:
    """Return the figures of the accepted records of a run; `tokens` are the lengths of the rows, if they were counted.

    `together` counts the dialogues with a message that has words beside calls, and those with one that has several calls.
    """
    found = distributions(store, run)
    return {
        "languages": _counted(store, run, "language"),
        "pictures": {f"{name}.svg": drawn for name, drawn in pictures(found, framed=True).items()},
        "variety": variety(found.said),
        "tokens": _lengths(tokens),
        "together": store.query(
            "SELECT count(*) FILTER (words_beside_calls) AS words_beside_calls, "
            f"count(*) FILTER (parallel_calls) AS parallel_calls {_ACCEPTED}",
            {"run": run},
        )[0],
    }


def _counted(store: DatasetStore, run: str, column: str) -> dict[str, int]:
    rows = store.query(
        f"SELECT {column} AS value, count(*) AS n {_ACCEPTED} AND {column} IS NOT NULL GROUP BY value ORDER BY value",
        {"run": run},
    )
    return {str(row["value"]): row["n"] for row in rows}


def _lengths(tokens: Sequence[int]) -> dict[str, Any]:
    if not tokens:
        return {}
    ordered = sorted(tokens)
    return {
        "median": ordered[len(ordered) // 2],
        "most_have": ordered[int((len(ordered) - 1) * 0.95)],
        "most": ordered[-1],
    }
