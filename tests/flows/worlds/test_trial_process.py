"""Processes that make calls are started beside each other without a trace in the one that starts them."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from interplay.flows.worlds.trial_process import without_script


def test_threads_that_start_processes_leave_the_script_as_it_was() -> None:
    script = sys.modules["__main__"]
    first_in, second_in, first_out = (threading.Event() for _ in range(3))

    def first() -> None:
        with without_script():
            first_in.set()
            second_in.wait(0.2)  # in vain, where one waits for the other
        first_out.set()

    def second() -> None:
        first_in.wait()
        with without_script():
            second_in.set()
            first_out.wait(0.2)

    try:
        with ThreadPoolExecutor(2) as pool:
            for begun in [pool.submit(first), pool.submit(second)]:
                begun.result()
        assert sys.modules["__main__"] is script
    finally:
        sys.modules["__main__"] = script
