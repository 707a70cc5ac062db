#!/usr/bin/env python3
"""Runs a workload on the simulator under formations and schedulers and demands that it passes under each.

    run_workload.py --heddle HEDDLE [--machine NAME] [--formation NAME[,NAME...]] [--scheduler NAME[,NAME...]]
                    [--expect TEXT] -- PROGRAM [ARGS...]

Without names, all that `heddle describe` lists are taken. A pair that heddle refuses when it reads the machine is
passed over, but every formation and every scheduler must run in some pair.
"""
import argparse
import subprocess
import sys


def listed(heddle, what):
    """Names in the first column of `heddle describe WHAT`, below the heading."""
    text = subprocess.run([heddle, "describe", what], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in text.splitlines()[1:] if line and not line[0].isspace()]
    if not names:
        sys.exit(f"{heddle} describe {what} lists nothing")
    return [name for name in names if name != "its"]  # which runs native code only: native_test.py


def refused(result):
    """Whether the pair is one that heddle does not run: the program printed nothing, and the settings are named."""
    return result.returncode != 0 and not result.stdout and "core.formation" in result.stderr \
        and "core.scheduler" in result.stderr


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--heddle", required=True)
    p.add_argument("--machine", default="lwm11")
    p.add_argument("--formation")
    p.add_argument("--scheduler")
    p.add_argument("--expect", default="PASS", help="text that the program must print, beside PASS")
    p.add_argument("program", nargs="+")
    options = p.parse_args()
    formations = options.formation.split(",") if options.formation else listed(options.heddle, "formations")
    schedulers = options.scheduler.split(",") if options.scheduler else listed(options.heddle, "schedulers")

    ran = set()
    failed = False
    for formation in formations:
        for scheduler in schedulers:
            command = [options.heddle, "run", "-m", options.machine, "-s", f"core.formation={formation}", "-s", f"core.scheduler={scheduler}",
                       "--", *options.program]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            lines = result.stdout.splitlines()
            if refused(result):
                print(f"refused  {formation} {scheduler}: {result.stderr.strip()}")
            elif result.returncode == 0 and "PASS" in lines and options.expect in result.stdout:
                ran |= {formation, scheduler}
                print(f"passed   {formation} {scheduler}")
            else:
                failed = True
                print(f"FAILED   {formation} {scheduler}: status {result.returncode}\n  {' '.join(command)}\n"
                      f"{result.stdout}{result.stderr}")
    for name in [*formations, *schedulers]:
        if name not in ran and not failed:
            failed = True
            print(f"FAILED   {name} runs in no pair")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
