"""How people ask for what a tool does."""

from time import process_time

import pytest

from interplay.generators.phrases.intents import intents_of, why_unasked
from interplay.generators.phrases.path_phrases import phrase_of_place
from interplay.generators.phrases.pronouns import pronominal
from interplay.generators.phrases.summary_phrases import phrase_of_summary
from interplay.schemas.records.tool import HttpBinding, Source, Tool
from interplay.schemas.words.articles import with_article


def tool(name: str, summary: str = "", phrases: tuple[str, ...] = ()) -> Tool:
    return Tool(name=name, original_name=name, summary=summary, parameters={}, source=Source(file="x"), phrases=phrases)


@pytest.mark.parametrize(
    ("name", "summary", "phrase"),
    [
        ("getProjects", "Retrieves all project tasks.", "see all project tasks"),
        ("createTask", "Allows you to create a task", "create a task"),
        ("checkIn", "Check a patient in", "check a patient in"),
        ("getMe", "Get authenticated user", "see my profile"),
        ("create_or_join_lobby", "", "create or join a lobby"),
        (
            "list_requests",
            "List join requests for guild, optionally filtered by status",
            "see join requests for guild",
        ),
        ("move_deal", "Move a deal to another stage.", "move a deal to another stage"),
        ("list_department", "List everybody in a department.", "see everybody in a department"),
        ("list_devices", "Lists the devices in a room, or all devices.", "see the devices in a room"),
        ("search_tickets", "Search support tickets by text, status, or assignee.", "search for support tickets"),
        ("find_contacts", "Find contacts by name, company or e-mail address.", "find contacts"),
        ("atms_find", "Find cash machines nearby", "find cash machines nearby"),
        ("getPetById", "Find pet by ID", "find a pet"),
        ("x", "Returns a **list** of [cards](http://e.org)", "see cards"),
        ("createComment", "Create comment", "write a comment"),
        ("return_book", "Take back a borrowed book.", "take back a borrowed book"),
        ("register_member", "Register a member and return the member id.", "register a member"),
        ("addInvitation", "Create an invitation to join the team", "create an invitation to join the team"),
        ("order_total", "Compute what an order costs.", "know what an order costs"),
        ("post_customer_signup", "Customer Registration", "register a customer"),
        ("x", "Get a status update", "see a status update"),
        ("deletePet", "deletes a single pet based on the ID supplied", "delete a pet"),
        ("list_guild_templates", "", "see guild templates"),
        ("get_lobby", "", "see a lobby"),
        ("updateUser", "Update user resource", "update a user"),
        ("getPet", "Get all pets that the user has access to.", "see all pets"),
        ("updatePet", "Update an existing pet", "update a pet"),
        ("charge", "Capture the payment of an existing, uncaptured, charge.", "capture the payment of a charge"),
        ("patchProject", "Creates a project for the contact", "update a project"),
        ("find_pet_by_id", "Returns a user based on a single ID", "find a pet"),
        ("list_types", "List all custom types associated with an account id", "see all custom types"),
        ("get-search-members", "", "search for members"),
        ("fulfill-contract", "Fulfill Contract", "fulfill a contract"),
        ("getArrivals", "getArrivals is used to get a list of arrivals", "see arrivals"),
        ("step_completed", "", "mark a step as completed"),
        ("x", "List of water pools", "see water pools"),
        ("get_season", "Retrieval of a single season", "see a season"),
        ("delete_application", "delete_application deletes application", "delete an application"),
        ("getTrades", "Get the list of the latest trades, e.g. to sum them up.", "see the latest trades"),
        ("notify_price", "Notify the user if a price changes.", "get a notification if a price changes"),
        ("ship_orders", "Bulk update of order shipments", "update order shipments"),
        ("removeBoat", "Removes a boat . For more information see the manual", "remove a boat"),
        ("start_tracking", "Start Tracking a Parcel", "start tracking a parcel"),
        ("delete_dev_resource", "Delete dev resource", "delete a dev resource"),
        ("tag_shipment", "Add Tag To Shipment", "add a tag to a shipment"),
        ("x", "Process Batch Labels", "process batch labels"),
        ("boards-add", "This endpoint can be used to archive a board.", "archive a board"),
        ("files_upload", "Uploads or creates a file.", "upload a file"),
        ("instantiateTask", "Creates and returns a job.", "create a job"),
        ("start-playback", "Start/Resume Playback", "start a playback"),
        ("reactions_list", "Lists reactions made by a user.", "see reactions made by a user"),
        ("auth_test", "Checks authentication & identity.", "check authentication & identity"),
        ("get-playlist-items", "Get Playlist Items [DEPRECATED]", "see playlist items"),
        (
            "disconnectShared",
            "Disconnect a connected channel from one or more workspaces.",
            "disconnect a connected channel from workspaces",
        ),
        ("x", "List Schemas for Kafka Cluster", "see schemas for a kafka cluster"),
        ("list_project_articles", "List articles in project", "see articles in a project"),
        ("x", "Get Download URL for Evaluation Dataset", "get a download URL for an evaluation dataset"),
        ("x", "Get articles from own institution", "see articles from my institution"),
        ("getProjectsForTask", "Get projects a task is in", "see the projects of a task"),
        ("x", "List NFS snapshots per region", "see NFS snapshots per region"),
        ("check-if-followed", "Check if Current User Follows Playlist", "check if I follow playlist"),
        ("get-profile", "Get Current User's Profile", "see my profile"),
        ("post_tweet", "Post a tweet for the authenticated user.", "post a tweet"),
        ("Note_Post", "HTTP POST a new note into the system", "add a note into the system"),
        ("Note_Delete", "Delete a review; do a DELETE http request of /note/{ID}", "delete a review"),
        (
            "node_management",
            "Manage Kubernetes nodes with cordon and drain",
            "manage kubernetes nodes with cordon and drain",
        ),
        ("create_bar_chart", "Creates a bar chart given a title, labels and values.", "create a bar chart"),
        ("turn_on_light", "", "turn on a light"),
        ("Me_PutMe", "Puts me", "update my account"),
        ("repost", "Reposts a playlist as the authenticated user.", "repost a playlist"),
    ],
)
def test_makes_a_request_of_a_summary_or_a_name(name: str, summary: str, phrase: str) -> None:
    assert phrase in intents_of(tool(name, summary))


@pytest.mark.parametrize(
    ("path", "summary", "argument", "wish"),
    [
        ("/v1/park", "Park", "vehicleNumber", "park a vehicle"),
        ("/v1/unpark", "UnPark", "slotId", "unpark a slot"),
        ("/v1/park", "Add a park", "vehicleNumber", "add a park"),
        ("/v1/booking", "Booking", "roomId", "make a booking"),
        ("/v1/park", "Park", "parkId", "create a park"),
    ],
)
def test_a_verb_of_which_nothing_else_is_said_is_done_to_what_an_argument_names(
    path: str, summary: str, argument: str, wish: str
) -> None:
    fields = {"userId": {"type": "string"}, argument: {"type": "string"}} if argument[-2:] != "Id" else {argument: {}}
    parameters = {"type": "object", "properties": fields, "required": [argument]}
    posted = tool(f"post_{path.strip('/').replace('/', '_')}", summary).model_copy(
        update={"parameters": parameters, "http": HttpBinding(method="POST", path=path), "effect": "write"}
    )
    assert intents_of(posted)[0] == wish


def test_a_word_within_a_name_does_not_end_it() -> None:
    assert phrase_of_summary("Delete Time Off Request") == "delete a time off request"
    assert phrase_of_summary("Check a patient out of the ward") == "check a patient out of the ward"
    assert with_article("light off") == "a light off"


def test_brackets_that_stay_open_cost_little() -> None:
    start = process_time()
    assert intents_of(tool("get_room", "Get a room " + "(" * 200_000)) == ("see a room", "look up a room")
    assert process_time() - start < 2


def test_one_is_acted_on_where_the_identity_of_one_is_taken() -> None:
    def asked(name: str, **properties: str) -> str:
        parameters = {
            "properties": {key: {"type": kind} for key, kind in properties.items()},
            "required": [*properties],
        }
        return intents_of(tool(name).model_copy(update={"effect": "write", "parameters": parameters}))[0]

    assert asked("purchases_delete", id="string") == "delete a purchase"
    assert asked("archive_old_tasks", task_id="integer") == "archive an old task"
    assert asked("delete_projects", ids="array") == "delete projects"
    assert asked("delete_tasks", project_id="string") == "delete tasks"


def test_prefers_the_phrases_that_a_tool_brings() -> None:
    assert intents_of(tool("a", "Get it.", ("see my file",))) == ("see my file",)


def test_takes_the_text_that_says_what_is_acted_on() -> None:
    removing = tool("remove_from_batch", "Remove From Batch")
    removing = removing.model_copy(update={"description": "Remove a shipment from a batch"})
    assert intents_of(removing)[0] == "remove a shipment from a batch"


def test_leaves_an_object_out_only_where_something_is_named_by_another_word() -> None:
    types = tool("getCustomTypes", "Get all custom types associated with an object")
    assert intents_of(types)[0] == "see custom types"
    goal = tool("getGoal", "Get the goal object")
    assert intents_of(goal)[0] == "see the goal"


def test_looks_for_many_where_a_path_names_one() -> None:
    assert phrase_of_place("GET", "/v1/movie/search") == "search movies"
    assert phrase_of_place("GET", "/v1/inventory/search") == "search inventory"


def test_a_name_that_ends_in_its_verb_is_asked_for_by_its_place() -> None:
    for name in ("api_plots_update", "api_plots_partial_update"):
        path = HttpBinding(method="PATCH", path="/api/plots/{id}/", locations={"id": "path"})
        changed = tool(name).model_copy(update={"effect": "write", "http": path})
        assert intents_of(changed)[0] == "update a plot"


def test_who_deletes_all_says_so() -> None:
    erased = tool("deleteAllVisits", "Delete Visits").model_copy(update={"effect": "write"})
    assert intents_of(erased)[0] == "delete all visits"
    path = HttpBinding(method="DELETE", path="/patients/{patient_id}/visits", locations={"patient_id": "path"})
    assert intents_of(erased.model_copy(update={"http": path}))[0] == "delete the visits of a patient"


def get(name: str, path: str, summary: str) -> Tool:
    return tool(name, summary).model_copy(update={"effect": "read", "http": HttpBinding(method="GET", path=path)})


def test_what_is_shown_to_be_changed_or_filled_in_is_only_seen() -> None:
    edited = get("editCompanyGateway", "/company_gateways/{id}/edit", "Shows a CompanyGateway for editing")
    assert intents_of(edited)[0] == "see a company gateway"
    assert intents_of(get("editQuote", "/quotes/{id}/edit", ""))[0] == "get a quote"
    assert why_unasked(get("getQuotesCreate", "/quotes/create", "Gets a new blank quote"))
    assert not why_unasked(edited)


@pytest.mark.parametrize(
    ("wish", "topic", "short"),
    [
        ("send an invoice", "invoice", "send it"),
        ("send an invoice reminder", "invoice", ""),
        ("archive a conversation", "channel", "archive it"),
    ],
)
def test_it_stands_for_what_a_wish_is_about_alone(wish: str, topic: str, short: str) -> None:
    assert pronominal(wish, topic) == short


@pytest.mark.parametrize(
    ("method", "path", "summary", "wish"),
    [
        ("GET", "/users/show", "Show the user", "see the users"),
        ("POST", "/feeds/refresh", "Refresh a feed", "refresh all feeds"),
        ("POST", "/feeds/{id}/refresh", "Refresh a feed", "refresh a feed"),
        ("PUT", "/student/profile", "Update a student profile", "update my profile"),
        ("GET", "/jobs/mine", "Get a recruiter's own jobs", "see my jobs"),
        ("GET", "/profile", "Get the authenticated branch profile", "see my branch profile"),
        ("POST", "/branch-admin/subscription/renew", "Renew branch subscription", "renew my branch subscription"),
    ],
)
def test_one_is_meant_where_the_call_says_which_and_ones_own_where_there_is_one(
    method: str, path: str, summary: str, wish: str
) -> None:
    known = {"effect": "read" if method == "GET" else "write", "http": HttpBinding(method=method, path=path)}
    assert wish in intents_of(tool("x", summary).model_copy(update=known))


def test_a_path_that_calls_a_collection_by_the_singular_lists_it_where_it_answers_with_a_list() -> None:
    http = HttpBinding(method="GET", path="/user")
    listing = Tool(
        name="get_user", original_name="get_user", parameters={}, source=Source(file="x"), http=http, effect="read"
    )
    assert intents_of(listing)[0] == "check the user"
    assert intents_of(listing.model_copy(update={"returns": {"type": "array"}}))[0] == "check the users"
    page = {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object"}}}}
    assert intents_of(listing.model_copy(update={"returns": page}))[0] == "check the users"
    of_one = {"type": "object", "properties": {**page["properties"], "id": {"type": "string"}}}
    assert intents_of(listing.model_copy(update={"returns": of_one}))[0] == "check the user"


@pytest.mark.parametrize(
    ("method", "path", "wish"),
    [
        ("POST", "/cart/add", "add a product to my cart"),
        ("DELETE", "/wishlist/items/{productId}", "remove a product from my wishlist"),
        ("POST", "/cart/remove", "remove a product from my cart"),
    ],
)
def test_what_is_put_into_something_is_spoken_of_and_not_what_holds_it(method: str, path: str, wish: str) -> None:
    given = {"type": "object", "properties": {"productId": {"type": "string"}, "quantity": {"type": "integer"}}}
    http = HttpBinding(method=method, path=path)
    changed = Tool(name="x", original_name="x", parameters=given, source=Source(file="x"), http=http, effect="write")
    assert intents_of(changed) == (wish,)


@pytest.mark.parametrize(
    ("method", "name", "wish"),
    [("POST", "addToCart", "add a product to my cart"), ("DELETE", "removeFromCart", "remove a product from my cart")],
)
def test_the_name_of_a_tool_tells_that_something_is_put_into_what_its_path_names(
    method: str, name: str, wish: str
) -> None:
    given = {"type": "object", "properties": {"productId": {"type": "string"}}}
    http = HttpBinding(method=method, path="/user/cart")
    changed = Tool(name=name, original_name=name, parameters=given, source=Source(file="x"), http=http, effect="write")
    assert intents_of(changed) == (wish,)


def test_a_noun_that_is_a_verb_and_its_particle_is_a_deed() -> None:
    http = HttpBinding(method="POST", path="/cart/checkout")
    paid = Tool(name="x", original_name="x", parameters={}, source=Source(file="x"), http=http, effect="write")
    assert intents_of(paid) == ("check out my cart",)


@pytest.mark.parametrize(
    ("summary", "wish"),
    [
        ("Get all songs with pagination and filtering", "see all songs"),
        ("Bulk release rooms", "release rooms"),
        ("Adds a new task to the task management system", "add a task"),
        ("Check Out Rental", "check out a rental"),
        ("Delete details of a task", "delete a task"),
        ("Get task detail", "see the details of a task"),
        ("Delete a movie associated with a director", "delete a movie of a director"),
        ("List the articles belonging to the institution", "see the articles of the institution"),
    ],
)
def test_what_summaries_add_is_left_out(summary: str, wish: str) -> None:
    assert wish in intents_of(tool("songs", summary))


@pytest.mark.parametrize(
    ("name", "method", "path", "wish"),
    [
        ("api_menu_edit_create", "POST", "/api/menu/{id}/edit/", "edit a menu"),
        ("x", "POST", "/inventory/categories/batch", "create categories"),
    ],
)
def test_a_path_says_more_than_a_name_that_was_made_of_it(name: str, method: str, path: str, wish: str) -> None:
    http = HttpBinding(method=method, path=path)
    made = Tool(name=name, original_name=name, parameters={}, source=Source(file="x"), http=http, effect="write")
    assert wish in intents_of(made)


@pytest.mark.parametrize(
    ("name", "wishes"),
    [
        ("create_comment", ("write a comment", "add a comment")),
        ("create_order", ("place an order",)),
        ("add_booking", ("make a booking",)),
        ("create_widget", ("create a widget", "set up a widget", "add a widget")),
        ("delete_comment", ("delete a comment", "remove a comment")),
    ],
)
def test_a_thing_is_made_by_the_verb_that_people_have_for_it(name: str, wishes: tuple[str, ...]) -> None:
    assert intents_of(tool(name)) == wishes


def test_what_a_path_says_of_its_user_is_ones_own() -> None:
    def asked(path: str, *names: str) -> tuple[str, ...]:
        bound = HttpBinding(method="GET", path=path, locations=dict.fromkeys(names, "query"))
        taken = {"properties": {name: {"type": "string"} for name in names}}
        return intents_of(
            tool("get_weight", "Get user's weight").model_copy(update={"http": bound, "parameters": taken})
        )

    assert asked("/api/user/weight") == ("see my weight", "look up my weight")
    assert asked("/api/users/weight")[0] == "see my weight"
    assert asked("/api/users/weight", "user_id")[0] == "see a user's weight"


@pytest.mark.parametrize(
    ("name", "method", "path", "summary", "wish"),
    [
        (
            "x",
            "PATCH",
            "/groups/{id}",
            "Updates all editable attributes of the group with the given id.",
            "update a group",
        ),
        ("BulkPublishShifts", "POST", "/shifts/bulk-publish", "", "publish shifts"),
        ("archiveBatch", "POST", "/authors/batch/archive", "Delete a batch of Blog Authors", "delete blog authors"),
        ("addUser", "POST", "/template/add_user/{template_id}", "Add User to Template", "add a user to a template"),
        ("getUserSessions", "GET", "/users/{id}/sessions", "List a user's sessions", "see a user's sessions"),
    ],
)
def test_wishes_of_calls_that_name_much_at_once(name: str, method: str, path: str, summary: str, wish: str) -> None:
    given = {
        "type": "object",
        "properties": {part[1:-1]: {"type": "string"} for part in path.split("/") if "{" in part},
    }
    given["properties"] |= {"account_id": {"type": "string"}} if name == "addUser" else {}
    called = Tool(
        name=name,
        original_name=name,
        summary=summary,
        parameters=given,
        source=Source(file="x"),
        http=HttpBinding(method=method, path=path),
        effect="read" if method == "GET" else "write",
    )
    assert intents_of(called)[0] == wish
