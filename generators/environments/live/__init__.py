"""Systems with hidden state -> environments whose state is the calls that were made.

recorded_session.py  calls with their results -> a JSON Lines file, and an environment that answers from it
server_settings.py   what an author says of a server -> how it is started, brought back and waited for
varying_answers.py   two answers to one call at two starts -> where they differ in names and order alone
stable_names.py      what a server names anew at each start <-> the same in records
server_answers.py    what an MCP server answers to a call -> its value, its error, and its text
live_server.py       an MCP server -> an environment that starts it afresh and repeats its writes to go back
entity_memory.py     the results of a dialogue -> what they show of each entity, which later results must agree with
simulated_tools.py   tools that a model plays -> an environment; results keep to their schemas and to the entity memory

Order: recorded_session has the records of calls that live_server and simulated_tools share. To change when a model's answer
is refused, see `disagreements` in entity_memory.
"""
