"""The checker finds nothing in the workload programs, but for the known race of bfs.

usage: workloads_test.py HEDDLE FOLDER PROGRAMS...
"""
import json
import pathlib
import subprocess
import sys
import tempfile

# Threads of bfs read and write the levels of nodes without an order: whichever comes first, a node gets the same level.
KNOWN = {"bfs": {("races", "bfs.cu")}}

heddle, folder, programs = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
failed = []
with tempfile.TemporaryDirectory(prefix="heddle-check-") as temporary:
    result = pathlib.Path(temporary) / "r.json"
    for program in programs:
        done = subprocess.run([heddle, "run", "-m", "gtx480", "--functional", "--check", "all", "-o", result, "--",
                               folder / program, "--quick"], capture_output=True, text=True, timeout=600)
        checks = json.loads(result.read_text())["checks"]
        kinds = {(c["check"], c["second"]["where"].rpartition("/")[2].partition(":")[0]) for c in checks if c["second"]}
        if kinds != KNOWN.get(program, set()) or (done.returncode == 0) != (program not in KNOWN):
            failed.append(program)
            print(f"{program}: exit status {done.returncode}\n{done.stderr}")
sys.exit(f"not as expected: {', '.join(failed)}" if failed else 0)
