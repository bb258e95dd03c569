"""Keys in parentheses: `/Invoices('{No}')`, keys of several fields, and actions below them."""

from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.inference.roles.segments import key_names, path_segments
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.importers.openapi.importer import import_openapi

pytestmark = pytest.mark.anyio

INVOICING = import_openapi(Path(__file__).parent / "invoicing_odata.yaml").toolset
INVOICE = "Invoices_Invoice_"
LINE = "InvoiceLines_InvoiceLine_"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("/v1/ProductsApi/{id}", ["Products", "{id}"]),
        ("/Invoices('{No}')", ["Invoices", "{No}"]),
        ("/Companies({id})/Invoices({No})", ["Companies", "{id}", "Invoices", "{No}"]),
        ("/Items(Key1='{a}',Key2={b})", ["Items", "{a}", "{b}"]),
        ("/Invoices('{No}')/Sales.Ledger.Post", ["Invoices", "{No}", "Post"]),
        ("/Invoices('{No}')/Sales.Overdue(days={days})", ["Invoices", "{No}", "Overdue"]),
        ("/Invoices('{No}')/Recalculate()", ["Invoices", "{No}", "Recalculate"]),
        ("/users/{user-id}/graph.assignLicense", ["users", "{user-id}", "assignLicense"]),
        ("/orders/{id}/label.pdf.json", ["orders", "{id}", "label.pdf"]),
        ("/orders/{id}/label.pdf", ["orders", "{id}", "label.pdf"]),
        ("/orders/{id}:cancel", ["orders", "{id}", "cancel"]),
    ],
)
def test_a_path_is_split_into_literals_and_keys(path: str, segments: list[str]) -> None:
    assert path_segments(path) == segments


def test_a_key_names_its_fields() -> None:
    assert key_names("/Items(Key1='{a}',Key2={b})/Parts(No=%27{c}%27)") == {"a": "Key1", "b": "Key2", "c": "No"}
    assert key_names("/Invoices('{No}')") == {}


def test_a_key_identifies_the_rows_of_its_set() -> None:
    plan = infer_plan(INVOICING)
    found = {name: (item.identity, item.parent) for name, item in plan.resources.items()}
    assert found == {
        "company": ("Id", None),
        "contact": ("ContactNo", "company"),
        "invoice": ("No", None),
        "invoice_line": ("LineNo", "invoice"),
    }
    assert plan.resources["invoice_line"].references == {"/InvoiceNo": "invoice"}
    assert plan.tools["Invoices_CreateLines"].resource == "invoice_line"
    assert plan.tools[f"{INVOICE}Post"].operation == "action"


async def test_a_row_lives_and_dies_by_its_key() -> None:
    opened = Sandbox(INVOICING)
    company = next(iter(opened.state()["company"]))
    made = await call(opened, f"{INVOICE}CreateInvoice", CompanyId=company, Description="Roof repair")
    key = made.value["No"]
    assert made.value["Status"] == "Draft"
    assert (await call(opened, f"{INVOICE}GetInvoice", No=key)).value == made.value
    changed = await call(opened, f"{INVOICE}UpdateInvoice", No=key, Description="New roof")
    assert changed.value == {**made.value, "Description": "New roof"}
    listed = (await call(opened, f"{INVOICE}ListInvoice")).value["value"]
    assert changed.value in listed
    assert (await call(opened, f"{INVOICE}Post", No=key)).value["Status"] == "Posted"
    assert (await call(opened, f"{INVOICE}Ledgerline_Cancel", No=key, Reason="Twice")).error is None
    assert (await call(opened, f"{INVOICE}GetInvoice", No=key)).value["Status"] == "Cancelled"
    assert (await call(opened, f"{INVOICE}DeleteInvoice", No=key)).error is None
    gone = await call(opened, f"{INVOICE}GetInvoice", No=key)
    assert str(gone.error).startswith("404")


async def test_a_key_of_two_fields_must_agree_in_both() -> None:
    opened = Sandbox(INVOICING)
    first, second = list(opened.state()["invoice"])[:2]
    line = (await call(opened, "Invoices_CreateLines", No=first, Description="Tiles", Quantity=3)).value
    assert line["InvoiceNo"] == first
    assert line in (await call(opened, "Invoices_ListLines", No=first)).value["value"]
    assert (await call(opened, f"{LINE}GetInvoiceLine", InvoiceNo=first, LineNo=line["LineNo"])).value == line
    wrong = await call(opened, f"{LINE}GetInvoiceLine", InvoiceNo=second, LineNo=line["LineNo"])
    assert str(wrong.error).startswith("404")


async def test_a_key_field_that_names_no_resource_is_a_field_of_the_row() -> None:
    item: dict[str, Any] = {"type": "object", "properties": {"Site": TEXT, "Code": TEXT, "Title": TEXT}}
    read = operation("getItem", "GET", "/Items(Site='{Site}',Code='{Code}')", item).model_copy(
        update={
            "parameters": {"type": "object", "properties": {"Site": TEXT, "Code": TEXT}, "required": ["Site", "Code"]}
        }
    )
    assert read.http is not None
    read = read.model_copy(
        update={"http": read.http.model_copy(update={"locations": {"Site": "path", "Code": "path"}})}
    )
    opened = sandbox(read, operation("listItems", "GET", "/Items", {"type": "array", "items": item}))
    assert set(opened.state()) == {"item"}
    key, held = next(iter(opened.state()["item"].items()))
    assert (await call(opened, "getItem", Site=held["Site"], Code=key)).value == held
    assert str((await call(opened, "getItem", Site="elsewhere", Code=key)).error).startswith("404")


async def test_actions_of_plain_paths_may_be_qualified() -> None:
    person = row(name=TEXT, status={"type": "string", "enum": ["active", "suspended"]})
    opened = sandbox(
        operation("getUser", "GET", "/users/{id}", person),
        operation("suspendUser", "POST", "/users/{id}/graph.suspend", None),
    )
    key = next(iter(opened.state()["user"]))
    await call(opened, "suspendUser", id=key)
    assert (await call(opened, "getUser", id=key)).value["status"] == "suspended"
