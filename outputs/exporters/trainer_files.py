"""The files that trainers and catalogues read besides the rows, and the snippets to paste into a trainer's configuration.

LLaMA-Factory looks for `dataset_info.json` in its `dataset_dir`; `croissant.json` describes files and columns in the MLCommons
vocabulary (version 1.0).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.outputs.exporters.split_files import file_digest, write_json

_LLAMA_FACTORY: Mapping[FormatName, Mapping[str, Any]] = {
    "sharegpt": {
        "formatting": "sharegpt",
        "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
    },
}
"""Format -> its entry in LLaMA-Factory's dataset_info.json. `openai` has none: that reader ignores `weight`, drops words
beside calls, and encodes the arguments, which are JSON text already, a second time."""

_TRL = """from datasets import load_dataset
from trl import {trainer}Config, {trainer}Trainer

rows = load_dataset("path/to/this/folder")
columns = {columns}
trainer = {trainer}Trainer(
    model="your/model",
    args={trainer}Config(output_dir="out"{args}),
    train_dataset=rows["train"].select_columns(columns),
)
trainer.train()"""

_AXOLOTL = """datasets:
  - path: path/to/this/folder
    type: chat_template
    field_messages: {field}{roles}
    roles_to_train: [assistant]"""

_SNIPPETS: Mapping[FormatName, Mapping[str, str]] = {
    "trl": {
        "TRL": _TRL.format(trainer="SFT", columns='["messages", "tools"]', args=", assistant_only_loss=True"),
        "axolotl": _AXOLOTL.format(field="messages", roles=""),
    },
    "openai": {
        "axolotl": _AXOLOTL.format(
            field="messages", roles="\n    field_tools: tools\n    message_field_training: weight"
        )
    },
    "sharegpt": {"LLaMA-Factory": "dataset_dir: path/to/this/folder\ndataset: "},
    "hermes": {
        "axolotl": _AXOLOTL.format(
            field="conversations",
            roles="\n    message_property_mappings: {role: from, content: value}",
        )
    },
    "preference": {"TRL": _TRL.format(trainer="DPO", columns='["prompt", "chosen", "rejected", "tools"]', args="")},
    "kto": {"TRL": _TRL.format(trainer="KTO", columns='["prompt", "completion", "label", "tools"]', args="")},
}

_LINES = "application/jsonlines"


def trainer_snippets(format: FormatName, shape: Shape, files: Mapping[str, list[str]]) -> Mapping[str, str]:
    """Return trainer -> what to paste into its script or configuration; empty if no trainer reads the files as they are."""
    found = dict(_SNIPPETS.get(format, {}))
    if shape == "dataset":
        told = {name: text.replace("load_dataset", "load_from_disk") for name, text in found.items()}
        return {name: text for name, text in told.items() if name != "LLaMA-Factory"}
    if "LLaMA-Factory" in found:
        names = ",".join(name for name, (split, _) in _entries(files).items() if split == "train")
        found["LLaMA-Factory"] += names or next(iter(_entries(files)))
    return found


def _entries(files: Mapping[str, list[str]]) -> dict[str, tuple[str, str]]:
    """Return the entry names of dataset_info.json -> (split, path)."""
    return {
        split if len(paths) == 1 else f"{split}_{number}": (split, path)
        for split, paths in files.items()
        for number, path in enumerate(paths)
    }


def write_trainer_files(
    folder: Path, format: FormatName, name: str, licence: str, files: Mapping[str, list[str]], features: Any
) -> None:
    """Write the trainer files into `folder`; `files` lists the paths of each split, relative to `folder`."""
    if format in _LLAMA_FACTORY:
        known = _LLAMA_FACTORY[format]
        entries = _entries(files).items()
        write_json(folder / "dataset_info.json", {name: {"file_name": path, **known} for name, (_, path) in entries})
    write_json(folder / "croissant.json", _croissant(folder, name, licence, files, features))


def _croissant(folder: Path, name: str, licence: str, files: Mapping[str, list[str]], features: Any) -> dict[str, Any]:
    paths = [path for found in files.values() for path in found]
    kind = "application/x-parquet" if paths and paths[0].endswith(".parquet") else _LINES
    fields = [_field(column, feature, kind) for column, feature in features.items()]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": "Multi-turn tool-calling dialogues, checked by execution. The card (README.md) says more.",
        "license": licence or "other",
        "distribution": [
            *(
                {
                    "@type": "cr:FileObject",
                    "@id": path,
                    "name": path,
                    "contentUrl": path,
                    "contentSize": f"{(folder / path).stat().st_size} B",
                    "encodingFormat": kind,
                    "sha256": file_digest(folder / path),
                }
                for path in paths
            ),
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": path.rsplit(".", 1)[0],
                "name": path.rsplit(".", 1)[0],
                "field": [_sourced(field, path) for field in fields],
            }
            for path in paths
        ],
    }


def _field(column: str, feature: Any, file: str) -> dict[str, Any]:
    kinds = {"int64": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean"}
    field: dict[str, Any] = {"@type": "cr:Field", "name": column}
    if type(feature).__name__ != "List":
        return {**field, "dataType": kinds.get(getattr(feature, "dtype", ""), "sc:Text")}
    field["repeated"] = True
    parts = _parts(column, feature.feature, file)
    return {**field, "subField": parts} if parts else {**field, "dataType": "sc:Text"}


def _parts(column: str, item: Any, file: str) -> list[dict[str, Any]]:
    """Return the text fields of the objects in a list; Croissant has no type for lists within objects or for arbitrary JSON."""
    names: tuple[str, ...] = ()
    if type(item).__name__ == "Json" and file == _LINES:  # in Parquet these objects are JSON text
        names = ("function.name", "function.description") if column == "tools" else ("role", "content")
    elif isinstance(item, dict):
        names = tuple(name for name, kind in item.items() if hasattr(kind, "dtype"))
    return [{"@type": "cr:Field", "name": name, "dataType": "sc:Text"} for name in names]


def _sourced(field: Mapping[str, Any], path: str, within: str = "") -> dict[str, Any]:
    column, place = within or field["name"], f"{within}/{field['name']}" if within else field["name"]
    source: dict[str, Any] = {"fileObject": {"@id": path}, "extract": {"column": column}}
    if within:
        source["transform"] = {"jsonPath": field["name"]}
    known = {**field, "@id": f"{path.rsplit('.', 1)[0]}/{place}"}
    if "subField" in field:
        return {**known, "subField": [_sourced(part, path, column) for part in field["subField"]]}
    return {**known, "source": source}


_CONTEXT = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "equivalentProperty": "cr:equivalentProperty", "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet",
    "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField",
    "transform": "cr:transform",
}  # fmt: skip
"""The JSON-LD context of Croissant 1.0, as its specification gives it."""
