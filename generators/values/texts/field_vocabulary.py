"""Fields of which people have a few plain words -> those words, where a schema lists none. Data only."""

KNOWN: dict[str, tuple[str, ...]] = {
    name: tuple(values.split("|"))
    for names, values in (
        ("status state", "active|inactive|pending|completed"),
        ("type kind", "standard|custom|internal|shared"),
        ("level priority severity importance", "low|medium|high"),
        ("size", "small|medium|large"),
        ("visibility privacy", "public|private"),
        ("plan tier", "basic|plus|premium"),
        ("mode", "automatic|manual"),
        ("direction dir ordering", "asc|desc"),
        ("position pos", "top|bottom"),
        ("field fields property", "name|description|status|date"),
        ("filter scope", "all|open|closed"),
        ("unit units", "miles|kilometers|meters|feet"),
        ("format filetype extension", "pdf|csv|json|txt"),
        ("pattern glob", "*.txt|*.csv|report*|notes*"),
        ("genre", "rock|jazz|pop|classical"),
        ("emoji reaction", "thumbsup|heart|rocket|smile"),
        ("source channel_type medium", "web|app|email"),
        ("frequency interval", "daily|weekly|monthly"),
        ("market", "GB|US|DE|SE|PL|JP"),
        ("cuisine", "Italian|Thai|Mexican|Indian"),
        ("action command", "on|off|start|stop"),
        ("timeout ttl", "30s|60s|5m"),
        ("weekday", "Monday|Tuesday|Thursday|Friday"),
        ("encoding charset", "utf-8"),
        ("error failure thought", "The file could not be read.|The answer came too late.|Something is still missing."),
    )
    for name in names.split()
}

COUNTED: dict[str, tuple[int, int]] = {
    "seconds": (10, 90), "minutes": (5, 120), "hours": (1, 12), "days": (1, 30), "weeks": (1, 8), "months": (1, 12),
    "years": (1, 10), "count": (1, 20), "limit": (5, 50),
    "width": (100, 900), "height": (100, 900), "percent": (5, 95), "percentage": (5, 95), "total": (1, 90),
    "votes": (1, 40),
}  # fmt: skip
"""What some sources count in texts -> the numbers that are usual."""
