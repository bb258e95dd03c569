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
