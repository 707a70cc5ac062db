#!/usr/bin/env python3
"""Programs with races, atomics, barriers and much traffic give the same results on one host thread and on several, on
machines of each kind that have several SMs; all but what is the host's.

    host_threads_test.py HEDDLE FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])

MACHINES = ["dwf07", "gtx480", "gtx480-pro", "maws-bulk", "maws-coherent", "rtx2060", "a100"]
PROGRAMS = ["bfs", "histogram", "micro-atomics", "micro-random", "short"]


def simulate(machine, program, threads):
    """What the program prints, and its results."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        run = subprocess.run([HEDDLE, "run", "-m", machine, "--host-threads", str(threads), "-o", str(result), "--",
                              str(FOLDER / program), "--quick"], capture_output=True, text=True)
        results = json.loads(result.read_text())
    del results["host"]
    return run.returncode, run.stdout.rsplit("simulated ", 1)[0], results


class HostThreads(unittest.TestCase):
    def test_no_result_depends_on_them(self):
        for machine in MACHINES:
            for program in PROGRAMS:
                alone = simulate(machine, program, 1)
                for threads in 2, 5:
                    with self.subTest(machine=machine, program=program, threads=threads):
                        self.assertEqual(simulate(machine, program, threads), alone)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
