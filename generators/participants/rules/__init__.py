"""The two players that need no model: scenario -> user, blueprint -> assistant, each one message at a time.

agenda.py                the user: brings up its requests in order and answers questions
request_phrases.py       a request -> the words that bring it up, with the facts told at once
listed_choice.py         a choice, and the list as the assistant showed it -> whether it is misunderstood, and its value
conduct.py               the behaviours of a scenario -> what the user says when each is due
oracle.py                the assistant: does what the request needs next
request_progress.py      the state of a request: what was told, called and asked, and what can run now
elicitation.py           missing facts, choices and wishes -> questions; replies to digressions
tool_calls.py            actions that can run now -> tool calls, with a remark on what is done
confirmation_request.py  guarded calls -> the question whether to go ahead, with the values at stake
seen_things.py           results and changes so far -> the row behind an argument in its latest state
retry.py                 a faulty result -> retry, restore the right answer, or give up
deed_report.py           a completed action -> the words for it and its outcome
goal_report.py           results of a request -> what was done, what was found, what was not done and why
device_guidance.py       steps on the user's own device: how the assistant asks for them, how the user reports them

Order of a turn of the assistant: oracle takes the user's act, request_progress finds what can run, elicitation or
confirmation_request asks, tool_calls calls, retry reads the results, goal_report tells them.
To change when something is asked or called, edit oracle.py; the sentences are in ../wording/grammar.
"""
