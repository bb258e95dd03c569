"""The tables for tools by their name: operation and resource, by the words of the name and the arguments.

get_user_details(user_id)            reads a user
add_tag_to_task(tag_id, task_id)     acts on a task
"""

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.name_calls import NameCall
from interplay.generators.environments.inference.roles.rule_table import Rule, always, first_rule
from interplay.schemas.records.tool import Tool

OPERATION_RULES = (
    Rule("what comes to another thing, or leaves it", when=lambda call: call.whole, then="action",
         example="add_tag_to_task(tag_id, task_id)"),
    Rule("a verb on another thing than its namespace's", when=lambda call: call.is_of_space, then="action",
         example="POST /chat.updateStatus (text)"),
    Rule("a beginning of what an argument names", when=lambda call: call.begins, then="action",
         example="start_race(race_id)"),
    Rule("a verb that reads, of many", when=lambda call: call.verb == "read" and call.reads_many, then="list",
         example="get_orders()"),
    Rule("a verb in the name", when=lambda call: call.verb, then=lambda call: call.verb,
         example="cancel_order(order_id)"),
    Rule("details of something", when=lambda call: call.is_details and call.reads_many, then="list",
         example="read users_details()"),
    Rule("details of one thing", when=lambda call: call.is_details, then="read",
         example="read user_profile(user_id)"),
    Rule("no known verb, and it reads", when=lambda call: call.tool.effect == "read", then="compute",
         example="read distance(start, end)"),
    Rule("no known verb, and it writes", when=always, then="action",
         example="write disarm_alarm(alarm_id)"),
)  # fmt: skip
"""What a tool does by its name: the first rule that holds decides."""

RESOURCE_RULES = (
    Rule("the thing that another comes to", when=lambda call: call.whole, then=lambda call: call.whole,
         example="add_tag_to_task(tag_id, task_id)"),
    Rule("its noun, which several arguments name", when=lambda call: call.acts and len(call.alike) > 1 and not call.tool.http,
         then=lambda call: call.noun, example="move_file(source_file_id, target_file_id)"),
    Rule("an argument of the same noun", when=lambda call: call.acts and call.alike, then=lambda call: call.alike[0],
         example="get_address(customer_address_id)"),
    Rule("an argument that its noun begins with", when=lambda call: call.beginning, then=lambda call: call.beginning,
         example="update_reservation_passengers(reservation_id, passengers)"),
    Rule("the one thing whose field is set", when=lambda call: call.field_owner, then=lambda call: call.field_owner,
         example="set_priority(ticket_id, priority)"),
    Rule("what the action is about", when=lambda call: call.acted_on, then=lambda call: call.acted_on,
         example="send_certificate(user_id!)"),
    Rule("its noun", when=lambda call: call.noun, then=lambda call: call.noun, example="search_flights(origin)"),
    Rule("no resource recognised", when=always, then=None, example="run(code)"),
)  # fmt: skip
"""What a tool acts on by its name: the first rule that holds decides."""


def by_name(tool: Tool) -> ToolPlan:
    """Return what a tool does to which resource, by its name and its arguments."""
    call = NameCall(tool)
    does, on = first_rule(OPERATION_RULES, call), first_rule(RESOURCE_RULES, call)
    assert does is not None
    assert on is not None
    return ToolPlan(tool, does.conclude(call), on.conclude(call), why=f"{does.name}; {on.name}")
