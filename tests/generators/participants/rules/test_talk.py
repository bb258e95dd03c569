"""What both sides say beside what a task needs: reasons, what can be done again, what one can help with."""

import json
from pathlib import Path

from tests.generators.worlds import generator, records, shared_spec

from interplay.generators.participants.wording.voice import load_grammar
from interplay.schemas.json.fields import is_number
from interplay.schemas.records.verdict import DatasetRecord
from interplay.schemas.words.mentions import mentions


def _said(record: DatasetRecord, role: str) -> list[str]:
    assert record.trajectory is not None
    return [message.content for message in record.trajectory.messages if message.role == role and message.content]


def test_users_say_now_and_then_why_they_want_something() -> None:
    made = records("domain:clinic", 40)
    said = [text for record in made for text in _said(record, "user")]
    reasons = [reason for key, own in load_grammar()["user"].items() if key.startswith("reason_") for reason in own]
    reasons += [reason for tool in generator("domain:clinic").world.toolset.tools for reason in tool.phrases.reasons]
    found = [text for text in said if any(reason in text for reason in reasons)]
    assert 3 < len(found) < len(said) / 3


def test_a_total_that_a_task_has_changed_is_told_anew() -> None:
    told = 0
    for record in records("domain:rental", 60):
        for change in record.blueprint.expected.difference if record.status == "accepted" and record.blueprint else ():
            if change.path.endswith("/total") and is_number(change.before) and is_number(change.after):
                told += 1
                assert any(mentions(text, change.after, name="total") for text in _said(record, "assistant")), (
                    record.index
                )
    assert told >= 2


def test_what_cannot_be_done_yet_is_said_to_be_possible_once_it_is() -> None:
    made = records(shared_spec("museum.yaml"), 60, recipes={"tool_changes": 1.0})
    early = [record for record in made if record.blueprint and record.blueprint.scenario.early is not None]
    assert len(early) > 3
    back = load_grammar()["assistant"]["tool_back"]
    for record in early:
        assert any(text.startswith(tuple(back)) for text in _said(record, "assistant"))


def test_who_wants_what_nobody_serves_hears_what_can_be_done_here() -> None:
    made = records("domain:clinic", 60, recipes={"patterns": {"no_call": 1.0}})
    assert any("appointments" in text for record in made for text in _said(record, "assistant"))


def test_a_report_has_one_pair_of_brackets() -> None:
    made = [record for record in records(shared_spec("train_travel.yaml"), 60) if record.trajectory is not None]
    said = [text for record in made for text in _said(record, "assistant")]
    assert any(text.count("(") == 1 for text in said)
    assert not any(") (" in text for text in said)


def test_what_was_made_for_the_user_is_told(tmp_path: Path) -> None:
    code = {
        "type": "object",
        "properties": {"code": {"type": "string", "pattern": "^[A-Z0-9]{20}$"}},
        "required": ["code"],
    }
    tool = {"name": "generate_code", "description": "Generate a recovery code.", "input_schema": {}, "returns": code}
    path = tmp_path / "codes.json"
    path.write_text(json.dumps([tool]))
    told = 0
    for record in records(f"json:{path}", 12, recipes={"sense": 0.0, "patterns": {"single": 1.0}}):
        for _, call, result in record.trajectory.calls_with_results() if record.trajectory else ():
            if call.name == "generate_code" and result is not None and not result.failed:
                told += 1
                assert any(json.loads(result.content)["code"] in said for said in _said(record, "assistant"))
    assert told


def test_a_code_to_note_down_is_told_with_what_it_was_made_for() -> None:
    told = []
    for record in records(shared_spec("museum.yaml"), 60, recipes={"faults": 0.0}):
        calls = record.trajectory.calls_with_results() if record.trajectory else ()
        for result in (each for _, call, each in calls if call.name == "buyMuseumTickets"):
            code = json.loads(result.content)["confirmationCode"] if result is not None and not result.failed else ""
            told += [any(code in said for said in _said(record, "assistant"))] if code else []
    assert len(told) > 3
    assert all(told)


def test_what_an_act_has_turned_is_told(tmp_path: Path) -> None:
    text, flag = {"type": "string"}, {"type": "boolean"}
    offer = {"type": "object", "properties": {"id": text, "title": text, "is_active": flag}, "required": ["id", "title", "is_active"]}  # fmt: skip
    answer = {"responses": {"200": {"description": "", "content": {"application/json": {"schema": offer}}}}}
    listed = {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": offer}}}}}}  # fmt: skip
    place = {"name": "offerId", "in": "path", "required": True, "schema": text}
    paths = {
        "/offers": {"get": {"operationId": "listOffers", **listed}},
        "/offers/{offerId}/toggle": {"patch": {"operationId": "toggleOffer", "parameters": [place], **answer}},
    }
    path = tmp_path / "offers.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Offers", "version": "1"}, "paths": paths}))
    told = set()
    for record in records(f"openapi:{path}", 60, recipes={"faults": 0.0}):
        results = [call[2] for call in record.trajectory.calls_with_results() if call[1].name == "toggleOffer"] if record.trajectory else []  # fmt: skip
        if len(results) == 1 and results[0] is not None:
            is_active = json.loads(results[0].content)["is_active"]
            now = "It is active." if is_active else "It is not active."
            told |= {is_active for said in _said(record, "assistant") if now in said}
    assert told == {True, False}


def test_codes_are_said_by_what_they_stand_for(tmp_path: Path) -> None:
    day = {"type": "integer", "minimum": 0, "maximum": 2, "description": "Day, 0 = Monday, 1 = Friday, 2 = Sunday."}
    tool = {
        "name": "add_shift",
        "description": "Add a shift.",
        "input_schema": {"type": "object", "properties": {"day": day}, "required": ["day"]},
    }
    path = tmp_path / "shifts.json"
    path.write_text(json.dumps([tool]))
    told = 0
    for record in records(f"json:{path}", 12, recipes={"sense": 0.0, "patterns": {"single": 1.0}}):
        assert record.status == "accepted"
        for _, call, _ in record.trajectory.calls_with_results() if record.trajectory else ():
            spoken = ("Monday", "Friday", "Sunday")[call.arguments.get("day", 0)]
            told += any(spoken in said for said in _said(record, "user"))
    assert told > 3


def test_what_was_named_by_its_number_alone_is_called_by_its_name_once_that_is_known(tmp_path: Path) -> None:
    student = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    shown = {"responses": {"200": {"description": "", "content": {"application/json": {"schema": student}}}}}
    place = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    both = {"get": "getStudent", "delete": "deleteStudent"}
    paths = {"/students/{id}": {method: {"operationId": name, "parameters": [place], **shown} for method, name in both.items()}}  # fmt: skip
    path = tmp_path / "students.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "School", "version": "1"}, "paths": paths}))
    told = 0
    for record in records(f"openapi:{path}", 20, recipes={"faults": 0.0}):
        made = record.trajectory.calls_with_results() if record.trajectory else []
        deleted = [result for _, call, result in made if call.name == "deleteStudent" and result is not None]
        for result in deleted:
            name = json.loads(result.content).get("name")
            told += name is not None and any(f"the student {name}" in said for said in _said(record, "assistant"))
    assert told


def test_what_a_short_answer_holds_is_told(tmp_path: Path) -> None:
    text, whole = {"type": "string"}, {"type": "integer"}
    body = {"required": True, "content": {"application/json": {"schema": {"type": "object", "properties": {"slot": whole}, "required": ["slot"]}}}}  # fmt: skip
    bill = {"type": "object", "properties": {"bill": whole, "plate": text}, "required": ["bill", "plate"]}
    answer = {"200": {"description": "", "content": {"application/json": {"schema": bill}}}}
    path = tmp_path / "garage.json"
    checkout = {"post": {"operationId": "checkOut", "summary": "Check out", "requestBody": body, "responses": answer}}
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Garage", "version": "1"}, "paths": {"/checkout": checkout}}))  # fmt: skip
    told = 0
    for record in records(f"openapi:{path}", 12, recipes={"faults": 0.0, "sense": 0.0}):
        for _, call, result in record.trajectory.calls_with_results() if record.trajectory else ():
            if call.name == "checkOut" and result is not None and not result.failed:
                told += 1
                bill_of = str(json.loads(result.content)["bill"])
                assert any(bill_of in said for said in _said(record, "assistant"))
    assert told


def test_what_a_report_names_is_not_told_again(tmp_path: Path) -> None:
    text, flag = {"type": "string"}, {"type": "boolean"}
    code = {"type": "string", "pattern": "^[A-Z]{3}$"}
    currency = {"type": "object", "properties": {"id": text, "code": code, "name": text, "enabled": flag}, "required": ["id", "code", "name", "enabled"]}  # fmt: skip
    answer = {"responses": {"200": {"description": "", "content": {"application/json": {"schema": currency}}}}}
    listed = {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": currency}}}}}}  # fmt: skip
    place = {"name": "code", "in": "path", "required": True, "schema": text}
    paths = {
        "/currencies": {"get": {"operationId": "listCurrencies", **listed}},
        "/currencies/{code}": {"get": {"operationId": "getCurrency", "parameters": [place], **answer}},
        "/currencies/{code}/enable": {"post": {"operationId": "enableCurrency", "parameters": [place], **answer}},
    }
    path = tmp_path / "currencies.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": paths}))
    made = [record for record in records(f"openapi:{path}", 20) if record.trajectory is not None]
    said = [text for record in made for text in _said(record, "assistant")]
    assert any("enabled the currency" in text for text in said)
    assert not any("enabled the currency" in text and "The name is" in text for text in said)


def test_who_chooses_from_a_page_hears_how_many_there_are(tmp_path: Path) -> None:
    text, whole = {"type": "string"}, {"type": "integer"}
    room = {"type": "object", "properties": {"id": text, "name": text}, "required": ["id", "name"]}
    page = {"type": "object", "properties": {"total": whole, "items": {"type": "array", "items": room}}, "required": ["total", "items"]}  # fmt: skip
    limit = {"name": "limit", "in": "query", "schema": {**whole, "default": 4}}
    place = {"name": "roomId", "in": "path", "required": True, "schema": text}
    paths = {
        "/rooms": {"get": {"operationId": "listRooms", "parameters": [limit], "responses": {"200": {"description": "", "content": {"application/json": {"schema": page}}}}}},
        "/rooms/{roomId}": {"delete": {"operationId": "deleteRoom", "parameters": [place], "responses": {"204": {"description": ""}}}},
    }  # fmt: skip
    path = tmp_path / "rooms.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Rooms", "version": "1"}, "paths": paths}))
    seen = 0
    for record in records(f"openapi:{path}", 60, recipes={"named": 0.0, "described": 0.0, "faults": 0.0}):
        listed = [
            json.loads(result.content)
            for _, call, result in (record.trajectory.calls_with_results() if record.trajectory else ())
            if call.name == "listRooms" and result is not None
        ]
        offers = [text for text in _said(record, "assistant") if listed and listed[0]["items"][0]["name"] in text and "?" in text]  # fmt: skip
        if listed and listed[0]["total"] > len(listed[0]["items"]) and offers:
            seen += 1
            assert str(listed[0]["total"]) in offers[0]
    assert seen


def test_a_status_that_a_list_has_shown_is_not_told_again() -> None:
    made = records("domain:workspace", 80, recipes={"patterns": {"sequential": 1.0}, "evolved": 0})
    added = 0
    for record in made:
        calls = record.trajectory.calls() if record.trajectory is not None else ()
        if any(call.name == "add_attendee" for call in calls):
            added += 1
            assert not any("The status is planned" in text for text in _said(record, "assistant"))
    assert added


def test_lists_of_several_things_are_told_by_whose_they_are() -> None:
    made = records("domain:clinic", 120, recipes={"patterns": {"multi_goal": 1.0}, "evolved": 0, "faults": 0})
    said = [text for record in made for text in _said(record, "assistant") if "free appointments" in text]
    assert any("or the doctor Dr. " in text for text in said)


def test_nobody_is_shown_a_question() -> None:
    said = [text for record in records("domain:clinic", 120) for text in _said(record, "user")]
    assert any("who works at the clinic" in text for text in said)
    assert not any("the who" in text for text in said)
