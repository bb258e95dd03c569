"""Recorded dialogues and calls in any common shape -> messages in one form, result schemas of tools, and flows of values.

message_formats.py     messages of OpenAI, Anthropic, Gemini or Hermes -> roles, calls and results in fields
observed_calls.py      recorded calls -> the calls of each recording, and result schemas for their tools
recorded_dialogues.py  recorded dialogues -> the messages that a run can go on from
observed_flows.py      recorded calls -> which output was seen to feed which argument

Order: message_formats, observed_calls; recorded_dialogues and observed_flows read what these find. To read another shape of
message, see message_formats.
"""
