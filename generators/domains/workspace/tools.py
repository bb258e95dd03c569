"""The tools of an office assistant, then the user's on the own laptop; each is a function of the office's state.

A tool refuses only what is impossible: an unknown id, a room that is taken. What is forbidden is written in `policy.md`
and checked by `rules`.
"""

from interplay.generators.domains.workspace import directory, folders, laptop, mails, meetings, support, task_list
from interplay.generators.domains.workspace.state import State


class Workspace(State):
    """The files, calendar, mails and tasks of one person; each instance has its own database."""

    find_contacts = directory.find_contacts
    list_contacts = directory.list_contacts

    list_folders = folders.list_folders
    list_files = folders.list_files
    find_files = folders.find_files
    share_file = folders.share_file
    move_file = folders.move_file
    delete_file = folders.delete_file

    list_meetings = meetings.list_meetings
    list_free_slots = meetings.list_free_slots
    schedule_meeting = meetings.schedule_meeting
    add_attendee = meetings.add_attendee
    move_meeting = meetings.move_meeting
    cancel_meeting = meetings.cancel_meeting
    send_invitation = meetings.send_invitation

    list_mails = mails.list_mails
    get_mail = mails.get_mail
    send_mail = mails.send_mail
    reply_to_mail = mails.reply_to_mail

    list_tasks = task_list.list_tasks
    create_task = task_list.create_task
    update_task = task_list.update_task

    open_support_case = support.open_support_case
    get_device_status = support.get_device_status
    check_warranty = staticmethod(support.check_warranty)
    order_repair = support.order_repair

    read_sticker = staticmethod(laptop.read_sticker)
    check_sync_status = laptop.check_sync_status
    toggle_airplane_mode = laptop.toggle_airplane_mode
    restart_mail_client = laptop.restart_mail_client
    free_disk_space = laptop.free_disk_space
    accept_calendar_permission = laptop.accept_calendar_permission
