"""An environment, its tool graph and a recipe -> a blueprint, or the issue why none was found.

blueprint_composer.py   composes and revises tasks, adds faults, takes tasks from models; leaves the opening state
blueprint_variants.py   a blueprint -> an easier, harder or other one, checked by the measured score
blueprint_attempts.py   one draw: grow a draft by the operator of its pattern, add behaviours, finish it
composition_context.py  what all drafts in one environment share: rows, users, producers, the finisher
novelty.py              what a new draw must not repeat: stories, and criticised calls and wordings

Order: composition_context, blueprint_attempts, blueprint_variants, blueprint_composer. To change how often something is
tried before a plain task is made, change the constants of `blueprint_attempts` and `blueprint_composer`.
"""
