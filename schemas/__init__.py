"""The records that flow through interplay, the protocols of its parts, and its errors; knows no other room."""
