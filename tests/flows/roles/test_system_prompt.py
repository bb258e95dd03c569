import pytest

from interplay.flows.roles.system_prompt import system_prompt
from interplay.schemas.records.tool import Toolset


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("team_manager_leagues_api", "Team Manager Leagues"),
        ("theater", "the theater"),
        ("appointment_service", "the appointment service"),
        ("open_api_tinder_like_app", "Tinder Like App"),
        ("adoptaunpeludo", "Adoptaunpeludo"),
        ("crm_api", "CRM"),
    ],
)
def test_a_service_is_called_as_people_call_it(name: str, said: str) -> None:
    assert f"the assistant of {said}." in system_prompt(Toolset(name=name, tools=()))


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Firefly III API v6.5.5", "Firefly III"),
        ("Swagger Petstore - OpenAPI 3.0", "Petstore"),
        ("Core API", "the shop service"),  # no proper name: as the name of the toolset has it
        ("all lower case", "the shop service"),
        ("An API That Tells Of Everything That Anybody May Ever Want", "the shop service"),
    ],
)
def test_a_service_is_called_as_its_title_has_it(title: str, said: str) -> None:
    assert f"the assistant of {said}." in system_prompt(Toolset(name="shop_service", title=title, tools=()))
