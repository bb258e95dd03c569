"""Tools about files and folders."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from interplay.generators.domains import MOST_ROWS, ToolError, found, has_words, tool
from interplay.generators.domains.workspace.data_model import (
    Access,
    File,
    FileId,
    FileKind,
    Folder,
    FolderId,
    Permission,
    Username,
)
from interplay.generators.domains.workspace.state import State


@tool(effect="read", phrases=("list my folders", "find a folder"))
def list_folders(office: State, title: str | None = None) -> list[Folder]:
    """List the folders, or those with certain words in their title.

    Args:
        title: Title of the folder, or words of it.
    """
    return [row for row in office.folders.values() if has_words(row["title"], title)]


@tool(effect="read", phrases=("look into a folder", "go through the files of a folder"))
def list_files(office: State, folder_id: FolderId, kind: FileKind | None = None) -> list[File]:
    """List the files in a folder.

    Args:
        kind: Only files of this kind.
    """
    found(office.folders, folder_id, "folder")
    rows = [row for row in _existing_files(office) if row["folder_id"] == folder_id]
    return [row for row in rows if kind in (None, row["kind"])][:MOST_ROWS]


@tool(effect="read", phrases=("find a file", "look for a file"))
def find_files(office: State, title: Annotated[str, Field(min_length=1)], kind: FileKind | None = None) -> list[File]:
    """Find files in all folders by their title.

    Args:
        title: Title of the file, or words of it.
        kind: Only files of this kind.
    """
    rows = [row for row in _existing_files(office) if has_words(row["title"], title)]
    return [row for row in rows if kind in (None, row["kind"])][:MOST_ROWS]


@tool(effect="write", phrases=("share a file with somebody", "give somebody access to a file"))
def share_file(office: State, file_id: FileId, username: Username, permission: Permission) -> Access:
    """Share a file with a person, who can then view or edit it.

    Args:
        permission: Whether the person may only view the file or also edit it.
    """
    file = existing_file(office, file_id)
    person = found(office.contacts, username, "person with the username")
    name, viewers = person["full_name"], [viewer for viewer in file["viewers"] if viewer != person["full_name"]]
    if name in (file["viewers"] if permission == "view" else file["editors"]):
        raise ToolError(f"Error: {name} can {permission} '{file['title']}' already.")
    editors = [editor for editor in file["editors"] if editor != name]
    file["viewers"] = [*viewers, name] if permission == "view" else viewers
    file["editors"] = [*editors, name] if permission == "edit" else editors
    return {
        "file_id": file_id,
        "title": file["title"],
        "full_name": name,
        "permission": permission,
    }


@tool(effect="write", phrases=("move a file to another folder",))
def move_file(office: State, file_id: FileId, folder_id: FolderId) -> File:
    """Move a file to another folder."""
    file, folder = existing_file(office, file_id), found(office.folders, folder_id, "folder")
    if file["folder_id"] == folder_id:
        raise ToolError(f"Error: '{file['title']}' is in the folder '{folder['title']}' already.")
    file["folder_id"], file["folder_title"] = folder_id, folder["title"]
    return file


@tool(effect="write", phrases=("delete a file", "throw a file away"))
def delete_file(office: State, file_id: FileId) -> File:
    """Delete a file; nobody it is shared with can open it any more."""
    file = existing_file(office, file_id)
    file["deleted"], file["viewers"], file["editors"] = True, [], []
    return file


def _existing_files(office: State) -> Iterable[File]:
    return (row for row in office.files.values() if not row["deleted"])


def existing_file(office: State, file_id: str) -> File:
    """Return a file that has not been deleted.

    Raises:
        ToolError: there is no such file, or it was deleted.
    """
    file = found(office.files, file_id, "file")
    if file["deleted"]:
        raise ToolError(f"Error: '{file['title']}' has been deleted.")
    return file
