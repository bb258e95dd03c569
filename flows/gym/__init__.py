"""Tasks as sessions for agents in training, and transcripts of them -> rewards.

catalogue.py     a workspace or a configuration -> the tasks that can be opened, by id
session.py       one task under way: calls, words, what the user says next; its dialogue -> its reward
verification.py  a finished transcript -> the session replayed, and the same reward
open_sessions.py the sessions of a server: bounded in number, gone when they are abandoned
service.py       what a server does for whoever asks
live_page.py     sessions, rewards and what was lacking -> a page for people
session_requests.py the body of a request -> a checked record
gym_routes.py    the addresses, each with what answers it
gym_guard.py     requests -> those that are served
server.py        all of it over HTTP with JSON
mcp_server.py    the same over MCP

Order: catalogue, session, verification; open_sessions, service, live_page; session_requests, gym_routes, gym_guard; server,
mcp_server. A session knows of words alone what any assistant writes: the user by rules hears them as it hears a model.
"""
