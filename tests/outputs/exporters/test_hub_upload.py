"""Uploads to the Hub: what arrives, several formats beside each other, and a second try after the first one broke off."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from datasets import load_dataset
from huggingface_hub import _commit_api, constants
from tests.outputs.builders import RUN, load_all, make_record, make_shard
from tests.outputs.exporters.hub_server import Hub, served_hub

from interplay.outputs.exporters.export import export
from interplay.outputs.exporters.export_formats import FormatName
from interplay.outputs.exporters.hub_upload import push_export
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.errors import StoreError

NAME = "lab/hotels"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with served_hub() as served:
        monkeypatch.setattr(constants, "ENDPOINT", served.url)
        address = f"{served.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", address)
        monkeypatch.setattr(_commit_api, "is_xet_available", lambda: False)  # no content-addressed store
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
        yield served


def exported(folder: Path, format: FormatName) -> Path:
    with DatasetStore(folder / "dataset.duckdb") as store:
        load_all(store, make_shard(folder, [make_record(index) for index in range(60)]))
        export(store, RUN, format, folder / format)
    return folder / format


def test_the_files_arrive_and_the_card_names_them(tmp_path: Path, hub: Hub) -> None:
    folder = exported(tmp_path, "openai")
    push_export(folder, "openai", NAME, private=True)
    files = hub.files["main"]
    assert hub.created[0]["visibility"] == "private"
    assert files["openai/train.jsonl"] == (folder / "train.jsonl").read_bytes()
    data = yaml.safe_load(files["README.md"].decode().split("---\n")[1])
    assert [config["config_name"] for config in data["configs"]] == ["openai"]
    assert {file["path"] for file in data["configs"][0]["data_files"]} <= set(files)
    shown = set(re.findall(r"\]\((\S+\.svg)\)", files["README.md"].decode()))
    assert shown
    assert shown <= set(files)


def test_a_second_format_stands_beside_the_first(tmp_path: Path, hub: Hub) -> None:
    for format in ("openai", "trl"):
        push_export(exported(tmp_path, format), format, NAME)  # type: ignore[arg-type]
    data = yaml.safe_load(hub.files["main"]["README.md"].decode().split("---\n")[1])
    assert [config["config_name"] for config in data["configs"]] == ["openai", "trl"]
    assert {"openai/train.jsonl", "trl/train.jsonl"} < set(hub.files["main"])
    assert hub.files["main"]["openai/README.md"] == (tmp_path / "openai" / "README.md").read_bytes()


def test_each_format_loads_with_its_own_features(tmp_path: Path, hub: Hub) -> None:
    for format in ("trl", "openai", "trl"):
        push_export(exported(tmp_path, format), format, NAME)  # type: ignore[arg-type]
    for name, content in hub.files["main"].items():
        path = tmp_path / "there" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for format in ("trl", "openai"):
        there = load_dataset(str(tmp_path / "there"), format, cache_dir=str(tmp_path / "cache"))["train"]
        alone = load_dataset(str(tmp_path / format), cache_dir=str(tmp_path / "cache"))["train"]
        assert there.features == alone.features
        assert list(there) == list(alone)


@pytest.mark.parametrize("breaks", ["refuse_after", "drop_after"])
def test_a_second_try_goes_on_where_the_first_broke_off(
    tmp_path: Path, hub: Hub, breaks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)  # it waits longer before each try
    folder = exported(tmp_path, "openai")
    setattr(hub, breaks, 1)
    with pytest.raises(StoreError, match="broke off"):
        push_export(folder, "openai", NAME)
    assert hub.files == {}
    assert hub.uploads == 1
    setattr(hub, breaks, None)
    push_export(folder, "openai", NAME)
    assert hub.uploads == len(list(folder.glob("*.jsonl"))) > 1
    assert hub.files["main"]["openai/train.jsonl"] == (folder / "train.jsonl").read_bytes()


def test_files_that_an_earlier_upload_had_more_are_taken_away(tmp_path: Path, hub: Hub) -> None:
    folder = exported(tmp_path, "openai")
    (folder / "train-00001.jsonl").write_bytes(b"{}")
    push_export(folder, "openai", NAME)
    push_export(exported(tmp_path, "trl"), "trl", NAME)
    (folder / "train-00001.jsonl").unlink()
    push_export(folder, "openai", NAME)
    there = set(hub.files["main"])
    assert "openai/train-00001.jsonl" not in there
    assert {"openai/train.jsonl", "trl/train.jsonl", "README.md"} < there


def test_an_upload_that_breaks_off_says_nothing_of_its_own_tries(
    tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)
    folder = exported(tmp_path, "openai")
    hub.drop_after = 1
    capfd.readouterr()
    with pytest.raises(StoreError, match="push again to go on"):
        push_export(folder, "openai", NAME)
    assert capfd.readouterr() == ("", "")


def test_a_branch_of_its_own(tmp_path: Path, hub: Hub) -> None:
    push_export(exported(tmp_path, "openai"), "openai", NAME, revision="next")
    assert set(hub.files) == {"next"}


def test_the_token_is_sent_and_kept_nowhere(tmp_path: Path, hub: Hub) -> None:
    push_export(exported(tmp_path, "openai"), "openai", NAME)
    assert hub.tokens == {"Bearer hf_secret"}
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and b"hf_secret" in path.read_bytes()]
    assert kept == []


def test_what_else_lies_in_the_folder_is_not_uploaded(tmp_path: Path, hub: Hub) -> None:
    folder = exported(tmp_path, "openai")
    own = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("token = secret")
    (folder / "notes.md").write_text("mine")
    push_export(folder, "openai", NAME)
    assert set(hub.files["main"]) == {"README.md", *(f"openai/{name}" for name in own)}
