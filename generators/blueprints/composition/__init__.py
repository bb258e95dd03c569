"""An environment, its tool graph and a recipe -> a blueprint, or the issue for which none was found.

blueprint_composer.py   composes, revises, spoils and takes tasks from models; leaves the environment in its opening state
blueprint_variants.py   a blueprint -> an easier, harder or other one, held against its direction by the measured score
blueprint_attempts.py   one draw: grow a draft by the operator of its pattern, add behaviours, finish it
composition_context.py  what all drafts in one environment grow from: rows, users, producers, the finisher
novelty.py              what a new draw must not repeat: stories, calls and wordings at fault

Order: composition_context, blueprint_attempts, blueprint_variants, blueprint_composer. To change how often something is
tried before a plain task is made, change the constants of `blueprint_attempts` and `blueprint_composer`.
"""
