"""The table for tools with paths: method and path -> what the call does to which resource.

POST /orders/search               lists orders
GET  /orders/{id}                 reads an order
PUT  /cards/{id}/name (value)     sets one field of a card
"""

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.name_rules import by_name
from interplay.generators.environments.inference.roles.path_calls import PathCall
from interplay.generators.environments.inference.roles.rule_table import Rule, always, found
from interplay.generators.environments.inference.tool_words import stem_of
from interplay.generators.phrases.summary_phrases import IN_BULK


def _by_asked_field(call: PathCall) -> ToolPlan:
    assert call.asked_field is not None
    parameter, field = call.asked_field
    return call.plan("read", call.named, keys=((parameter, field),))


def _by_other_key(call: PathCall) -> ToolPlan:
    assert call.other_key is not None
    resource, field = call.other_key
    return call.plan("read", resource, parents=call.place.owners[:-1], keys=((call.owner[0], field),))


def _own(call: PathCall) -> ToolPlan:
    resource = call.before or ("user" if "user" in call.facts.known else call.named)
    above = call.place.owners if call.before else ()
    return call.plan("read", resource, parents=above, single=bool(above), own=True)


FIELD_RULES = (
    Rule("an item of a list in a row", when=lambda call: call.field.links_item,
         then=lambda call: call.field.edit_item("remove" if call.deletes else "add"),
         example="DELETE /cards/{id}/idLabels/{idLabel} | GET /labels/{id} -> label | GET /cards/{id} -> card"),
    found("a verb and a field of a row", lambda call: call.field.linked,
          example="POST /tasks/{task_gid}/addTag (tag) | GET /tasks/{task_gid} -> task"),
    Rule("the value of a field", when=lambda call: call.changes and call.field.value,
         then=lambda call: call.field.edit("set", call.field.value),
         example="PUT /cards/{id}/name (value) | GET /cards/{id} -> card"),
    Rule("a value for a list in a row",
         when=lambda call: call.posts and call.field.value and len(call.field.names) == 1 and stem_of(call.last) in call.facts.known,
         then=lambda call: call.field.edit("add", call.field.value),
         example="POST /cards/{id}/idLabels (value) | GET /labels/{id} -> label | GET /cards/{id} -> card"),
    Rule("names for a list that the row shows", when=lambda call: call.field.names_given,
         then=lambda call: call.field.edit("add" if call.posts else "set", call.field.names_given),
         example="POST /issues/{id}/labels (labels[]) | GET /issues/{id} -> {id, labels} | GET /labels/{id} -> label"),
)  # fmt: skip
"""The rules of PATH_RULES for writes to one field of a row; they run over all calls first, so that others know these fields."""

NAMES_GIVEN = FIELD_RULES[-1].name

PATH_RULES = (
    Rule("the number of rows", when=lambda call: call.is_counted,
         then=lambda call: call.plan("compute", call.before, counts=True),
         example="GET /pets/count -> integer | GET /pets/{id} -> pet"),

    # One field of a row
    *FIELD_RULES,
    Rule("one of the names in a list of a row", when=lambda call: call.deletes and call.field.ends and call.field.is_listed,
         then=lambda call: call.field.edit_item("remove"),
         example="DELETE /issues/{id}/labels/{name} | POST /issues/{id}/labels (labels[]) | GET /issues/{id} -> {id, labels}"
                 " | GET /labels/{id} -> label"),
    Rule("the names in a list of a row, taken away", when=lambda call: call.deletes and not call.field.ends and call.field.is_listed,
         then=lambda call: call.field.edit("clear"),
         example="DELETE /issues/{id}/labels | POST /issues/{id}/labels (labels[]) | GET /issues/{id} -> {id, labels}"
                 " | GET /labels/{id} -> label"),
    Rule("the names in a list of a row",
         when=lambda call: call.tool.method == "GET" and not call.field.ends and call.field.is_listed,
         then=lambda call: call.field.edit("show"),
         example="GET /issues/{id}/labels -> [label] | POST /issues/{id}/labels (labels[]) | GET /issues/{id} -> {id, labels}"
                 " | GET /labels/{id} -> label"),
    Rule("a field that an argument names", when=lambda call: call.tool.method == "GET" and call.field.argument,
         then=lambda call: call.field.edit("show", call.field.argument, names=()),
         example="GET /cards/{id}/{field} | GET /cards/{id} -> card"),
    Rule("a field that another call sets, taken away", when=lambda call: call.deletes and call.field.is_edited,
         then=lambda call: call.field.edit("clear"),
         example="DELETE /boards/{id}/memberships | PUT /boards/{id}/memberships (value) | GET /boards/{id} -> board"),

    # A row that the path names
    Rule("a row by another of its fields", when=lambda call: call.at_row and call.tool.method == "GET" and call.other_key,
         then=_by_other_key,
         example="GET /parcels/reference/{reference} -> parcel | GET /parcels/{id} -> {id, reference}"),
    Rule("rows by a row they belong to", when=lambda call: call.at_row and call.tool.method == "GET" and call.of_other,
         then=lambda call: call.plan("list", call.of_other),
         example="GET /reviews/product/{productId} | GET /products/{productId} -> product | GET /reviews/{id} -> {id, product_id}"),
    Rule("rows narrowed by a value", when=lambda call: call.at_row and call.tool.method == "GET" and call.narrowed,
         then=lambda call: call.plan("list", call.narrowed, parents=call.place.owners[:-1]),
         example="GET /directors/limit/{limitation} -> [director] | GET /directors/{id} -> director"),
    Rule("rows of a collection that is divided by a value",
         when=lambda call: call.at_row and call.scoped and call.tool.method == "GET",
         then=lambda call: call.plan("list", call.scoped, parents=call.place.owners[:-1]),
         example="GET /purchases/{uid} -> [purchase] | GET /purchases/{uid}/{id} -> purchase"),
    Rule("a new row in a part of such a collection", when=lambda call: call.at_row and call.scoped and call.posts,
         then=lambda call: call.plan("create", call.scoped, parents=call.place.owners[:-1]),
         example="POST /purchases/{uid} (shop) | GET /purchases/{uid} -> [purchase] | GET /purchases/{uid}/{id} -> purchase"),
    Rule("what one does with a row", when=lambda call: call.at_row and not call.reads and call.is_related,
         then=lambda call: call.on_row("action"),
         example="unlikeTrack: DELETE /likes/tracks/{track_id} | GET /tracks/{track_id} -> track"),
    Rule("a row by its identity", when=lambda call: call.at_row and (call.reads or call.is_read), then=lambda call: call.on_row("read"),
         example="GET /orders/{id} -> order"),
    Rule("a row by its identity, deleted", when=lambda call: call.at_row and call.deletes,
         then=lambda call: call.on_row("delete"), example="DELETE /orders/{id}"),
    Rule("a step of a row, which answers with that row", when=lambda call: call.at_row and call.is_step_of_row,
         then=lambda call: call.on_row_above("action"),
         example="POST /jobs/{id}/steps/{step} (title) -> job | GET /jobs/{id} -> job"),
    Rule("a row under an identity that the path gives",
         when=lambda call: call.at_row and call.tool.method in ("PUT", "POST")
         and (call.named_operation == "create" or call.is_link or (call.posts and call.shape == "many")),
         then=lambda call: call.on_row("create"),
         example="PUT /projects/{id}/members/{userId} | GET /projects/{id} -> project | GET /users/{id} -> user"),
    Rule("a row by its identity, acted on", when=lambda call: call.at_row and call.posts and call.named_operation == "action",
         then=lambda call: call.on_row("action"), example="cancelOrder: POST /orders/{id}"),
    Rule("a row by its identity, changed", when=lambda call: call.at_row, then=lambda call: call.on_row("update"),
         example="PATCH /orders/{id} (status)"),

    # All rows, rows below a row of their kind, and a row by the path of its part
    Rule("every row", when=lambda call: call.every, then=lambda call: call.plan("action", call.every, every=True),
         example="POST /lists/{id}/archiveAllCards | GET /cards/{id} -> card | GET /lists/{id} -> list"),
    Rule("rows below a row of their kind", when=lambda call: call.tool.method == "GET" and call.has_children,
         then=lambda call: call.plan("list", call.owner[1]), example="GET /blocks/{id}/children -> [block]"),
    Rule("rows made below a row of their kind", when=lambda call: call.has_children,
         then=lambda call: call.plan("create", call.owner[1]), example="PATCH /blocks/{id}/children (children[])"),
    Rule("a row, by the path of a part of it", when=lambda call: call.tool.method == "GET" and call.shows_owner,
         then=lambda call: call.on_row("read"), example="GET /pods/{name}/edit -> pod | GET /pods/{name} -> pod"),
    Rule("a part of a row, changed", when=lambda call: call.shows_owner, then=lambda call: call.on_row("update"),
         example="PATCH /pods/{name}/status (phase) -> pod | GET /pods/{name} -> pod"),

    # GET
    Rule("the caller's own row", when=lambda call: call.reads and call.of_self, then=_own,
         example="GET /users/@me -> user | GET /users/{id} -> user"),
    Rule("a verb that lists or reads", when=lambda call: call.reads and call.verb in ("list", "read") and call.before and not call.under,
         then=lambda call: call.plan("list", call.before), example="GET /pet/findByStatus -> [pet] | GET /pet/{id} -> pet"),
    Rule("those of a collection that are so", when=lambda call: call.reads and call.quality and call.before,
         then=lambda call: call.plan("list", call.before), example="GET /invitations/pending -> [invitation]"),
    Rule("a collection in groups that are rows too", when=lambda call: call.reads and call.is_collection and call.groups,
         then=lambda call: call.plan("list", call.groups),
         example="GET /categories -> {groups: [{id, categories: [{id, name}]}]} | GET /groups/{id} -> group"
                 " | GET /categories/{id} -> category"),
    Rule("a collection", when=lambda call: call.reads and call.is_collection, then=lambda call: call.plan("list", call.named),
         example="GET /orders -> [order]"),
    Rule("a field that another call sets", when=lambda call: call.tool.method == "GET" and call.field.is_edited,
         then=lambda call: call.field.edit("show"),
         example="GET /cards/{id}/name -> {value} | PUT /cards/{id}/name (value) | GET /cards/{id} -> card"),
    Rule("the one thing of its kind", when=lambda call: call.reads and call.single, then=lambda call: call.on_single("read"),
         example="GET /guilds/{id}/widget -> widget | GET /guilds/{id} -> guild"),
    Rule("a row by a query parameter", when=lambda call: call.reads and call.asked,
         then=lambda call: call.plan("read", call.named, call.asked), example="GET /parcel ?id! -> parcel"),
    Rule("a row by a query parameter that is one of its fields", when=lambda call: call.reads and call.asked_field,
         then=_by_asked_field, example="GET /parcels ?reference! -> parcel | GET /parcels/{id} -> {id, reference}"),
    Rule("the caller's own row of a kind", when=lambda call: call.reads and call.own,
         then=lambda call: call.plan("read", call.own, parents=(), own=True),
         example="GET /account -> {email} | PUT /account (email) | GET /accounts/{id} -> account"),
    Rule("the row of a row",
         when=lambda call: call.reads and call.under and call.named in call.facts.known and call.shape == "one",
         then=lambda call: call.plan("read", call.named),
         example="GET /cards/{id}/board -> board | GET /boards/{id} -> board | GET /cards/{id} -> card"),
    Rule("the row that a row refers to", when=lambda call: call.reads and call.referred,
         then=lambda call: call.plan("read", call.referred),
         example="GET /actions/{id}/memberCreator | GET /members/{id} | GET /actions/{id}"),
    Rule("something worked out", when=lambda call: call.reads, then=lambda call: call.plan("compute", call.named),
         example="GET /routes/distance -> {km}"),

    # DELETE
    Rule("the one thing of its kind, deleted", when=lambda call: call.deletes and call.single,
         then=lambda call: call.on_single("delete"),
         example="DELETE /guilds/{id}/widget | GET /guilds/{id}/widget -> widget | GET /guilds/{id} -> guild"),
    Rule("all of a collection, deleted", when=lambda call: call.deletes and call.is_emptied,
         then=lambda call: call.plan("action", call.named, every=True),
         example="DELETE /carts/{id}/items | GET /carts/{id}/items -> [item] | GET /carts/{id} -> cart"),
    Rule("items of a list in a row, taken away", when=lambda call: call.deletes and call.field.items_given,
         then=lambda call: call.field.edit("remove", call.field.items_given),
         example="DELETE /chats/{id}/links (link_ids[]) | POST /chats/{id}/links (link_ids[]) | GET /chats/{id} -> {id, links[]}"),
    Rule("a part of a row, taken away", when=lambda call: call.deletes and call.under, then=lambda call: call.on_row("action"),
         example="DELETE /endpoints/{id}/cache | GET /endpoints/{id} -> endpoint"),
    Rule("what the path says, deleted", when=lambda call: call.deletes, then=lambda call: call.plan("delete", call.named),
         example="DELETE /registry"),

    # PUT, PATCH
    Rule("the one thing of its kind, changed", when=lambda call: call.changes and call.single,
         then=lambda call: call.on_single("update"),
         example="PATCH /guilds/{id}/widget (enabled) | GET /guilds/{id}/widget -> widget | GET /guilds/{id} -> guild"),
    Rule("a new row of a collection, as it is described", when=lambda call: call.changes and call.makes_as_told,
         then=lambda call: call.plan("create", call.named),
         example="createLabel: PUT /labels (name) -> label | GET /labels/{id} -> label"),
    Rule("a whole collection, replaced", when=lambda call: call.changes and call.is_replaced,
         then=lambda call: call.plan("update", call.named),
         example="PUT /guilds/{id}/commands | GET /guilds/{id}/commands -> [command] | GET /guilds/{id} -> guild"),
    Rule("a row, by a path below it that changes it", when=lambda call: call.changes and call.under,
         then=lambda call: call.on_row("action"), example="PUT /tickets/{id}/close | GET /tickets/{id} -> ticket"),
    Rule("the caller's own row, changed", when=lambda call: call.changes and call.of_self and call.before,
         then=lambda call: call.plan("update", call.before, single=call.before in call.facts.known, own=True),
         example="PATCH /users/@me (name) | GET /users/{id} -> user"),
    Rule("a row that only the body names, by a path that changes it", when=lambda call: call.changes and call.given_row,
         then=lambda call: call.plan("action", call.given_row[1], call.given_row[0]),
         example="PUT /authors/groups/set-new-lead (id!) | GET /authors/{id} -> author"),
    Rule("a verb after a collection, which changes its rows", when=lambda call: call.changes and call.verb and call.before,
         then=lambda call: call.plan("update", call.before), example="PUT /user/update (name)"),
    Rule("what the path says, changed", when=lambda call: call.changes, then=lambda call: call.plan("update", call.named),
         example="PUT /settings (theme)"),

    # POST
    Rule("a search", when=lambda call: call.is_search, then=lambda call: call.plan("list", call.searched),
         example="POST /orders/search (text) -> [order] | GET /orders/{id} -> order"),
    Rule("the one thing of its kind, made", when=lambda call: call.single, then=lambda call: call.on_single("create"),
         example="POST /guilds/{id}/widget (name) | GET /guilds/{id}/widget -> widget | GET /guilds/{id} -> guild"),
    Rule("a list of what the path names", when=lambda call: call.lists_all,
         then=lambda call: call.plan("list", call.named), example="read POST /inbound/domains -> [domain]"),
    Rule("a sentence", when=lambda call: call.is_sentence, then=lambda call: by_name(call.tool),
         example="delete_message: POST /deleteMessage (message_id)"),
    Rule("a function", when=lambda call: call.function, then=lambda call: call.function,
         example="POST /webhooks/delete (id)"),
    Rule("an action on a row", when=lambda call: call.acts_on_owner, then=lambda call: call.on_row("action"),
         example="POST /orders/{id}/cancel | GET /orders/{id} -> order"),
    Rule("an action on a row that a query parameter names", when=lambda call: call.posts and call.meant,
         then=lambda call: call.plan("action", call.before, call.meant),
         example="POST /task/done ?id! | GET /tasks -> [task]"),
    Rule("a verb or a batch after a collection, which makes rows",
         when=lambda call: (call.verb == "create" or call.last.lower() in IN_BULK) and call.before and not call.under,
         then=lambda call: call.plan("create", call.before),
         example="POST /pets/{id}/visits/{visit}/notes/batch | GET /notes/{id} -> note"),
    Rule("a verb after a collection, which acts on its rows",
         when=lambda call: call.verb and call.before and not call.under and not call.names_many,
         then=lambda call: call.plan("action", call.before),
         example="POST /pets/{id}/visits/close/send | GET /pets/{id} -> pet"),
    Rule("an action that answers with its row", when=lambda call: call.is_done_to_owner, then=lambda call: call.on_row("action"),
         example="POST /accounts/{id}/deposit (amount) -> account | GET /accounts -> [account]"),
    Rule("a row that only the body names, acted on", when=lambda call: call.posts and call.given_row,
         then=lambda call: call.plan("action", call.given_row[1], call.given_row[0]),
         example="POST /authors/groups/detach-from-group (id!) | GET /authors/{id} -> author"),
    Rule("a new row of a collection", when=always, then=lambda call: call.plan("create", call.named),
         example="POST /orders/{id}/review (text) | GET /reviews/{id} -> review | GET /orders/{id} -> order"),
)  # fmt: skip
"""What a tool with a path does: the first rule that holds decides."""
