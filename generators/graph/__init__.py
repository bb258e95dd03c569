"""Which tool's output can feed which tool's input, and arguments that an environment accepts."""
