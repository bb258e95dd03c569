import asyncio
from pathlib import Path
from typing import Any

import pytest

from interplay.flows.roles.cast import open_cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import load_config, parse_config
from interplay.schemas.errors import ConfigError

MODELS = {
    "small": {
        "model": "a",
        "base_url": "http://localhost:8000/v1",
        "concurrency": 64,
        "sampling": {"temperature": 0.5},
    },
    "large": {"model": "b", "provider": "anthropic", "api_key_env": "MY_KEY"},
}


def config(**settings: Any) -> RunConfig:
    return parse_config({"models": MODELS, **settings}, "interplay.yaml")


def test_takes_roles_as_a_name_a_list_or_in_full() -> None:
    full = {"models": [{"model": "small", "weight": 2}, "large"], "fallback": ["large"], "share": 3}
    roles = config(roles={"user": "small", "assistant": ["small", "large"], "tool": full}).roles
    assert [choice.model for choice in roles["user"].choices()] == ["small"]
    assert [choice.weight for choice in roles["assistant"].choices()] == [1, 1]
    assert [choice.weight for choice in roles["tool"].choices()] == [2, 1, 0]


def test_takes_who_only_finds_the_words() -> None:
    role = config(roles={"user": {"rewrite": "small", "language": "German"}}).roles["user"]
    assert ([choice.model for choice in role.choices()], role.mode, role.language) == (["small"], "rewrite", "German")
    plain = config(roles={"user": "small"})
    assert "mode" not in plain.identity()["roles"]["user"], "a run from before goes on"
    assert config(roles={"user": {"rewrite": "small"}}).fingerprint() != plain.fingerprint()
    assert config(roles={"user": {"models": ["small"], "candidates": 2}}).fingerprint() != plain.fingerprint()


def test_leaves_a_run_without_models_as_it_was() -> None:
    assert not {"models", "roles", "budget", "prices"} & RunConfig().identity().keys()
    assert config(budget={"dollars": 5}).fingerprint() == RunConfig().fingerprint()


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({"concurrency": 1}, False),
        ({"api_key_env": "OTHER"}, False),
        ({"timeout": 5}, False),
        ({"model": "c"}, True),
        ({"base_url": "http://localhost:9000/v1"}, True),
        ({"sampling": {"temperature": 0.6}}, True),
    ],
)
def test_knows_what_decides_a_record(change: dict[str, Any], differs: bool) -> None:
    roles = {"user": "small", "assistant": "small"}
    other = config(models={**MODELS, "small": {**MODELS["small"], **change}}, roles=roles)
    assert (other.fingerprint() != config(roles=roles).fingerprint()) is differs


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"roles": {"user": "tiny"}}, "no model is called 'tiny'"),
        ({"roles": {"tool": {"rewrite": "small"}}}, "only what user and assistant say"),
        ({"roles": {"assistant": {"models": ["small"], "language": "German"}}}, "it belongs to `rewrite"),
        ({"roles": {"assistant": {"models": ["small"], "candidates": 3}}}, "they belong to a user"),
        ({"roles": {"user": {"rewrite": "small", "reminders": 3}}}, "they belong to a user that a model plays"),
        ({"roles": {"user": {"rewrite": "small", "langage": "German"}}}, "Did you mean 'language'"),
        ({"committee": {"treshold": 4}}, "Did you mean 'threshold'"),
        ({"committee": {"threshold": 6}}, "/committee/threshold"),
        ({"roles": {"waiter": "small"}}, "/roles/waiter"),
        ({"models": {"m": {"model": "a", "modle": 1}}}, "Did you mean 'model'"),
        ({"models": {"m": {"model": "a", "api_key": "sk-planted-secret"}}}, "Did you mean 'api_key_env'"),
        ({"models": {"m": {"model": "a", "base_url": "http://me:planted-secret@host/v1"}}}, "no credentials"),
        ({"budget": {"dollar": 1}}, "Did you mean 'dollars'"),
    ],
)
def test_says_what_is_wrong_without_showing_secrets(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said) as raised:
        config(**settings)
    assert "planted-secret" not in str(raised.value)


def test_finds_the_prices_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text("prices: mine.yaml\n")
    assert load_config(tmp_path / "interplay.yaml").prices == tmp_path / "mine.yaml"


def test_shares_limits_among_processes() -> None:
    limits = config().models["small"].limits({"user": 2.0}, workers=4)
    assert (limits.concurrency, limits.weights) == (16, {"user": 2.0})


@pytest.mark.parametrize(
    ("model", "sampling", "said"),
    [
        ({"provider": "anthropic"}, {"seed": 1}, "knows no seed"),
        (
            {"provider": "anthropic", "model": "claude-haiku-4-5", "max_tokens": 1024},
            {"reasoning_effort": "low"},
            "thinks for 1024 of its max_tokens",
        ),
        ({"provider": "anthropic"}, {"stop": ["\n"]}, "blanks alone"),
        ({"provider": "anthropic", "model": "claude-opus-4-7"}, {"temperature": 0.5}, "takes no temperature"),
        ({"provider": "anthropic", "model": "claude-haiku-5-5"}, {"top_p": 0.9}, "takes no temperature"),
        ({"api": "responses"}, {"stop": ["END"]}, "no stop sequences"),
        ({"api": "responses"}, {"seed": 1}, "knows no seed"),
    ],
)
def test_refuses_sampling_that_would_be_left_out_in_silence(
    model: dict[str, Any], sampling: dict[str, Any], said: str
) -> None:
    given = {"model": "a", **model}
    with pytest.raises(ConfigError, match=said):
        config(models={"m": {**given, "sampling": sampling}})
    roles = {"user": "m", "assistant": [{"model": "m", "sampling": sampling}]}
    with pytest.raises(ConfigError, match=f"roles/assistant/m: .*{said}"):
        config(models={"m": given}, roles=roles)
    config(models={"m": {"model": "a", "sampling": {"seed": 1, "stop": ["\n"]}}})
    for claude in ("claude-opus-4-6", "our-claude"):
        config(models={"m": {"provider": "anthropic", "model": claude, "sampling": {"temperature": 0.5}}})


def test_what_a_role_samples_is_judged_with_what_its_model_says() -> None:
    small = {"provider": "anthropic", "model": "claude-haiku-4-5", "sampling": {"max_tokens": 900}}
    with pytest.raises(ConfigError, match="thinks for 1024 of its max_tokens"):
        config(models={"m": small}, roles={"assistant": [{"model": "m", "sampling": {"reasoning_effort": "low"}}]})


def test_a_role_samples_as_it_says_and_else_as_the_model_says() -> None:
    roles = {"user": "small", "assistant": [{"model": "small", "sampling": {"max_tokens": 7}}]}
    made = config(roles=roles)
    for read in (made, RunConfig.model_validate_json(made.model_dump_json())):
        sampled = {role: given.models[0].sampled(read.models["small"]) for role, given in read.roles.items()}
        assert (sampled["user"].temperature, sampled["user"].max_tokens) == (0.5, None)
        assert (sampled["assistant"].temperature, sampled["assistant"].max_tokens) == (0.5, 7)


PLANTED = "sk-planted-secret"


@pytest.mark.parametrize(
    "settings",
    [
        {"api_key_env": PLANTED},
        {"api_key_env": "gsk_PlantedSecret0123456789"},
        {"api_key_env": "plantedsecret0123456789abcdef0123"},
        {"headers_env": {"x-api-key": PLANTED}},
        {"headers": {"Authorization": f"Bearer {PLANTED}"}},
        {"headers": {"x-anything": PLANTED}},
        {"base_url": f"http://me:{PLANTED}@host/v1"},
        {"base_url": f"http://host/v1?key={PLANTED}"},
        {"base_url": f"http://host/v1#{PLANTED}"},
        {"query": {"api-version": PLANTED}},
        {"query": {"subscription-key": "plantedsecret"}},
        {"base_url": PLANTED},
        {"timeout": PLANTED},
    ],
)
def test_a_key_in_the_wrong_place_is_refused_and_not_repeated(settings: dict[str, Any]) -> None:
    for wrong in ({"models": {"m": {"model": "a", **settings}}}, {"embeddings": {"model": "a", **settings}}):
        with pytest.raises(ConfigError) as raised:
            config(**wrong)
        assert "planted" not in str(raised.value).lower()
        assert "PlantedSecret" not in str(raised.value)


def test_names_of_one_model_at_one_address_share_its_limits(tmp_path: Path) -> None:
    own = {"model": "a", "base_url": "http://localhost:8000/v1"}
    models = {
        "hot": {**own, "concurrency": 8, "sampling": {"temperature": 1}},
        "cold": {**own, "concurrency": 6, "requests_per_minute": 600},
        "other": {**own, "model": "b"},
    }
    asked = config(models=models, roles={"user": ["hot", "other"], "assistant": "cold"})

    cast = open_cast(asked, tmp_path / "journal.sqlite")

    assert cast is not None
    shared, other = cast.snapshots()
    assert (shared.name, shared.limit, other.name) == ("hot, cold", 6, "other")  # type: ignore[union-attr]
    asyncio.run(cast.aclose())
