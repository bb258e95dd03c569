"""The page at which people look at a workspace: who is let in, and what it tells of a real run."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import time
from html import unescape
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from tests.flows.command_line import INTERPLAY, copy_clinic, run_clinic
from tests.flows.commands.test_journal_commands import fill

from interplay.flows.reviewers.reviewer_calibration import labelled_records
from interplay.flows.runs.committer import RunProgress
from interplay.flows.runs.model_state import tell_others, told_to_others
from interplay.flows.runs.record_removal import remove
from interplay.flows.viewer.guard import POLICY, Guard
from interplay.flows.viewer.index_upkeep import bring_up_to_date
from interplay.flows.viewer.looked_at import LookedAt
from interplay.flows.viewer.page_server import looked_at, viewer_app
from interplay.flows.workspaces.run_files import write_record
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.corrections import explain_tools
from interplay.generators.environments.accounts.account_words import tool_notes
from interplay.generators.models.limits.budget import Spent
from interplay.generators.models.limits.limit_settings import LimitSnapshot
from interplay.outputs.report.coverage import TO_COVER, coverage
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.outputs.viewer.dialogue_turns import recorded_changes
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.review import ReviewAnswer
from interplay.schemas.records.verdict import Issue, Review, Verdict

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
PORT = 8123
ADDRESS = f"http://127.0.0.1:{PORT}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of twelve records in several shards, with its index."""
    folder = tmp_path_factory.mktemp("made")
    copy_clinic(folder)
    bring_up_to_date(Workspace(folder), Workspace(folder).viewer_file)
    return folder


@pytest.fixture
def places(made: Path) -> tuple[LookedAt, ...]:
    return looked_at([made])


@pytest.fixture
def page(places: tuple[LookedAt, ...]) -> TestClient:
    """A browser that was told the address."""
    guard = Guard(PORT)
    client = TestClient(viewer_app(places, guard), base_url=ADDRESS)
    client.get(f"/?token={guard.token}")
    return client


@pytest.mark.parametrize("path", ["/", "/w/0", "/w/0/records", "/assets/viewer.js", "/?token=wrong", "/nowhere"])
def test_nobody_is_let_in_without_the_token(places: tuple[LookedAt, ...], path: str) -> None:
    client = TestClient(viewer_app(places, Guard(PORT)), base_url=ADDRESS)
    assert client.get(path).status_code == 401


def test_the_token_is_exchanged_for_a_cookie_that_no_script_reads(places: tuple[LookedAt, ...]) -> None:
    guard = Guard(PORT)
    client = TestClient(viewer_app(places, guard), base_url=ADDRESS, follow_redirects=False)
    first = client.get(f"/w/0/records?words=x&token={guard.token}")
    assert first.headers["location"] == "/w/0/records?words=x"
    assert "httponly" in first.headers["set-cookie"].lower()
    assert "samesite=strict" in first.headers["set-cookie"].lower()
    assert client.get("/w/0").status_code == 200


def test_another_name_for_this_machine_is_refused(page: TestClient) -> None:
    assert page.get("/w/0").status_code == 200
    assert page.get("/w/0", headers={"Host": "evil.example"}).status_code == 403
    assert page.post("/w/0", headers={"Origin": "https://evil.example"}).status_code == 403


def test_every_answer_has_a_policy_without_scripts_in_pages(page: TestClient) -> None:
    for path in ("/w/0", "/w/0/records", "/assets/viewer.css", "/w/7"):
        answer = page.get(path)
        assert answer.headers["content-security-policy"] == POLICY
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|\sstyle=", answer.text)


def test_figures_and_records_are_those_of_the_store(page: TestClient, made: Path) -> None:
    with loaded_store(Workspace(made)) as store:
        held = store.query("SELECT count(*) AS n, count(*) FILTER (status = 'accepted') AS good FROM records")[0]
        turns = store.query("SELECT id FROM records ORDER BY turns DESC NULLS LAST, index, attempt LIMIT 1")[0]["id"]
    assert f"<strong>{held['good']}</strong> of 12 accepted" in page.get("/w/0").text
    listed = page.get("/w/0/records?sort=-turns").text
    assert f"<h1>{held['n']} records</h1>" in listed
    ids = re.findall(r"/w/0/records/([0-9a-f]{32})", listed)
    assert len(ids) == held["n"]
    assert turns in ids[:3]


def test_words_and_names_choose_records(page: TestClient, made: Path) -> None:
    with loaded_store(Workspace(made)) as store:
        called = {
            row["id"]
            for row in store.query(
                "SELECT DISTINCT record_id AS id FROM calls JOIN records ON id = record_id "
                "WHERE tool = 'find_patient' AND status = 'accepted'"
            )
        }
    found = page.get("/w/0/records?tool=find_patient&status=accepted").text
    assert set(re.findall(r"/w/0/records/([0-9a-f]{32})", found)) == called
    assert "Nothing fits" in page.get("/w/0/records?words=zeppelin").text
    assert page.get("/w/0/records?colour=red").status_code == 404
    assert page.get("/w/0/records?words=%22%27%29+OR+1%3D1+--").status_code == 200


def test_a_dialogue_shows_calls_sources_checks_and_the_task(page: TestClient, made: Path) -> None:
    with loaded_store(Workspace(made)) as store:
        chosen = store.query("SELECT id FROM records WHERE status = 'accepted' ORDER BY calls DESC, index LIMIT 1")[0]
        record = store.record(chosen["id"])
    shown = page.get(f"/w/0/records/{record.id}").text
    assert record.trajectory is not None
    for message in record.trajectory.messages:
        assert f'id="m{message_place(record.trajectory.messages, message)}"' in shown
    assert "comes from" in shown
    assert re.search(r"the result of \w+, at /|the user tells it", shown)
    assert all(verdict.check in shown for verdict in record.verdicts)


def test_a_result_stands_in_its_call_alone_with_what_it_offers_and_what_is_held_against_it(
    made: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(made, tmp_path / "w")
    path = Workspace(folder).shard(0)
    records = list(read_shard(path))
    record = records[0]
    assert record.trajectory is not None
    place = next(place for place, message in enumerate(record.trajectory.messages) if message.role == "tool")
    messages = list(record.trajectory.messages)
    messages[place] = messages[place].model_copy(update={"content": "Found: one.", "offered": ("brought",)})
    issue = Issue.of("odd_result", "Nobody asked for that.", f"/messages/{place}")
    changed = {
        "trajectory": record.trajectory.model_copy(update={"messages": tuple(messages)}),
        "verdicts": (Verdict(check="structure", issues=(issue,)),),
    }
    records[0] = record.model_copy(update=changed)
    write_shard(path, records)
    shown = opened(folder).get(f"/w/0/records/{record.id}").text
    for told in (f'id="m{place}"', "Found: one.", "+brought", "odd_result: Nobody asked for that.</p>"):
        assert shown.count(told) == 1, told


def test_who_judges_a_branch_is_not_told_where_it_begins(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made, tmp_path / "w")
    path = Workspace(folder).shard(0)
    records = [
        record.model_copy(update={"trajectory": record.trajectory.model_copy(update={"kept": 3})})
        if record.trajectory
        else record
        for record in read_shard(path)
    ]
    write_shard(path, records)
    client = opened(folder)
    assert "was there before" in client.get(f"/w/0/records/{records[0].id}").text
    for record in records:
        assert "was there before" not in client.get(f"/w/0/judge?person=ada&identifier={record.id}").text


def message_place(messages: tuple[object, ...], message: object) -> int:
    return next(place for place, other in enumerate(messages) if other is message)


def test_an_index_follows_the_shards(made: Path, tmp_path: Path) -> None:
    workspace = Workspace(Path(shutil.copytree(made, tmp_path / "w")))
    last = list(workspace.finished_shards())[-1]
    held = last.read_bytes()
    last.unlink()
    index = tmp_path / "index.sqlite"
    (place,) = (LookedAt(0, workspace, index),)
    bring_up_to_date(workspace, index)
    before = place.progress()["tried"]
    last.write_bytes(held)
    assert bring_up_to_date(workspace, index) == 1
    assert place.progress()["tried"] > before
    assert bring_up_to_date(workspace, index) == 0
    index.write_bytes(b"no database at all" * 1000)
    assert bring_up_to_date(workspace, index) == sum(1 for _ in workspace.finished_shards())


def test_a_folder_without_a_run_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no run"):
        looked_at([tmp_path])


def test_what_each_call_changed_is_seen_by_making_it_again(page: TestClient, made: Path) -> None:
    with loaded_store(Workspace(made)) as store:
        rows = store.query("SELECT id FROM records WHERE status = 'accepted' ORDER BY index")
        records = [store.record(row["id"]) for row in rows]
    written = next(record for record in records if record.blueprint and record.blueprint.expected.difference)
    shown = page.get(f"/w/0/records/{written.id}/changes").text
    assert written.blueprint is not None
    assert all(change.path in unescape(shown) for change in written.blueprint.expected.difference)
    assert "another one now" not in shown
    idle = next(record for record in records if record.blueprint and not record.blueprint.expected.difference)
    assert "<ins" not in page.get(f"/w/0/records/{idle.id}/changes").text


def test_where_calls_cannot_be_made_again_the_record_tells_what_they_changed(made: Path) -> None:
    records = [record for path in Workspace(made).finished_shards() for record in read_shard(path)]
    writes = looked_at([made])[0].writes
    for record in records:
        if record.blueprint is None or record.trajectory is None or record.status != "accepted":
            continue
        calls = [call for _, call, _ in record.trajectory.calls_with_results()]
        found = recorded_changes(record, writes)
        assert (
            [change for changes in found.values() for change in changes]
            and all(calls[number].name in writes for number in found)
        ) or not record.blueprint.expected.difference
        told = {change.path for changes in found.values() for change in changes}
        assert told <= {
            change.path for change in record.blueprint.expected.difference
        }  # a result may not show all of it


def test_tools_edges_and_rules_lead_to_their_records(page: TestClient, made: Path) -> None:
    shown = page.get("/w/0/tools").text
    toolset = Workspace(made).toolset()
    assert all(f"<code>{tool.name}</code>" in shown for tool in toolset.tools)
    assert all(rule.id in shown for rule in toolset.rules)
    assert "The verb &#39;register&#39; and the table of &#39;patient&#39;" in shown
    edge = re.search(r"/w/0/records\?edge=[^\"]+", shown)
    assert edge is not None
    assert "Nothing fits" not in page.get(unescape(edge[0])).text


def test_tools_of_code_tell_why_without_being_opened(tmp_path: Path) -> None:
    for spec in ("python:tests.flows.support:Support", f"openapi:{EXAMPLES / 'shop.yaml'}"):
        workspace = Workspace(tmp_path / spec.partition(":")[0])
        run_clinic(workspace.folder, records=2, toolset=(spec,))
        bring_up_to_date(workspace, workspace.viewer_file)
        run = workspace.existing_run()
        gone = run.config.model_copy(update={"toolset": ("python:nothing.there",)})
        write_record(workspace.run_file, run.model_copy(update={"config": gone}), indent=2)
        shown = unescape(opened(workspace.folder).get("/w/0/tools").text)
        (account,) = asyncio.run(explain_tools([spec], run=False))
        assert account.resources
        picture = opened(workspace.folder).get("/w/0/graph.svg").text
        assert all(f">{item.name}<" in picture for item in account.resources) or ">without any edge<" in picture
        assert all(item.because[pointer] for item in account.resources for pointer in item.references)
        for item in account.resources:
            assert f"{item.identity} ({item.because[str(item.identity)]})" in shown
            for tool in item.tools:
                assert "; ".join([tool.why.rstrip("."), *tool_notes(tool)]) in shown


def test_a_run_that_did_not_note_why_says_what_tells_it(made: Path, tmp_path: Path) -> None:
    workspace = Workspace(Path(shutil.copytree(made, tmp_path / "w")))
    workspace.accounts_file.unlink()
    shown = opened(workspace.folder).get("/w/0/tools").text
    assert "did not note why" in shown
    assert "<code>register_patient</code>" in shown


def test_two_runs_are_compared(made: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    run_clinic(other, records=4, seed=9)
    bring_up_to_date(Workspace(other), Workspace(other).viewer_file)
    guard = Guard(PORT)
    client = TestClient(viewer_app(looked_at([made, other]), guard), base_url=ADDRESS)
    client.get(f"/?token={guard.token}")
    shown = client.get("/compare/0/1").text
    assert f"Only in {made}" in shown
    assert re.search(r"/seed</th><td>0</td><td>9</td>", shown)
    example = re.search(r'<small><a href="(/w/[01]/records/[0-9a-f]+)"', shown)
    assert example is not None
    assert client.get(example[1]).status_code == 200
    only = re.search(r"/w/0/records\?tool=[^\"]+", shown)
    assert only is not None
    assert "Nothing fits" not in client.get(unescape(only[0])).text
    assert client.get("/compare/0/7").status_code == 404


@pytest.fixture
def judged(made: Path, tmp_path: Path) -> tuple[TestClient, Workspace]:
    workspace = Workspace(Path(shutil.copytree(made, tmp_path / "judged")))
    bring_up_to_date(workspace, workspace.viewer_file)
    guard = Guard(PORT)
    client = TestClient(viewer_app(looked_at([workspace.folder]), guard), base_url=ADDRESS, headers={"Origin": ADDRESS})
    client.get(f"/?token={guard.token}")
    return client, workspace


def test_people_judge_without_knowing_what_became_of_a_record(judged: tuple[TestClient, Workspace]) -> None:
    client, workspace = judged
    shown = client.get("/w/0/judge?person=ada").text
    assert "rejected</span>" not in shown
    assert "inform_intent" not in shown
    identifier = re.search(r'name="id" value="([0-9a-f]+)"', shown)
    assert identifier is not None
    said = {"person": "ada", "id": identifier[1], "sound": "no", "kind": "false_claim", "message": "1", "note": "é <b>"}
    assert "1 of" in client.post("/w/0/judge", data={**said, "naturalness": "4"}).text
    (label,) = workspace.labels()
    assert (label.person, label.sound, label.kind, label.message, label.note) == (
        "ada",
        False,
        "false_claim",
        1,
        "é <b>",
    )
    assert label.scores == {"naturalness": 4}
    assert [found.kind for _, found in labelled_records(workspace, workspace.labels())] == ["false_claim"]
    client.post("/w/0/judge", data={"person": "ben", "id": identifier[1], "sound": "yes"})
    assert "all checks" in client.get("/w/0/judge").text
    back = client.post("/w/0/judge", data={"person": "ada", "undo": "1"}).text
    assert identifier[1] in back
    assert [label.person for label in workspace.labels()] == ["ben"]


def test_what_cannot_be_said_is_refused(judged: tuple[TestClient, Workspace]) -> None:
    client, workspace = judged
    identifier = re.search(r'name="id" value="([0-9a-f]+)"', client.get("/w/0/judge?person=ada").text)
    assert identifier is not None
    good = {"person": "ada", "id": identifier[1], "sound": "no"}
    for change in (
        {"person": ""},
        {"sound": "perhaps"},
        {"kind": "ugly"},
        {"message": "-1"},
        {"id": "0" * 32},
        {"note": "x" * 60_000},
    ):
        assert client.post("/w/0/judge", data={**good, **change}).status_code == 404
    assert client.post("/w/0/judge", data=good, headers={"Origin": "http://evil.example"}).status_code == 403
    assert not workspace.labels_file.exists()


def test_nothing_is_written_where_it_is_read_only(made: Path, tmp_path: Path) -> None:
    workspace = Workspace(Path(shutil.copytree(made, tmp_path / "w")))
    workspace.viewer_file.unlink()
    before = sorted(path.name for path in workspace.folder.iterdir())
    places = looked_at([workspace.folder], tmp_path / "scratch")
    bring_up_to_date(workspace, places[0].index)
    guard = Guard(PORT)
    client = TestClient(viewer_app(places, guard, read_only=True), base_url=ADDRESS, headers={"Origin": ADDRESS})
    client.get(f"/?token={guard.token}")
    identifier = re.search(r'name="id" value="([0-9a-f]+)"', client.get("/w/0/judge?person=ada").text)
    assert identifier is not None
    assert client.post("/w/0/judge", data={"person": "ada", "id": identifier[1], "sound": "yes"}).status_code == 404
    assert sorted(path.name for path in workspace.folder.iterdir()) == before


def test_two_dialogues_stand_side_by_side_with_where_they_part(page: TestClient) -> None:
    one, other = re.findall(r"/w/0/records/([0-9a-f]{32})", page.get("/w/0/records?status=accepted").text)[:2]
    assert "Here they part" in page.get(f"/w/0/records/{one}/beside/{other}").text
    assert "Nothing differs" in page.get(f"/w/0/records/{one}/beside/{one}").text


def test_the_command_prints_an_address_serves_and_ends_when_it_is_told_to(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made, tmp_path / "w")
    Workspace(folder).viewer_file.unlink()
    command = [INTERPLAY, "view", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        address = serving.stdout.readline().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        with httpx.Client(follow_redirects=True, timeout=30) as client:
            assert client.get(address.partition("?")[0]).status_code == 401
            client.get(address)
            for _ in range(100):
                told = client.get(f"{address.partition('/?')[0]}/w/0").text
                if "of 12 accepted" in told and "not in these figures yet" not in told:
                    break
                time.sleep(0.1)
            assert "<strong>12</strong> of 12 accepted" in told
        serving.send_signal(signal.SIGINT)
        assert serving.wait(20) == 0
        assert serving.stderr.read() == ""


def opened(*folders: Path) -> TestClient:
    """Return a browser that was told the address of some workspaces, whose indices are brought up to date."""
    for folder in folders:
        bring_up_to_date(Workspace(folder), Workspace(folder).viewer_file)
    guard = Guard(PORT)
    client = TestClient(viewer_app(looked_at(folders), guard), base_url=ADDRESS, headers={"Origin": ADDRESS})
    client.get(f"/?token={guard.token}")
    return client


def test_what_models_cost_is_told_by_role(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made, tmp_path / "w")
    client = opened(folder)
    assert "No model was asked" in client.get("/w/0/models").text
    fill(folder)
    told = re.sub(r"<[^>]+>|\s+", " ", client.get("/w/0/models").text)
    assert re.search(r"assistant\s+a \(1\) m\s+1\s+7\s+0\s+2\s+unknown", told)


def test_limits_and_what_waits_are_told_while_a_run_goes_on(made: Path, tmp_path: Path) -> None:
    workspace = Workspace(Path(shutil.copytree(made, tmp_path / "w")))
    client = opened(workspace.folder)
    limits = LimitSnapshot(
        name="big", in_flight=3, limit=8, waiting=41, waiting_on_rate_limit=5, rate=2.5, paused=True,
        pause_reason="asked to wait", requests=1234, answers=1200, prompt_tokens=1, completion_tokens=1, errors={"429": 7},
    )  # fmt: skip
    progress = RunProgress(12, models=(limits,), spent=Spent(calls=3, tokens=5000, dollars=0.25))
    workspace.lock_file.write_text(str(os.getpid()))
    with told_to_others(workspace):
        tell_others(workspace, progress, os.getpid())
        told = " ".join(re.sub(r"<[^>]+>", " ", client.get("/w/0/models").text).split())
        assert "5,000 tokens, $0.25" in told
        assert "big 3 8 41 5 2.5 a second 1,234 1,200 7 429 paused: asked to wait" in told
        tell_others(workspace, progress, 1)  # left behind by another process
        assert "asked to wait" not in client.get("/w/0/models").text
    assert not workspace.models_file.exists()


def test_the_overview_draws_what_is_accepted_and_tells_what_is_not_covered(page: TestClient) -> None:
    shown = page.get("/w/0").text
    assert shown.count('class="picture"') >= 5
    links = [
        unescape(found) for found in re.findall(r'<a href="(/w/0/records\?status=accepted[^"]+turns_from[^"]+)"', shown)
    ]
    heads = [re.search(r"<h1>(\d+) records", page.get(link).text) for link in links]
    met = re.search(r'<a href="(/w/0/records\?[^"]+pattern=[^"]+tool=[^"]+)" aria-label="[^"]+: (\d+)"', shown)
    assert met is not None
    assert f"<h1>{met[2]} records" in page.get(unescape(met[1])).text
    assert sum(int(head[1]) for head in heads if head is not None) == 12
    assert page.get("/w/0/graph.svg").text.startswith("<svg")


def test_what_is_covered_is_what_the_store_tells(page: TestClient, made: Path) -> None:
    with loaded_store(Workspace(made)) as store:
        found = coverage(store, Workspace(made).existing_run().run)
    told = [int(count) for count in re.findall(r"</th><td class=\"count\">(\d+) of \d+", page.get("/w/0").text)]
    totals = [int(count) for count in re.findall(r"</th><td class=\"count\">\d+ of (\d+)", page.get("/w/0").text)]
    kinds = [kind for kind in TO_COVER if found[kind]["total"]]
    assert told == [found[kind]["covered"] for kind in kinds]
    assert totals == [found[kind]["total"] for kind in kinds]


def test_what_reviewers_hold_against_a_message_stands_at_it_and_is_compared_with_people(
    made: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(made, tmp_path / "w")
    path = Workspace(folder).shard(0)
    records = list(read_shard(path))
    place = next(place for place, record in enumerate(records) if record.trajectory and record.status == "accepted")
    answer = ReviewAnswer(item="deeds", answer="no", message=1, quote="May I <b>", reason="Never done.")
    verdict = Verdict(check="review", reviews=(Review(reviewer="strict", answers=(answer,)),))
    records[place] = records[place].model_copy(update={"verdicts": (*records[place].verdicts, verdict)})
    write_shard(path, records)
    client = opened(folder)
    shown = client.get(f"/w/0/records/{records[place].id}").text
    turn = shown[shown.index('id="m1"') : shown.index('id="m2"')]
    assert "<strong>strict</strong> deeds: Never done. <q>May I &lt;b&gt;</q>" in turn
    client.post("/w/0/judge", data={"person": "ada", "id": records[place].id, "sound": "yes"})
    judged = re.sub(r"<[^>]+>|\s+", " ", client.get("/w/0/judge").text)
    assert re.search(r"ada\s+reviewer strict\s+1\s", judged)


def test_what_was_withdrawn_is_in_no_index(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made, tmp_path / "w")
    workspace = Workspace(folder)
    client = opened(folder)
    rows = re.findall(r"/w/0/records/([0-9a-f]{32})[^>]*>([^<]+)", client.get("/w/0/records?status=accepted").text)
    identifier, said = rows[0]
    assert said.split()[-1].encode() in workspace.viewer_file.read_bytes()
    remove(workspace, identifier, "asked for")
    assert not workspace.viewer_file.exists()
    bring_up_to_date(workspace, workspace.viewer_file)
    assert said not in client.get("/w/0/records").text
