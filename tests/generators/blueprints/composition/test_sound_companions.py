"""What nobody phrased is asked for with more than one wish where the wishes make sense together."""

from tests.generators.worlds import records


def test_many_tasks_of_an_imported_api_have_several_wishes_and_all_make_sense() -> None:
    made = [record for record in records("museum.yaml", 60) if record.status == "accepted"]
    tasks = [record.blueprint for record in made if record.blueprint is not None]
    assert sum(len(task.goals) > 1 for task in tasks) >= len(tasks) / 4
    assert all(task.sense is None or task.sense.score >= 0.66 for task in tasks)
