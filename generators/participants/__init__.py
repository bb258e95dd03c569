"""Who speaks: the user and the assistant, by rules, and how their acts are worded."""
