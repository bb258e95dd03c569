"""One tool -> its role: operation (create, read, list, update, delete, action, compute), resource, target and owners.

path_words.py      paths whose words run together -> the same with the words apart
segments.py        path templates -> segments, each a literal or a parameter
paths.py           the paths of a toolset -> resources, owners, and what a GET on each path shows
singletons.py      a path -> the one thing of its kind that it leads to: settings, a widget, the caller's own account
rpc_calls.py       a dotted path (`/conversations.invite`) -> the words of its name, what it shows and takes
targets.py         a tool and its resource -> the argument that says which row is meant
name_roles.py      name and arguments -> the role of a tool without an informative path
method_roles.py    a path that leads to no row, and its method -> the role
path_roles.py      a path that leads to a row, and its method -> the role
classification.py  one tool -> its role, by path or by name, then by what its result shows
rpc_roles.py       all functions behind dotted paths -> the resources that they show and take
field_edits.py     paths that end at one field of a row -> which field, and whether it is set, cleared, added to
bulk_edits.py      functions over lists of items -> which list of which row each item changes

Order: path_words, segments, paths, singletons; then per tool classification (which asks path_roles, method_roles or
name_roles); then over all tools rpc_roles, field_edits, targets, bulk_edits. To change what a POST does, see `post_at` in
method_roles; to change what a GET does, see `get_at` there.
"""
