"""Uploads an export to a dataset repository of the Hugging Face Hub, beside the formats that are already there.

    README.md            the card of the last upload; its `configs` name all formats in the repository
    openai/train.jsonl   the files of each format in a folder of its own, with its card

Files that the repository already has are not sent again, so a second try continues where the first one broke off. One commit adds
the files and the card and deletes what an earlier upload of the format had beyond them. The token is the one that
huggingface_hub finds.
"""

import sys
from pathlib import Path
from typing import Any

from interplay.outputs.exporters.export_check import MANIFEST, read_note
from interplay.outputs.report.card import PICTURES
from interplay.outputs.store.scratch import scratch_folder
from interplay.schemas.errors import StoreError

CARD = "README.md"
NOT_FOUND = 404


def push_export(folder: Path, format: str, repository: str, private: bool = False, revision: str | None = None) -> str:
    """Upload the files of an export in one commit, and return the commit's URL.

    Raises:
        StoreError: the Hub cannot be reached, refuses, or breaks off.
    """
    import yaml  # noqa: PLC0415  (needed at the edge only)
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, DatasetCard, HfApi  # noqa: PLC0415  (slow)
    from huggingface_hub.utils import logging  # noqa: PLC0415
    from huggingface_hub.utils.tqdm import disable_progress_bars  # noqa: PLC0415

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # it logs each retry
    if not sys.stderr.isatty():
        disable_progress_bars()
    api = HfApi()
    try:
        made = api.create_repo(repository, repo_type="dataset", private=private, exist_ok=True)
        name = made.repo_id
        if revision:
            api.create_branch(name, repo_type="dataset", branch=revision, exist_ok=True)
        told = (folder / CARD).read_text(encoding="utf-8").replace(f"]({PICTURES}/", f"]({format}/{PICTURES}/")
        card = DatasetCard(told)
        _add_configs(card, format, _card_there(api, name, revision))
        own = sorted((*read_note(folder).files, MANIFEST))  # nothing else in the folder, such as .git
        parts: list[Any] = [CommitOperationAdd(f"{format}/{file}", folder / file) for file in own]
        parts.append(CommitOperationAdd(CARD, str(card).encode()))
        sent = {part.path_in_repo for part in parts}
        parts += [CommitOperationDelete(path) for path in _files_there(api, name, format, revision) if path not in sent]
        done = api.create_commit(name, parts, commit_message=f"Add {format}", repo_type="dataset", revision=revision)
    except (OSError, ValueError, RuntimeError, yaml.YAMLError) as error:  # HTTP errors are mostly OSError
        raise StoreError(_told(repository, error)) from error
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("httpx", "httpx2", "huggingface_hub"):
            raise
        raise StoreError(_told(repository, error)) from error
    return str(done.commit_url)


def _told(repository: str, error: Exception) -> str:
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    return f"--push {repository}: the upload broke off ({reason}). Nothing of it is visible; push again to go on."


def _card_there(api: Any, name: str, revision: str | None) -> dict[str, Any]:
    """Return the front matter of the repository's card; empty if there is no card yet."""
    from huggingface_hub import DatasetCard  # noqa: PLC0415

    if not api.file_exists(name, CARD, repo_type="dataset", revision=revision):
        return {}
    with scratch_folder() as scratch:
        path = api.hf_hub_download(name, CARD, repo_type="dataset", revision=revision, cache_dir=scratch)
        found: dict[str, Any] = DatasetCard(Path(path).read_text(encoding="utf-8")).data.to_dict()  # type: ignore[no-untyped-call]
    return found


def _files_there(api: Any, name: str, format: str, revision: str | None) -> list[str]:
    """Return the files of an earlier upload of a format, which may have had more files per split."""
    from huggingface_hub.errors import HfHubHTTPError  # noqa: PLC0415

    try:
        found = list(api.list_repo_tree(name, format, recursive=True, repo_type="dataset", revision=revision))
    except HfHubHTTPError as error:
        if error.response.status_code == NOT_FOUND:
            return []
        raise
    return [each.path for each in found if hasattr(each, "size")]


def _add_configs(card: Any, format: str, there: dict[str, Any]) -> None:
    """Add the configs and features of this format to the card, after those of the other formats in the repository."""
    data = card.data.to_dict()
    for key in ("configs", "dataset_info"):
        own, others = _listed(data.get(key)), _listed(there.get(key))
        kept = [other for other in others if other.get("config_name") != format]
        if own or kept:
            card.data[key] = kept + [_in_folder(each, format) for each in own]


def _listed(found: Any) -> list[dict[str, Any]]:
    return [each for each in (found if isinstance(found, list) else [found]) if isinstance(each, dict)]


def _in_folder(config: dict[str, Any], format: str) -> dict[str, Any]:
    """Return a config or dataset_info entry named after the format, with its files in the format's folder."""
    named = {**config, "config_name": format}
    if "data_files" in named:
        named["data_files"] = [{**file, "path": f"{format}/{file['path']}"} for file in named["data_files"]]
    return named
