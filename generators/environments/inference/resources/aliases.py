"""Tools that name one thing differently -> a single resource for them, by titles and words."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.resources.row_fields import row_properties
from interplay.generators.environments.inference.tool_words import stem_of
from interplay.generators.results.result_kinds import is_talk
from interplay.schemas.json.fields import object_properties
from interplay.schemas.words.identifiers import name_tokens


def by_tail(tools: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Give tools without paths whose resource is a kind of a created one the name of that: a text file is a file."""
    made = {plan.resource for plan in tools.values() if plan.operation == "create"}
    return {
        name: replace(plan, resource=tail, why=f"{plan.why}; a kind of what others make")
        if plan.tool.http is None
        and plan.resource
        and plan.resource not in made
        and (tail := plan.resource.split("_")[-1]) in made
        else plan
        for name, plan in tools.items()
    }


def without_fieldless(tools: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Turn tools whose resource has no known fields and no identity into computations and actions."""
    grouped: dict[str, list[ToolPlan]] = defaultdict(list)
    for plan in tools.values():
        if plan.resource is not None:
            grouped[plan.resource].append(plan)
    owners = {owner for plan in tools.values() for _, owner in plan.parents}
    listed = {str(plan.resource) for plan in tools.values() if plan.operation == "list" and plan.tool.http is None}
    owners |= listed & {stem_of(name) for plan in tools.values() for name in plan.tool.properties}
    bare = {
        resource
        for resource, plans in grouped.items()
        if resource not in owners and not row_properties(plans) and not any(plan.target for plan in plans)
    }
    return {
        name: replace(
            plan,
            operation="compute" if plan.tool.effect == "read" else "action",
            resource=None,
            single=False,
            why=f"{plan.why}; but no answer shows such a row and no argument names one",
        )
        if plan.resource in bare
        else plan
        for name, plan in tools.items()
    }


def rename_by_title(plans: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Rename a resource that has only a path to another one whose rows have the same title (`/pet/findByTags` -> pet)."""
    titles: dict[str, Counter[str]] = defaultdict(Counter)
    owners: set[str] = set()
    for plan in plans.values():
        if plan.target is not None and plan.resource:
            owners.add(plan.resource)
        if plan.resource and plan.edit is None and (title := _title(plan)):
            titles[title][plan.resource] += 2 if plan.target else 1
    renamed = {}
    for name, plan in plans.items():
        title = _title(plan)
        movable = plan.resource and title and plan.resource not in owners and not plan.single
        if movable and (not plan.parents or plan.operation == "list"):
            ranked = [owner for owner, _ in titles[title].most_common()]
            best = next((owner for owner in ranked if owner in owners), None) or next(
                (owner for owner in ranked if f"_{'_'.join(name_tokens(title))}".endswith(f"_{owner}")), None
            )
            plan = _renamed(plan, best or plan.resource)
        renamed[name] = plan
    return _following(plans, renamed)


def _title(plan: ToolPlan) -> str:
    """Return the title of the rows that a tool shows; empty for a result that only reports the outcome."""
    fields = object_properties(plan.rows.schema) if plan.rows is not None else {}
    only_talks = bool(fields) and all(map(is_talk, fields))
    return "" if plan.rows is None or only_talks else str(plan.rows.schema.get("title", ""))


def _following(plans: Mapping[str, ToolPlan], renamed: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Rename the resource of a creating tool like that of the listing tool on the same path."""
    moved = {
        (plan.tool.path, plans[name].resource, plan.rows.schema.get("title")): plan.resource
        for name, plan in renamed.items()
        if plan.tool.path and plan.rows and plan.operation == "list"
    }
    return {
        name: _renamed(plan, moved.get((plan.tool.path, plan.resource, title), plan.resource))
        if plan.tool.path and plan.rows and plan.operation == "create" and (title := plan.rows.schema.get("title"))
        else plan
        for name, plan in renamed.items()
    }


def _renamed(plan: ToolPlan, resource: str | None) -> ToolPlan:
    if resource == plan.resource:
        return plan
    return replace(plan, resource=resource, why=f"{plan.why}; with rows that have the title of its rows")
