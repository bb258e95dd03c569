"""Tools about tasks."""

from datetime import date

from interplay.generators.domains import MOST_ROWS, ToolError, found, has_words, tool
from interplay.generators.domains.workspace.data_model import (
    USER,
    FileId,
    Priority,
    Task,
    TaskId,
    TaskStatus,
    TaskTitle,
    Username,
)
from interplay.generators.domains.workspace.folders import existing_file
from interplay.generators.domains.workspace.seed import next_row_id
from interplay.generators.domains.workspace.state import State


@tool(effect="read", phrases=("go through the tasks", "check what there is to do"))
def list_tasks(
    office: State,
    title: str | None = None,
    status: TaskStatus | None = None,
    priority: Priority | None = None,
    person: str | None = None,
) -> list[Task]:
    """List tasks, those that are due first, eight at most.

    Args:
        title: Title of the task, or words of it.
        status: Only tasks with this status.
        priority: Only tasks with this priority.
        person: Only tasks of this person, by name or a part of it; those of all people, where it is left out.
    """
    rows = [row for row in office.tasks.values() if has_words(row["title"], title)]
    rows = [row for row in rows if status in (None, row["status"]) and priority in (None, row["priority"])]
    rows = [row for row in rows if has_words(row["assignee"], person)]
    return sorted(rows, key=lambda row: row["due_date"])[:MOST_ROWS]


@tool(effect="write", phrases=("set up a task", "put something on the task list"))
def create_task(
    office: State,
    title: TaskTitle,
    due_date: date,
    username: Username | None = None,
    file_id: FileId | None = None,
    priority: Priority = "normal",
) -> Task:
    """Create a task for a person, or for the user where no person is given.

    Args:
        title: What is to be done.
        due_date: Day on which it has to be done.
        username: Username of the person who does it.
        file_id: File that the task is about.
        priority: How important it is.
    """
    person = found(office.contacts, username, "person with the username") if username else None
    task: Task = {
        "task_id": next_row_id("task", office.tasks),
        "title": title,
        "status": "open",
        "priority": priority,
        "due_date": due_date.isoformat(),
        "assignee": person["full_name"] if person else USER,
        "file_id": existing_file(office, file_id)["file_id"] if file_id else None,
    }
    office.tasks[task["task_id"]] = task
    return task


@tool(effect="write", phrases=("change a task", "update a task"))
def update_task(
    office: State,
    task_id: TaskId,
    new_status: TaskStatus | None = None,
    new_priority: Priority | None = None,
    new_due_date: date | None = None,
) -> Task:
    """Change the status, the priority or the due date of a task.

    Args:
        new_status: Status that the task has from now on.
        new_priority: How important it is from now on.
        new_due_date: Day on which it has to be done from now on.
    """
    task = found(office.tasks, task_id, "task")
    changed: Task = {
        **task,
        "status": new_status or task["status"],
        "priority": new_priority or task["priority"],
        "due_date": new_due_date.isoformat() if new_due_date else task["due_date"],
    }
    if changed == task:
        raise ToolError(f"Error: that leaves the task '{task['title']}' as it is; give another value.")
    office.tasks[task_id] = changed
    return changed
