"""Tasks as sessions for agents in training, and transcripts of them -> rewards.

catalogue.py     a workspace or a configuration -> the tasks that can be opened, by id
session.py       one task under way: calls, words, the user's answers; its dialogue -> its reward
verification.py  a finished transcript -> the session replayed, and the same reward
open_sessions.py the sessions of a server: limited in number, dropped when abandoned
service.py       the operations of a server, for HTTP and MCP
live_page.py     sessions, rewards and failures -> a page for people
session_requests.py the body of a request -> a checked record
gym_routes.py    the HTTP routes and their handlers
gym_guard.py     which requests are served: size, token, host
server.py        all of it over HTTP with JSON
mcp_server.py    the same over MCP

Order: catalogue, session, verification; open_sessions, service, live_page; session_requests, gym_routes, gym_guard; server,
mcp_server. A session knows only the words of the agent, not its acts: the user by rules hears them as it hears a model.
"""
