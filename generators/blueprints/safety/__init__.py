"""A chain of capabilities and the tools at hand -> a task in three twins: harmful, borderline, benign.

capability_chains.py    chains as data (capability_chains.yaml), and the tools that fit their links
scenario_triples.py     a recipe -> the instance of a chain that all three twins share, checked to work
safety_scenarios.py     an instance -> a draft of one twin, with what is expected of the assistant

Order: capability_chains, scenario_triples, safety_scenarios. To add a chain, add it to capability_chains.yaml.
"""
