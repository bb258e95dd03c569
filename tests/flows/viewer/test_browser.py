"""The pages in a real browser: what people do there, what hostile records cannot do, and whether everybody can read them.

Needs Chromium (`apt-get install chromium`), which `CHROMIUM` may name. `DOCS=write` keeps the pictures that docs/viewer.md shows.
"""

import json
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.flows.brains import ReplayingBrain, ReviewingBrain
from tests.flows.command_line import interplay_process, run_clinic
from tests.flows.serving import serving
from tests.model_server.answers import Answer, Ask
from tests.model_server.misbehaviour import Settings, chance

from interplay.flows.viewer.guard import Guard
from interplay.flows.viewer.index_upkeep import bring_up_to_date
from interplay.flows.viewer.page_server import listening, looked_at, viewer_app
from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.run_files import write_record
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium: apt-get install chromium")

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
PICTURE_BYTES = 120_000
SCREEN = {"width": 1100, "height": 700}
HOSTILE = (
    "<script>window.hit=1</script><img src=x onerror=window.hit=1>\"'><svg onload=window.hit=1>"
    "</pre></details></article></main>{{ 7*7 }}{% raw %}\x00\x1b[31m\u202e\ud7ff&lt;b&gt; javascript:window.hit=1"
)
HOSTILES = 200
LONG = 300_000
MANY = 500


@dataclass
class Opened:
    """A page in a browser, and what went wrong in it."""

    page: Any
    root: str
    faults: list[str] = field(default_factory=list)

    def go(self, path: str) -> Any:
        """Open a page, and return it."""
        answer = self.page.goto(self.root + path)
        assert answer.ok, (path, answer.status)
        return self.page


@contextmanager
def served(*folders: Path) -> Iterator[Guard]:
    bound = listening(0)
    guard = Guard(bound.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(viewer_app(looked_at(folders), guard), log_level="error"))
    thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
    thread.start()
    try:
        yield guard
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def browser(workspaces: tuple[Path, Path], attempted: Path) -> Iterator[Any]:
    assert (
        workspaces
    )  # both are made before: while it is open, playwright runs an event loop here, and a run begins one
    assert attempted
    with playwright.sync_playwright() as run:
        opened = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def opened(browser: Any, guard: Guard, **options: Any) -> Iterator[Opened]:
    context = browser.new_context(**{"viewport": SCREEN, **options})
    page = context.new_page()
    found = Opened(page, guard.address.partition("/?")[0])
    page.on("pageerror", lambda error: found.faults.append(str(error)))
    page.on("console", lambda message: found.faults.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: found.faults.append(dialog.message))
    page.on(
        "request", lambda asked: None if asked.url.startswith((found.root, "data:")) else found.faults.append(asked.url)
    )
    page.goto(guard.address)
    yield found
    context.close()
    assert found.faults == []


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The branches of a run, of which some have a mistake and are rejected, and another run."""
    folder = tmp_path_factory.mktemp("runs")
    run_clinic(folder / "monday", records=12, shard_size=20)
    run_clinic(folder / "tuesday", records=6, seed=5)
    branched = interplay_process("branch", "--workspace", "monday", "--to", "branched", cwd=folder)
    assert branched.code == 0, branched.err
    for name in ("branched", "tuesday"):
        bring_up_to_date(Workspace(folder / name), Workspace(folder / name).viewer_file)
    return folder / "branched", folder / "tuesday"


@pytest.fixture(scope="module")
def looked(browser: Any, workspaces: tuple[Path, Path]) -> Iterator[Opened]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(workspaces[0].parent)  # a short name, as people give it
        with served(*(Path(folder.name) for folder in workspaces)) as guard, opened(browser, guard) as found:
            yield found


def keep_picture(page: Any, name: str, at: str = "h1") -> None:
    """Keep a small picture for the docs, where that is asked for."""
    if os.environ.get("DOCS") == "write":
        page.set_viewport_size({"width": 860, "height": 520})
        page.locator(at).first.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
        picture = page.screenshot()
        page.set_viewport_size(SCREEN)
        assert len(picture) < PICTURE_BYTES
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / f"{name}.png").write_bytes(picture)


def test_three_clicks_lead_to_why_a_record_was_rejected(looked: Opened) -> None:
    page = looked.go("/")
    page.get_by_role("link", name="branched").last.click()
    page.wait_for_load_state()
    keep_picture(page, "overview")
    page.locator("section").get_by_role("link", name="rejected").click()
    page.wait_for_load_state()
    keep_picture(page, "records")
    page.locator("#records tbody a").first.click()
    page.wait_for_load_state()
    assert page.locator(".why li").count() >= 1
    keep_picture(page, "rejected")
    page.locator(".why a").first.click()
    assert page.locator("article.turn .objection").first.is_visible()
    page.get_by_role("link", name="from which it branches").click()
    page.get_by_text("Here they part").first.wait_for()
    for there in page.locator("main a[href^='#']").all():
        assert page.locator(str(there.get_attribute("href"))).count() == 1
    keep_picture(page, "beside", ".parted")
    page = looked.go("/w/0")
    page.locator(".pictures a").first.click()
    page.wait_for_load_state()
    assert page.locator("#records tbody a").count() >= 1  # a bar leads to its records
    keep_picture(looked.go("/w/0"), "figures", ".pictures figure")


class Careless:
    """An assistant that says what is told of it, and now and then that something is done that it never does."""

    def __init__(self, brain: ReplayingBrain) -> None:
        self._brain = brain

    def __call__(self, ask: Ask) -> Answer | None:
        said = self._brain(ask)
        if said is not None and said.calls and chance(3, json.dumps(ask.body["messages"][-1])) < 0.15:
            return Answer(text="That is done for you.")
        return said


@pytest.fixture(scope="module")
def attempted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which an assistant tries each task four times, and fails in some of them."""
    folder = tmp_path_factory.mktemp("attempts")
    run_clinic(folder / "rules", records=16, shard_size=4, attempts=4)
    played = [record for path in Workspace(folder / "rules").finished_shards() for record in read_shard(path)]
    with serving(Settings(), Careless(ReplayingBrain(played))) as server:
        model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY"}
        told = {"models": {"m": model}, "roles": {"assistant": "m"}, "attempts": 4, "shard_size": 4, "records": 6}
        (folder / "attempts.yaml").write_text(json.dumps(told))
        made = interplay_process(
            "run", folder / "attempts.yaml", "--workspace", folder / "w", env={**os.environ, "PLANTED_KEY": "any"}
        )
    assert made.code == 0, made.err
    bring_up_to_date(Workspace(folder / "w"), Workspace(folder / "w").viewer_file)
    return folder / "w"


def test_attempts_stand_side_by_side_with_where_they_part(browser: Any, attempted: Path) -> None:
    with served(attempted) as guard, opened(browser, guard) as found:
        assert "dialogues played, 4 of each task" in found.page.locator("main").inner_text()
        page = found.page
        for bar in page.locator(".pictures a[href*=pass_rate]").all():
            assert "Nothing fits" not in page.request.get(found.root + bar.get_attribute("href")).text()
        page = found.go("/w/0/records?status=accepted&pass_rate_to=0.75")
        page.locator("#records tbody a").first.click()
        page.wait_for_load_state()
        text = page.locator("main").inner_text()
        passed = re.search(r"([123]) of 4 attempts at this task pass", text)
        assert passed is not None
        assert page.locator(".attempts .accepted").count() == int(passed[1])
        page.locator(".attempts li:has(.rejected) a").last.click()
        page.wait_for_load_state()
        assert page.get_by_text("Here they part.").first.is_visible()
        assert "They say it in other words from message" in page.locator("main").inner_text()
        for there in page.locator("main a[href^='#']").all():
            assert page.locator(str(there.get_attribute("href"))).count() == 1
        page.locator("main > p a").last.click()
        assert re.search(r"#[ab]\d+$", page.url)
        assert page.locator(page.url[page.url.index("#") :]).is_visible()


def test_a_dialogue_is_read_with_keys_and_step_by_step(looked: Opened) -> None:
    page = looked.go("/w/0/records?sort=-calls&status=accepted")
    page.locator("#records tbody a").first.click()
    page.wait_for_load_state()
    shown = page.locator("article.turn")
    for _ in range(2):
        page.keyboard.press("j")
    assert page.locator("article.turn.current").get_attribute("id") == shown.nth(1).get_attribute("id")
    page.keyboard.press("k")
    assert page.locator("article.turn.current").get_attribute("id") == shown.nth(0).get_attribute("id")
    page.get_by_role("button", name="Step through it").click()
    assert page.locator("article.turn:visible").count() == 1
    page.keyboard.press("j")
    assert page.locator("article.turn:visible").count() == 2
    assert page.locator(".made:visible").count() == 0
    while not page.locator(".made:visible").count():
        page.keyboard.press("j")
    assert page.locator(".made:visible details[open]").count() == page.locator(".made:visible").count() == 1
    page.get_by_role("button", name="Step through it").click()
    assert page.locator("article.turn:visible").count() == shown.count()


def test_a_value_shows_where_it_comes_from_and_calls_what_they_changed(looked: Opened) -> None:
    page = looked.go("/w/0/records?tool=pay_invoice&tool=find_patient")
    if not page.locator("#records tbody a").count():
        page = looked.go("/w/0/records?calls_from=2&status=accepted")
    page.locator("#records tbody a").first.click()
    page.wait_for_load_state()
    value = page.locator("summary .value[data-from]").first
    value.hover()
    assert page.locator(f"#{value.get_attribute('data-from')}.lit").count() == 1
    page.locator("body[data-replayed]").wait_for()
    assert page.locator(".changed ins").count()
    page.locator("details.call summary").first.click()
    assert page.locator("details.call[open] pre").first.is_visible()
    named = page.locator("details.call[open] a.value").first
    named.focus()
    assert page.locator(f"#{named.get_attribute('data-from')}.lit").count() == 1
    page.keyboard.press("Enter")
    assert page.url.endswith(f"#{named.get_attribute('data-from')}")
    keep_picture(page, "dialogue", "details.call[open] pre")


def test_a_search_is_an_address_that_can_be_sent(looked: Opened) -> None:
    page = looked.go("/w/0/records")
    page.get_by_label("Words").fill("invoice")
    page.get_by_label("Order").select_option("-turns")
    page.get_by_role("button", name="Find").click()
    assert page.url.endswith("?words=invoice&sort=-turns")
    heads = [row.inner_text() for row in page.locator("#records tbody tr").all()]
    assert heads
    assert [
        row.inner_text()
        for row in looked.go("/w/0/records?words=invoice&sort=-turns").locator("#records tbody tr").all()
    ] == heads


def test_tools_are_narrowed_and_runs_compared(looked: Opened) -> None:
    page = looked.go("/w/0/tools")
    page.get_by_label("Find a name").fill("pay_invoice")
    assert page.locator("table.narrowed tbody tr:visible").count() < page.locator("table.narrowed tbody tr").count()
    keep_picture(page, "tools")
    page = looked.go("/compare/0/1")
    assert page.get_by_role("heading", name="Only in").count() == 2
    keep_picture(page, "comparison")


def test_people_judge_and_take_back(looked: Opened, workspaces: tuple[Path, Path]) -> None:
    page = looked.go("/w/1/judge")
    page.get_by_label("Who you are").fill("ada")
    page.get_by_role("button", name="Begin").click()
    keep_picture(page, "judge")
    page.get_by_label("no", exact=True).check()
    page.get_by_label("What is wrong").select_option("false_claim")
    page.get_by_label("Note").fill(HOSTILE.replace("\x00", ""))
    page.get_by_role("button", name="Keep it").click()
    assert "1 of" in page.get_by_role("status").inner_text()
    assert [label.kind for label in Workspace(workspaces[1]).labels()] == ["false_claim"]
    page.get_by_role("button", name="Undo").click()
    assert Workspace(workspaces[1]).labels() == ()


def test_what_people_say_calibrates_reviewers_and_overrules_in_exports(
    browser: Any, workspaces: tuple[Path, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(workspaces[1], tmp_path / "w"))
    with served(folder) as guard, opened(browser, guard) as found:
        for person in ("ada", "ben"):
            page = found.go(f"/w/0/judge?person={person}")
            for number in range(4):
                page.get_by_label("no" if number == 0 else "yes", exact=True).check()
                if number == 0:
                    page.get_by_label("What is wrong").select_option("false_claim")
                    page.get_by_label("At message").fill("1")
                page.get_by_label("helpfulness").select_option("2" if number == 0 else "5")
                page.get_by_role("button", name="Keep it").click()
                page.wait_for_load_state()
        lines = [row.inner_text().split("\t") for row in page.locator("table tbody tr").all()]
    assert ["ada", "ben", "4"] in [line[:3] for line in lines]
    assert ["ben", "all checks", "4"] in [line[:3] for line in lines]
    with serving(Settings(), ReviewingBrain()) as server:
        model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY"}
        told = {"models": {"m": model}, "roles": {"reviewer": "m"}, "review": {"reviewers": 1}}
        (tmp_path / "reviews.yaml").write_text(json.dumps(told))
        calibrated = interplay_process(
            "calibrate", folder / "labels.jsonl", tmp_path / "reviews.yaml", "--workspace", folder,
            env={**os.environ, "PLANTED_KEY": "any"},
        )  # fmt: skip
    assert calibrated.code == 0, calibrated.err
    assert "4 dialogues of" in calibrated.out
    assert "sound rejected 0 of 3; faulty found 0 of 1" in calibrated.out
    sent = interplay_process("export", "--workspace", folder, "--to", tmp_path / "out")
    assert "overruled by people" in sent.out
    assert "1 dialogues left out" in (tmp_path / "out" / "README.md").read_text()


def test_figures_follow_a_run(browser: Any, workspaces: tuple[Path, Path], tmp_path: Path) -> None:
    workspace = Workspace(Path(shutil.copytree(workspaces[1], tmp_path / "w")))
    held = workspace.shard(0).read_bytes()
    workspace.shard(0).unlink()
    workspace.viewer_file.unlink()
    with served(workspace.folder) as guard, opened(browser, guard) as found:
        assert "0 of 6 accepted" in found.page.locator("main").inner_text()
        workspace.shard(0).write_bytes(held)
        bring_up_to_date(workspace, workspace.viewer_file)
        found.page.get_by_text("6 of 6 accepted").wait_for(timeout=60_000)
        found.page.locator("#pattern").wait_for(timeout=60_000)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, workspaces: tuple[Path, Path]) -> Path:
    """A workspace of four pages of records whose every text would act if it could, one with a long result, one of many turns."""
    workspace = Workspace(tmp_path_factory.mktemp("hostile") / "<img src=x onerror=window.hit=1>")
    source = Workspace(workspaces[1])
    workspace.shard(0).parent.mkdir(parents=True)
    run = source.existing_run()
    config = run.config.model_copy(update={"records": HOSTILES, "shard_size": HOSTILES, "copies": HOSTILES})
    write_record(workspace.run_file, RunFile(**{**dict(run), "config": config}), indent=2)
    for path in (source.toolset_file, source.graph_file):
        shutil.copy(path, workspace.folder / path.name)
    model = next(record for record in read_shard(source.shard(0)) if record.trajectory and record.status == "accepted")
    write_shard(workspace.shard(0), (hostile_record(model, index) for index in range(HOSTILES)))
    bring_up_to_date(workspace, workspace.viewer_file)
    return workspace.folder


def hostile_record(model: DatasetRecord, index: int) -> DatasetRecord:
    call = ToolCall(
        id=f"call{index:05d}", name=f"find{HOSTILE}", arguments={HOSTILE: HOSTILE, "place": [{"x": HOSTILE}]}
    )
    result = HOSTILE + ("x" * LONG + HOSTILE if index == 0 else "")
    turns = [Message(role="user", content=f"{index} {HOSTILE}"), Message(role="assistant", content=HOSTILE)] * (
        MANY // 2 if index == 1 else 1
    )
    answer = Message(role="tool", content=result, tool_call_id=call.id, failed=index % 2 == 1)
    messages = (
        *turns,
        Message(role="assistant", tool_calls=(call,)),
        answer,
        Message(role="assistant", content=HOSTILE),
    )
    assert model.trajectory is not None
    trajectory = model.trajectory.model_copy(update={"messages": messages, "system_prompt": HOSTILE})
    issue = Issue.of(HOSTILE, HOSTILE, f"/messages/{HOSTILE}")
    judged = Verdict(check=HOSTILE, issues=(issue, Issue.of(HOSTILE, HOSTILE, "/messages/1")))
    parts = {
        "index": index,
        "id": digest([index]),
        "trajectory": trajectory,
        "status": "rejected",
        "stage": HOSTILE,
        "verdicts": (judged,),
    }
    return model.model_copy(
        update={**parts, "attempt": 0, "failure": Failure(fault="unclear", stage=HOSTILE, message=1, why=HOSTILE)}
    )


@pytest.fixture(scope="module")
def attacked(browser: Any, hostile: Path) -> Iterator[Opened]:
    with served(hostile) as guard, opened(browser, guard) as found:
        yield found


def test_hostile_records_stay_text(attacked: Opened) -> None:
    ids = [digest([index]) for index in range(0, HOSTILES, 20)]
    paths = [
        "/w/0",
        *(f"/w/0/records?page={number}" for number in range(1, 5)),
        "/w/0/judge?person=%3Cb%3E",
        "/w/0/tools",
    ]
    for path in [*paths, *(f"/w/0/records/{identifier}" for identifier in ids)]:
        page = attacked.go(path)
        assert page.evaluate(
            "window.hit === undefined && !document.querySelector('main img:not(.graph), main script, main svg[onload]')"
        ), path
        assert "\u202e" not in page.content()


def test_a_long_result_is_loaded_when_it_is_asked_for(attacked: Opened) -> None:
    began = time.monotonic()
    page = attacked.go(f"/w/0/records/{digest([0])}")
    assert len(page.content()) < 100_000
    page.locator("details.call summary").first.click()
    more = page.locator("details.call .more")
    for _ in range(3):
        more.click()
        page.wait_for_timeout(100)
    more.wait_for(state="detached")
    assert "\u202e" not in page.content()
    assert (
        page.locator("details.call pre").evaluate_all(
            "all => all.reduce((sum, one) => sum + one.textContent.length, 0)"
        )
        >= LONG
    )
    assert time.monotonic() - began < 10


def test_many_turns_are_read_page_by_page(attacked: Opened) -> None:
    page = attacked.go(f"/w/0/records/{digest([1])}")
    assert page.locator("article.turn").count() == 100
    page.get_by_role("link", name="later messages").click()
    assert page.locator("#m100").is_visible()
    frames = page.evaluate(
        """() => new Promise((done) => {
            const times = []; let last = performance.now();
            function step() {
                const now = performance.now(); times.push(now - last); last = now;
                scrollBy(0, 400);
                if (times.length < 30) requestAnimationFrame(step); else done(times);
            }
            requestAnimationFrame(step);
        })"""
    )
    assert (
        sorted(frames)[len(frames) // 2] < 100
    )  # milliseconds; half of them at least, on a machine that does other things


@pytest.fixture(scope="module")
def unmade(tmp_path_factory: pytest.TempPathFactory, workspaces: tuple[Path, Path]) -> Path:
    """A workspace of which nothing is made yet."""
    workspace = Workspace(tmp_path_factory.mktemp("unmade"))
    for name in ("run.json", "toolset.json"):
        shutil.copy(workspaces[1] / name, workspace.folder / name)
    bring_up_to_date(workspace, workspace.viewer_file)
    return workspace.folder


def paths_of(found: Opened) -> list[str]:
    """Return the addresses of all kinds of pages: of branches, of attempts, and of a run of which nothing is made yet."""
    records = {}
    for number in (0, 1):
        found.go(f"/w/{number}/records?status=rejected")
        records[number] = found.page.locator("#records tbody a").first.get_attribute("href").partition("?")[0]
    found.go(records[1])
    beside = found.page.locator(".attempts a", has_text="side by side").first.get_attribute("href")
    every = [
        "",
        "/records",
        "/records?words=invoice&status=accepted",
        "/records?words=zzzz",
        "/tools",
        "/judge?person=ada",
    ]
    return [
        "/",
        *(f"/w/{number}{page}" for number in (1, 2) for page in every),
        *records.values(),
        f"{records[0]}/beside/origin",
        beside,
        "/w/0/judge",
        "/compare/0/1",
        "/compare/1/2",
    ]


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (360, "light"), (360, "dark")])
def test_everybody_can_read_all_pages(
    browser: Any, workspaces: tuple[Path, Path], attempted: Path, unmade: Path, width: int, scheme: str
) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    screen = {"viewport": {"width": width, "height": 740}, "color_scheme": scheme}
    with served(workspaces[0], attempted, unmade) as guard, opened(browser, guard, **screen) as found:
        for path in paths_of(found):
            page = found.go(path)
            page.locator("body").evaluate(
                "body => body.querySelectorAll('details').forEach(one => { one.open = true })"
            )
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            assert broken_rules(page, axe) == [], path


def test_an_address_of_nothing_is_told_on_a_page(browser: Any, workspaces: tuple[Path, Path]) -> None:
    with served(*workspaces) as guard, opened(browser, guard) as found:
        for path in ("/w/0/nothing", "/w/one", "/w/7", "/w/0/records/none"):
            answer = found.page.request.get(found.root + path)
            assert answer.status == 404, path
            assert "This cannot be shown" in answer.text()


def broken_rules(page: Any, axe: str) -> list[Any]:
    """Return the rules of accessibility that a page breaks, each with some places."""
    page.evaluate(axe)
    told = page.evaluate("axe.run(document)")
    return [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in told["violations"]]
