"""The user also asks for something that no tool can do."""

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour

IMPOSSIBLE_WISH = UserBehaviour(name="asks_impossible", act="off_topic")
