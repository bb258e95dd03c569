"""Systems with hidden state -> environments whose state is the list of calls made so far.

recorded_session.py  calls with their results -> a JSON Lines file, and an environment that answers from it
server_settings.py   an author's settings of a server -> how it is started, reset and waited for
varying_answers.py   two answers to one call after two starts -> where they differ only in names and order
stable_names.py      identities and times that a server makes anew at each start <-> the same in records
server_answers.py    the answer of an MCP server to a call -> its value, its error, and its text
live_server.py       an MCP server -> an environment that restores a state by a fresh start and the same writes
entity_memory.py     the results of a dialogue -> what they show of each entity, which later results must agree with
simulated_tools.py   tools that a model plays -> an environment; results keep to their schemas and to the entity memory

Order: recorded_session has the records of calls that live_server and simulated_tools share. To change when a model's answer
is refused, see `disagreements` in entity_memory.
"""
