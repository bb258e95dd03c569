from collections import Counter
from pathlib import Path

from tests.generators.models.clock import run_fast
from tests.generators.models.endpoints import TalkingEndpoint, open_model, question

from interplay.flows.settings.model_settings import RoleSettings
from interplay.generators.models.client.model import Model
from interplay.generators.models.client.routed_model import Choice, RoutedModel, ordered
from interplay.generators.models.journal.journal_report import entries
from interplay.generators.models.limits.limit_settings import LimitSettings
from interplay.generators.models.transport.transport_errors import Dropped, Rejected
from interplay.schemas.records.chat import Sampling


async def _reject(_index: int) -> None:
    raise Rejected("no such model", 404)


async def _drop(_index: int) -> None:
    raise Dropped("refused")


def model_at(folder: Path, name: str, behave: object = None) -> Model:
    endpoint = TalkingEndpoint(behave, model=name, base_url=f"http://{name}.test")  # type: ignore[arg-type]
    return open_model(folder, endpoint, LimitSettings(concurrency=4))


def test_draws_by_weight_and_not_by_load(tmp_path: Path) -> None:
    first, second, spare = (Choice(model_at(tmp_path, name), weight) for name, weight in
                            (("a", 3), ("b", 1), ("c", 0)))  # fmt: skip
    drawn = [ordered((first, second, spare), 7, index, "user", 1)[0] for index in range(1000)]
    counts = Counter(choice.model.endpoint.model for choice in drawn)  # type: ignore[attr-defined]
    assert counts["c"] == 0
    assert 700 < counts["a"] < 800
    assert drawn == [ordered((first, second, spare), 7, index, "user", 1)[0] for index in range(1000)]


def test_one_model_may_speak_in_a_whole_dialogue(tmp_path: Path) -> None:
    choices = tuple(Choice(model_at(tmp_path, name)) for name in ("a", "b"))
    hello = question("hello")
    asked = [hello.model_copy(update={"messages": hello.messages * turn}) for turn in (1, 2, 3)]

    def speakers(index: int, stays: bool) -> set[str]:
        routed = RoutedModel(choices, 7, index, stays)
        own = [request.model_copy(update={"sample": index + 100 * stays}) for request in asked]
        return {run_fast(routed.complete(request)).model for request in own}

    assert {frozenset(speakers(index, stays=True)) for index in range(20)} == {frozenset("a"), frozenset("b")}
    assert {"a", "b"} in [speakers(index, stays=False) for index in range(20)]


def test_samples_each_model_in_its_own_way(tmp_path: Path) -> None:
    choice = Choice(model_at(tmp_path, "a"), sampling=Sampling(temperature=0.2))
    request = question("hello", sampling=Sampling(temperature=1.0, max_tokens=5))
    assert choice.with_own_sampling(request).sampling == Sampling(temperature=0.2, max_tokens=5)


def test_falls_back_on_the_next_that_takes_the_request(tmp_path: Path) -> None:
    models = [model_at(tmp_path, "a", _reject), model_at(tmp_path, "b")]
    routed = RoutedModel((Choice(models[0]), Choice(models[1], 0)), 1, 1)
    assert run_fast(routed.complete(question("hello"))).model == "b"


def test_finds_the_answer_of_a_fallback_again(tmp_path: Path) -> None:
    dead, alive = model_at(tmp_path, "a", _drop), model_at(tmp_path, "b")
    run_fast(RoutedModel((Choice(dead), Choice(alive, 0)), 1, 1).complete(question("hello")))
    back = model_at(tmp_path, "a")
    routed = RoutedModel((Choice(back), Choice(model_at(tmp_path, "b"), 0)), 1, 1)
    assert run_fast(routed.complete(question("hello"))).model == "b"
    assert back.endpoint.asked == []  # type: ignore[attr-defined]


def test_tells_apart_two_choices_of_one_model(tmp_path: Path) -> None:
    model = model_at(tmp_path, "a")
    cold, hot = Choice(model, 1, Sampling(temperature=0.1), "a"), Choice(model, 0, Sampling(temperature=1.0), "a (2)")
    for choices, speaker in (((cold, hot), "a"), ((hot, cold), "a")):
        reply = run_fast(RoutedModel(choices, 1, 1).complete(question("hello")))
        assert (reply.model, reply.speaker) == ("a", speaker)
    assert [entry.speaker for entry in entries(model.journal.path)] == ["a"]
    assert RoleSettings.model_validate({"models": ["a", "b", "a"]}).named_choices()[2][0] == "a (2)"
