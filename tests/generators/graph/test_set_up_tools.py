"""Tools that set the state of code up are told by what they do, whatever they are called."""

import copy
from typing import Any

from interplay.flows.worlds.result_schemas import learn_results
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.importers.python.importer import import_python

ROWS: dict[str, dict[str, Any]] = {
    "rooms": {"R-1": {"room_id": "R-1", "guest": None}},
    "guests": {"G-1": {"name": "Ada"}},
}


class Hotel:
    def __init__(self) -> None:
        self.rooms, self.guests = copy.deepcopy(ROWS).values()

    def check_in(self, room_id: str, guest_id: str) -> str:
        if self.guests[guest_id]["name"] and self.rooms[room_id]:
            self.rooms[room_id]["guest"] = guest_id
        return "done"

    def add_guest(self, name: str) -> str:
        self.guests[f"G-{len(self.guests) + 1}"] = {"name": name}
        return f"G-{len(self.guests)}"

    def check_all_out(self) -> str:
        for room in self.rooms.values():
            room["guest"] = None
        return "done"

    def dawn(self) -> str:
        self.rooms, self.guests = copy.deepcopy(ROWS).values()
        return "done"

    def become(self, world: dict[str, Any]) -> str:
        self.rooms, self.guests = world.get("rooms", {}), world.get("guests", {})
        return "done"


def test_what_replaces_the_state_is_no_tool_and_what_undoes_one_change_is() -> None:
    hotel = Toolkit(Hotel, import_python(Hotel).toolset, forgiving=True)
    learn_results(hotel)
    assert {tool.name for tool in hotel.toolset.tools} == {"check_in", "add_guest", "check_all_out"}
    assert set(hotel.troubles) == {"dawn", "become"}


class Empty:
    _only: "Empty | None" = None

    def __init__(self) -> None:
        self._boards: dict[str, dict[str, Any]] = {}
        self._cards: dict[str, dict[str, Any]] = {}

    @staticmethod
    def get_instance() -> "Empty":
        Empty._only = Empty._only or Empty()
        return Empty._only

    def add_board(self, name: str) -> dict[str, Any]:
        made = {"board_id": f"B-{len(self._boards) + 1}", "name": name}
        self._boards[made["board_id"]] = made
        return made

    def add_card(self, board_id: str, title: str) -> dict[str, Any]:
        made = {"card_id": f"C-{len(self._cards) + 1}", "board_id": self._boards[board_id]["board_id"], "title": title}
        self._cards[made["card_id"]] = made
        return made


def test_code_that_begins_empty_begins_with_what_its_tools_make() -> None:
    board = Toolkit(Empty, import_python(Empty).toolset, forgiving=True)
    learn_results(board)
    assert len(board.state()["boards"]) > 1
    assert len(board.state()["cards"]) > 1
    assert board.changes() == ()
    assert {tool.name for tool in board.toolset.tools} == {"add_board", "add_card"}
