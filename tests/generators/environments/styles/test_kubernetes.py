"""Rows whose identity stands in an object: `metadata.name`, as Kubernetes and what is built like it have it."""

from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, sandbox

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.identities import best_identity
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.overrides.override_file import load_overrides
from interplay.generators.environments.overrides.plan_overrides import revised_plan
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.errors import ConfigError

pytestmark = pytest.mark.anyio

CLUSTER = import_openapi(Path(__file__).parent / "cluster.yaml").toolset


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def holder(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def test_the_identity_and_what_it_lies_in_stand_in_the_metadata() -> None:
    plan = infer_plan(CLUSTER)
    assert {name: (item.identity, item.parent) for name, item in plan.resources.items()} == {
        "namespace": ("metadata.name", None),
        "pod": ("metadata.name", "namespace"),
        "deployment": ("metadata.name", "namespace"),
    }
    assert plan.resources["pod"].references == {"/metadata/namespace": "namespace"}
    yields = {role.tool: role.yields for role in resource_model(plan).roles}
    assert yields["listCoreV1NamespacedPod"] == {
        "/items/*/metadata/name": "pod",
        "/items/*/metadata/namespace": "namespace",
    }
    assert yields["deleteCoreV1CollectionNamespacedPod"] == {}


async def test_a_row_lives_and_dies_by_its_name_within_its_namespace() -> None:
    opened = Sandbox(CLUSTER)
    first, second = list(opened.state()["namespace"])[:2]
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "app"}]}}
    made = (await call(opened, "createCoreV1NamespacedPod", namespace=first, **body)).value
    assert (made["kind"], made["metadata"]["name"], made["metadata"]["namespace"]) == ("Pod", "web", first)
    assert (await call(opened, "readCoreV1NamespacedPod", namespace=first, name="web")).value == made
    assert (await call(opened, "readCoreV1NamespacedPodStatus", namespace=first, name="web")).value == made
    assert str((await call(opened, "readCoreV1NamespacedPod", namespace=second, name="web")).error).startswith("404")
    again = await call(opened, "createCoreV1NamespacedPod", namespace=first, **body)
    assert str(again.error).startswith("409")
    other = (await call(opened, "createCoreV1NamespacedPod", namespace=second, **body)).value
    assert other["metadata"]["namespace"] == second
    listed = (await call(opened, "listCoreV1NamespacedPod", namespace=first)).value
    assert (listed["kind"], listed["apiVersion"]) == ("PodList", "v1")
    assert made in listed["items"]
    assert other not in listed["items"]
    renamed = {**body, "spec": {"containers": [{"name": "proxy"}]}}
    changed = (await call(opened, "replaceCoreV1NamespacedPod", namespace=first, name="web", **renamed)).value
    assert changed["spec"]["containers"] == [{"name": "proxy"}]
    assert changed["metadata"] == made["metadata"]
    assert (await call(opened, "deleteCoreV1NamespacedPod", namespace=first, name="web")).error is None
    assert str((await call(opened, "readCoreV1NamespacedPod", namespace=first, name="web")).error).startswith("404")
    assert (await call(opened, "readCoreV1NamespacedPod", namespace=second, name="web")).value == other


async def test_a_collection_is_deleted_within_its_namespace_alone() -> None:
    opened = Sandbox(CLUSTER)
    first, second = list(opened.state()["namespace"])[:2]
    done = (await call(opened, "deleteCoreV1CollectionNamespacedPod", namespace=first)).value
    assert (done["kind"], done["status"]) == ("Status", "Success")
    assert (await call(opened, "listCoreV1NamespacedPod", namespace=first)).value["items"] == []
    assert (await call(opened, "listCoreV1NamespacedPod", namespace=second)).value["items"]


def test_a_new_object_must_say_what_it_is() -> None:
    tools = {tool.name: tool for tool in CLUSTER.tools}
    create, patch = tools["createCoreV1NamespacedPod"].parameters, tools["patchAppsV1NamespacedDeployment"].parameters
    assert create["required"] == ["namespace", "apiVersion", "kind", "metadata", "spec"]
    assert create["properties"]["kind"]["enum"] == ["Pod"]
    assert create["properties"]["metadata"]["required"] == ["name"]
    assert patch["required"] == ["namespace", "name"]
    assert patch["properties"]["apiVersion"]["enum"] == ["apps/v1"]


async def test_other_objects_hold_identities_too() -> None:
    item = holder(attributes=holder(id=TEXT, title=TEXT), links=holder(self=TEXT))
    opened = sandbox(
        operation("getBook", "GET", "/books/{id}", item),
        operation("listBooks", "GET", "/books", {"type": "array", "items": item}),
        operation("newBook", "POST", "/books", item, attributes=holder(title=TEXT)),
    )
    made = (await call(opened, "newBook", attributes={"title": "Dune"})).value
    assert (await call(opened, "getBook", id=made["attributes"]["id"])).value == made


OVERRIDES = "resources: {pod: {identity: %s}}\n"


def test_an_author_names_a_nested_identity(tmp_path: Path) -> None:
    (tmp_path / "cluster.interplay.yaml").write_text(OVERRIDES % "metadata.uid")
    authored = load_overrides(tmp_path / "cluster.interplay.yaml")
    plan = revised_plan(CLUSTER, infer_plan(CLUSTER), authored)
    opened = Sandbox(CLUSTER, plan=plan)
    key, held = next(iter(opened.state()["pod"].items()))
    assert held["metadata"]["uid"] == key


def test_a_nested_identity_that_is_not_there_is_refused_with_the_near_one(tmp_path: Path) -> None:
    (tmp_path / "cluster.interplay.yaml").write_text(OVERRIDES % "metadata.nam")
    authored = load_overrides(tmp_path / "cluster.interplay.yaml")
    with pytest.raises(ConfigError, match=r"/resources/pod/identity.*metadata\.name"):
        revised_plan(CLUSTER, infer_plan(CLUSTER), authored)


@pytest.mark.parametrize("parameter", ["_", "номер"])
def test_what_takes_an_identity_may_be_called_by_no_word(parameter: str) -> None:
    assert best_identity("thing", {parameter: TEXT}, {"name": TEXT, "id": TEXT}) == "id"
