"""A configuration: what is written by default is what holds by default, and errors say where and what to do."""

from pathlib import Path

import pytest

from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import load_config
from interplay.flows.worlds.scaffold import write_config
from interplay.schemas.errors import ConfigError


def test_a_new_configuration_says_what_holds_without_one(tmp_path: Path) -> None:
    assert load_config(write_config(tmp_path, ["domain:clinic"])) == RunConfig()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("toolset:\n\t- domain:clinic\n", "c.yaml:2:1: not valid YAML (found character '\\t' that cannot start any token). Indent with spaces, not with tabs."),
        ("records: [\n", "c.yaml:2:1: not valid YAML"),
        ("", "c.yaml: expected settings, one `key: value` a line, found nothing. See: interplay init"),
        ("- domain:clinic\n", "found a list."),
        ("openapi: 3.0.0\npaths: {}\n", "c.yaml: describes an API and is no configuration. Name it so: --toolset openapi:"),
        ("faults: 0.1\n", "c.yaml: /faults: unknown key here. It stands in a section: recipes: {faults: ...}"),
        ("dollars: 5\n", "c.yaml: /dollars: unknown key here. It stands in a section: budget: {dollars: ...}"),
        (f"toolset: {'[' * 2_000}{']' * 2_000}\n", "c.yaml: is nested too deeply to be settings. See: interplay init"),
        ("toolset: 5\n", "c.yaml: /toolset: expected a list, as [a, b] (found '5')."),
        ("toolset: []\n", "c.yaml: /toolset: expected a list with something in it (found '[]')."),
        ("recrods: 3\n", "c.yaml: /recrods: unknown key. Did you mean 'records'?"),
        ("records: many\n", "c.yaml: /records: Input should be a valid integer, unable to parse string as an integer (found 'many')."),
        ("recipes: {patterns: {singel: 1}}\n", "c.yaml: /recipes/patterns/singel: unknown key. Did you mean 'single'?"),
        ("models: {m: {model: x}}\nroles: {usr: m}\n", "c.yaml: /roles/usr: unknown key. Did you mean 'user'?"),
        ("models: {m: {model: x}}\nroles: {user: n}\n", "c.yaml: roles/user: no model is called 'n' under `models` (there are: m)."),
        ("language: fr\n", "c.yaml: /language: the rules do not speak 'fr'; they speak"),
    ],
)  # fmt: skip
def test_an_error_says_what_where_and_what_to_do(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as raised:
        load_config(path)
    assert told in str(raised.value).replace(f"{tmp_path}/", "")


def test_words_and_numbers_are_read_as_in_descriptions_of_apis(tmp_path: Path) -> None:
    path = tmp_path / "interplay.yaml"
    path.write_text("seed: 0777\nrecords: 7\nrecipes: {sense: 0.5, doubtful_links: true}\n")
    config = load_config(path)
    assert (config.seed, config.records, config.recipes.sense, config.recipes.doubtful_links) == (777, 7, 0.5, True)


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a folder. Name the configuration file, such as .*interplay.yaml"):
        load_config(tmp_path)
