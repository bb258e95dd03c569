"""Recorded dialogues and calls in any common shape -> messages in one form, result schemas of tools, and flows of values.

message_formats.py     messages of OpenAI, Anthropic, Gemini or Hermes -> roles, calls and results in fields
observed_calls.py      recorded calls -> the calls of each recording, and result schemas for their tools
whole_messages.py      messages of one conversation -> all of them as `Message` records
dialogue_rows.py       a value with conversations nested anywhere in it -> each with its sibling keys
whole_dialogues.py     a file -> whole dialogues to judge, with tools, scenario and gold
recorded_dialogues.py  a file -> conversations that a run can continue
observed_flows.py      recorded calls -> which output fed which argument, and how often

Order: message_formats, whole_messages, dialogue_rows, whole_dialogues; observed_calls, recorded_dialogues, observed_flows. To support another
message format, see message_formats.
"""
