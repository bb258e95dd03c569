"""The two players that need no model: scenario -> user, blueprint -> assistant, each one message at a time.

agenda.py                the user: brings up its requests in order and answers what it is asked
request_phrases.py       a request -> the words that bring it up, with the facts told at once
listed_choice.py         a choice, and how the other side has listed or mistaken it -> what is said of it
conduct.py               the behaviours of a scenario -> what the user says when each is due
oracle.py                the assistant: what the request needs next
request_progress.py      where the assistant stands in a request: told, called, asked, what can run now
elicitation.py           missing facts, choices and wishes -> questions; what is said to an answer that is none
tool_calls.py            actions that can run now -> tool calls, with a word on what is done
confirmation_request.py  guarded calls -> the question whether to go ahead, with the values at stake
seen_things.py           results and changes so far -> what an argument was taken from, as it is by now
retry.py                 a result that went wrong -> try again, read it otherwise, or give up
deed_report.py           what was done to what, and what came of it, in words
goal_report.py           results of a request -> what was done, what was found, what was not done and why
device_guidance.py       steps on the user's own device: how the assistant asks for them, how the user tells of them

Order of a turn of the assistant: oracle takes the user's act, request_progress finds what can run, elicitation or
confirmation_request asks, tool_calls calls, retry reads the results, goal_report tells them.
To change when something is asked or called, edit oracle.py; the sentences are in ../wording/grammar.
"""
