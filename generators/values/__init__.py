"""Made-up values for JSON Schemas: used by every other room of `generators`, and using none of them."""
