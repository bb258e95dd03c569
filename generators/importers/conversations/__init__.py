"""Recorded dialogues and calls in any common shape -> messages in one form, result schemas of tools, and flows of values.

message_formats.py     messages of OpenAI, Anthropic, Gemini or Hermes -> roles, calls and results in fields
observed_calls.py      recorded calls -> the calls of each recording, and result schemas for their tools
whole_messages.py      messages of one conversation -> the same in one form, none left out
dialogue_rows.py       a value with conversations anywhere in it -> each with what stands beside it
whole_dialogues.py     a file -> whole dialogues to judge, with tools, scenario and gold
recorded_dialogues.py  a file -> the messages that a run can go on from
observed_flows.py      recorded calls -> which output was seen to feed which argument

Order: message_formats, whole_messages, dialogue_rows, whole_dialogues; observed_calls, recorded_dialogues, observed_flows. To read another shape of
message, see message_formats.
"""
