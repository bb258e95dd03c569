"""Recipes and blueprints: what is asked for, and the task with ground truth that it becomes."""
