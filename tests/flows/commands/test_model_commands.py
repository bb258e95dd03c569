"""`interplay check` and `interplay estimate`: what models can do, and what they would cost."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from tests.flows.command_line import interplay, run_clinic
from tests.flows.serving import serving
from tests.model_server.misbehaviour import Settings, read_fault
from tests.model_server.server import ModelServer

from interplay.flows.estimates.dialogue_yield import Yield, measured_yield
from interplay.flows.estimates.estimate import Estimate, estimate
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.dialogue_limits import Limits
from interplay.schemas.errors import ConfigError


def write(folder: Path, server: ModelServer, provider: str = "openai") -> Path:
    """Write a configuration with one model in both roles."""
    address = server.openai_url if provider == "openai" else server.anthropic_url
    model = {"provider": provider, "model": "tiny", "base_url": address, "timeout": 5}
    path = folder / "interplay.yaml"
    path.write_text(json.dumps({"models": {"m": model}, "roles": {"user": "m", "assistant": "m"}, "records": 500}))
    return path


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_checks_each_ability(
    tmp_path: Path, provider: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Settings()) as server:
        path = write(tmp_path, server, provider)
        told = interplay(monkeypatch, capsys, "check", path)
        listed = interplay(monkeypatch, capsys, "check", path, "--json")
    assert told.code == 0
    assert told.out.count("✓") == 5
    [found] = json.loads(listed.out)
    assert [ability["name"] for ability in found["abilities"] if ability["ok"]] == [
        "text", "tools", "parallel tools", "structured output", "usage"
    ]  # fmt: skip
    assert found["lacking"] == []


def test_tells_how_to_mend_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Settings(faults=(read_fault("500"),))) as server:
        told = interplay(monkeypatch, capsys, "check", write(tmp_path, server))
    assert told.code == 1
    assert told.out.count("fix:") == 1
    assert "cannot play user, assistant: it lacks text, tools, structured output" in " ".join(told.out.split())


def test_says_that_there_is_nothing_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "interplay.yaml").write_text("records: 3\n")
    for command in ("check", "estimate"):
        told = interplay(monkeypatch, capsys, command, tmp_path / "interplay.yaml")
        assert told.code == 1
        assert "roles" in told.err


def estimated(
    prices: Path | None = None, settings: Mapping[str, object] = MappingProxyType({}), **roles: object
) -> Estimate:
    """Return the estimate for clinic dialogues."""
    models = {
        "cheap": {"model": "tiny", "base_url": "http://localhost:1/v1"},
        "home": {"model": "gpt-4o-mini"},
        "batches": {"model": "gpt-4o-mini", "batch": True},
    }
    played = roles or {"user": "home", "assistant": "home"}
    told = parse_config({"models": models, "roles": played, "records": 100, "prices": prices, **settings}, "test")
    return asyncio.run(estimate(told, 6, Yield(share=0.5, source="given")))


def test_estimates_without_a_key_or_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = estimated()
    assert [item.role for item in found.roles] == ["user", "assistant"]
    assert all(item.calls > 4 and item.prompt_tokens > 100 * item.completion_tokens / 20 for item in found.roles)
    assert all(0.5 < item.repeated < 1 for item in found.roles)
    assert found.dollars is not None
    assert found.run_dollars == pytest.approx(found.dollars * 100, abs=0.01)


def test_counts_tools_that_a_model_would_play() -> None:
    told = parse_config(
        {
            "toolset": f"json:{Path(__file__).parents[1] / 'notes.json'}",
            "models": {"m": {"model": "tiny", "base_url": "http://localhost:1/v1"}},
            "roles": {"tool": "m"},
        },
        "test",
    )
    [tools] = asyncio.run(estimate(told, 5)).roles
    assert (tools.role, tools.dollars) == ("tool", None)
    assert tools.calls >= 1


def test_a_price_that_nobody_knows_is_said_to_be_unknown() -> None:
    found = estimated(user="cheap", assistant="home")
    assert [item.dollars is None for item in found.roles] == [True, False]
    assert found.dollars is None


def test_a_batch_costs_half() -> None:
    [dear], [cheap] = estimated(user="home").roles, estimated(user="batches").roles
    assert dear.dollars is not None
    assert cheap.dollars == pytest.approx(dear.dollars / 2, rel=1e-3)


def test_candidates_and_the_choice_among_them_are_counted() -> None:
    [one] = estimated(user="home").roles
    [three] = estimated(user={"models": ["home"], "candidates": 3}).roles
    assert three.calls == pytest.approx(4 * one.calls, rel=0.01)
    assert three.completion_tokens == pytest.approx(3 * one.completion_tokens, rel=0.02)


def test_what_reviewers_send_back_is_reviewed_and_reworded_again() -> None:
    roles = {"reviewer": "home", "composer": "home"}
    told = parse_config(
        {"models": {"home": {"model": "gpt-4o-mini"}}, "roles": roles, "records": 100, "committee": {"rounds": 2}},
        "test",
    )
    never, often = (asyncio.run(estimate(told, 4, Yield(sent_back=share))) for share in (0.0, 0.5))
    calls = [{item.role: item.calls for item in found.roles} for found in (never, often)]
    assert calls[1]["reviewer"] == pytest.approx(1.75 * calls[0]["reviewer"], abs=0.06), (
        "half of all, and half of these again"
    )
    assert calls[1]["composer"] == pytest.approx(calls[0].get("composer", 0) + 0.75, abs=0.06)
    assert often.dollars is not None
    assert never.dollars is not None
    assert often.dollars > 1.5 * never.dollars


def test_a_model_named_twice_has_both_shares(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("date: 2026-11-01\nprices: [{model: tiny, input: 0, output: 0}]\n")
    often = [{"model": "home", "weight": 3}, {"model": "home", "weight": 1}, {"model": "cheap", "weight": 1}]
    [twice] = estimated(tmp_path / "prices.yaml", user={"models": often}).roles
    [once] = estimated(tmp_path / "prices.yaml", user={"models": [{"model": "home", "weight": 4}, "cheap"]}).roles
    assert twice.dollars == once.dollars


def test_a_task_is_reviewed_once_however_often_it_is_played() -> None:
    roles = {"assistant": "home", "reviewer": "home"}
    once, often = (
        {
            item.role: item.calls
            for item in estimated(settings={"attempts": attempts, "review": {"reviewers": 0}}, **roles).roles
        }
        for attempts in (1, 4)
    )
    assert often["assistant"] == pytest.approx(once["assistant"], rel=0.01)
    assert often["reviewer"] == pytest.approx(once["reviewer"] / 4, rel=0.02)


def test_dialogues_that_fail_by_execution_are_not_reviewed() -> None:
    def calls(passing: float, reviewers: int) -> float:
        told = parse_config(
            {
                "models": {"home": {"model": "gpt-4o-mini"}},
                "roles": {"assistant": "home", "reviewer": "home"},
                "review": {"reviewers": reviewers},
            },
            "test",
        )
        found = asyncio.run(estimate(told, 2, Yield(share=0.5, passing=passing)))
        return next(item.calls for item in found.roles if item.role == "reviewer")

    of_tasks = calls(1.0, 0)
    assert calls(1.0, 2) == pytest.approx(of_tasks + 4, abs=0.1), "two reviews of each of two that are played"
    assert calls(0.5, 2) == pytest.approx(of_tasks + 2, abs=0.1)


def test_counts_with_the_yield_that_was_measured_in_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = {"attempts": 2, "limits": Limits(turns=7), "shard_size": 6}
    made = run_clinic(tmp_path / "workspace", records=6, **played)
    workspace, asked = Workspace(tmp_path / "workspace"), RunConfig(seed=7, **played)
    found = measured_yield(workspace, workspace.existing_run().config)
    assert found is not None
    assert 0 < found.low < found.share <= found.high <= 1
    assert found.share == pytest.approx(made.accepted / found.dialogues)
    assert measured_yield(workspace, asked.model_copy(update={"seed": 99})) is None
    assert measured_yield(Workspace(tmp_path / "elsewhere"), asked) is None
    monkeypatch.chdir(tmp_path)
    (tmp_path / "interplay.yaml").write_text(
        json.dumps({"models": {"m": {"model": "gpt-4o-mini"}}, "roles": {"user": "m"}})
    )
    told = interplay(monkeypatch, capsys, "estimate")
    assert "at a yield of 100%, which is assumed" in " ".join(told.out.split())


def test_says_what_it_cannot_count() -> None:
    notes = {"toolset": f"json:{Path(__file__).parents[1] / 'notes.json'}"}
    alone = estimated(settings=notes, composer="home")
    assert (alone.dollars, alone.run_dollars, alone.uncounted) == (None, None, ("composer",))


def test_counts_the_tasks_that_a_model_invents() -> None:
    written = {"recipes": {"written": 1.0, "patterns": {"single": 1.0}}}
    [composer] = estimated(settings=written, composer="home").roles
    assert composer.calls == pytest.approx(2 / 0.5, rel=0.1)  # a task of the sample that is refused is asked once
    assert composer.prompt_tokens > 1_000
    assert composer.dollars is not None


def test_a_small_run_is_paid_for_few_more_than_are_wanted() -> None:
    model = {"model": "tiny", "base_url": "http://localhost:1/v1"}
    sizes = {}
    for records in (5, 60, 1000):
        told = parse_config({"models": {"m": model}, "roles": {"user": "m"}, "records": records}, "test")
        sizes[records] = told.indices_per_shard()
    assert sizes == {5: 1, 60: 6, 1000: 50}
    by_rules = {records: parse_config({"records": records}, "test").indices_per_shard() for records in (1, 30, 1000)}
    assert by_rules == {1: 8, 30: 37, 1000: 50}
    sessions = {"models": {"m": model}, "roles": {"user": "m"}, "records": 5, "tasks_per_session": 3}
    assert parse_config(sessions, "test").indices_per_shard() == 3


def test_refuses_tools_that_answer_by_themselves() -> None:
    with pytest.raises(ConfigError, match="answers by itself"):
        estimated(tool="home")
