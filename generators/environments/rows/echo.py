"""A result -> the same with what the call said in the fields that are called like its arguments.

convert_time(source_timezone="Europe/Oslo")  ->  {"source": {"timezone": "Europe/Oslo", ...}}
"""

from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.schemas.json.fields import name_tokens, object_properties
from interplay.schemas.json.validation import is_valid


def names_no_row(plan: ToolPlan) -> bool:
    """Tell whether a tool reads the one row that there is, or something worked out."""
    return plan.operation == "read" and plan.target is None and not plan.parents


def repeating(plan: ToolPlan, result: Any, arguments: Mapping[str, Any], key: str = "", made_up: bool = False) -> Any:
    """Return a result whose fields beside the rows say what the call said, as far as its schema admits that.

    So do the fields of a result that is no row of something, or of the one row that there is to read, and of what a
    function without a path answers to a write: `source_timezone` is the `timezone` of the `source`.
    """
    told_back = (
        made_up
        or plan.resource is None
        or names_no_row(plan)
        or (plan.tool.http is None and plan.tool.effect == "write")
    )
    around = plan.rows is None or bool(plan.rows.pointer) or told_back
    if not isinstance(result, dict) or plan.tool.returns is None or not around:
        return result
    at = plan.rows.pointer.split("/")[1] if plan.rows is not None and plan.rows.pointer else ""
    fields = object_properties(plan.tool.returns)
    told = {name: key for name in plan.repeats if key and name in fields}
    told |= {name: value for name, value in arguments.items() if name in result and name not in told}
    alike = {tuple(name_tokens(name)): value for name, value in arguments.items() if name not in result}
    told |= {name: alike[said] for name in result if name not in told and (said := tuple(name_tokens(name))) in alike}
    for name, value in told.items():
        plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        if name != at and plain and result.get(name) != value:
            changed = {**result, name: value}
            result = changed if is_valid(changed, plan.tool.returns) else result
    for name, part in result.items() if told_back else ():
        if isinstance(part, dict):
            own = {field: alike.get((*name_tokens(name), *name_tokens(field)), held) for field, held in part.items()}
            changed = {**result, name: own}
            result = changed if own != part and is_valid(changed, plan.tool.returns) else result
    return result
