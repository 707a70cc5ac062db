"""Runs workloads in their quick size on one machine: each must say PASS, and its issue slots must add up; or refuse the
machine because its blocks are too small for a kernel whose blocks have one shape."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile


REFUSAL = r"\S+: error: .+ runs in blocks of (\d+) threads, a block of this device holds at most (\d+)\n"


def is_refusal(run):
    """The program prints one line, which is true of itself; refused_test.py knows what the machines hold."""
    match = re.match(REFUSAL, run.stdout)
    return run.returncode == 1 and match is not None and int(match[1]) > int(match[2])


def failure(heddle, machine, program):
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        run = subprocess.run([heddle, "run", "-m", machine, "-o", str(result), "--", program, "--quick"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if is_refusal(run):
            return None
        if run.returncode != 0 or "PASS" not in run.stdout:
            return f"status {run.returncode}:\n{run.stdout}"
        out = json.loads(result.read_text())
        sms = out["config"]["gpu.sms"]["value"]
        if out["config"]["core.model"]["value"] == "scoreboard":  # a slot a scheduler
            sms *= out["config"]["scoreboard.schedulers"]["value"]
        slots = sum(out["stalls"].values())
        if slots != out["totals"]["cycles"] * sms:
            return f"{slots} issue slots in {out['totals']['cycles']} cycles of {sms} issue ports"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--machine", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    failed = False
    for program in options.programs:
        why = failure(options.heddle, options.machine, str(options.folder / program))
        print(f"{program}: {why or 'ok'}")
        failed |= why is not None
    sys.exit(failed)


if __name__ == "__main__":
    main()
