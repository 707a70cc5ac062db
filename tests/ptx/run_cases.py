#!/usr/bin/env python3
"""Runs PTX cases (cases/*.case) end to end through `heddle ptx`, under every formation.

usage: run_cases.py --heddle PATH [--formation NAME]... [--in-turn] [--set KEY=VALUE]... [--only WORD] [--keep DIR]
       [--native [--timed]] FILE.case...

--in-turn runs a case under pdom and one more of its formations, the next case under the next one.

--native runs native code (docs/native-code.md), without timing, or with --timed on four SMs of h100. Numbers of the
result file are not compared, and cases that fail are left out where micro-ops fail, too, without timing. A case file holds
cases; README.md beside this file describes their format. Prints what differs; exit status 1 when a case failed.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import case_file
from values import Mismatch, check_words


def formations(heddle):
    """Names of all formations that run the micro-ops of PTX, as the program itself lists them."""
    text = subprocess.run([heddle, "describe", "formations"], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in text.splitlines()[1:] if line.strip()]  # the first line is the table's head
    if not names:
        raise SystemExit(f"{heddle} describe formations lists nothing")
    names.remove("its")  # native code only: --native
    return names


# Native code has no loads whose results nothing reads, so such a load finds no fault.
# A spin lock under stack reconvergence does not end, with convergence barriers it does.
NOT_NATIVE = {"a spin lock under pdom is reported as livelock",
              "txq of a surface", "wmma with a misaligned line",
              "wmma outside of its buffer"}
# Cases about the machine, also clusters that have no room in a GPC of h100, and a message that names the waiting threads
# of one SM only.
NOT_TIMED = {"cluster barrier that block 1 does not reach", "a block with too many threads", "an unknown machine",
             "cluster atomics on maws-coherent", "cluster more than fit at once",
             "cluster more than fit at once with three host threads", "cluster that does not fit"}


def command(heddle, case, formation, code=None, timed=False):
    words = [str(heddle), "ptx", "case.ptx", "--grid", case.grid, "--block", case.block]
    if case.cluster:
        words += ["--cluster", case.cluster]
    words += ["-e", case.entry] if case.entry else []
    words += ["--shared", case.shared] if case.shared else []
    words += ["-m", "h100" if timed else case.machine or "lwm11"]  # which runs every formation
    words += ["--strict"]
    chosen = [f"core.formation={formation}"] if formation and not timed else ["gpu.sms=4"] if timed else []
    for setting in [*chosen, *case.settings]:
        words += ["-s", setting]
    for argument in case.arguments:
        words += ["--arg", argument.spec]
    for index in sorted({case.index_of(e.argument) for e in case.expectations}):
        words += ["--dump", str(index)]
    if timed:
        words += ["-s", "core.code=native"]
    elif code:
        words += ["--functional", "-s", f"core.code={code}", "-s", "device.compute_capability=90"]
    return [*words, *(o for o in case.options if o not in words), "-o", "result.json"]


def dumps(stdout):
    """Bytes by argument index, from the lines `dump N: HEX`."""
    found = re.findall(r"^dump (\d+): *([0-9a-fA-F]*)\s*$", stdout, re.MULTILINE)
    return {int(index): bytes.fromhex(text) for index, text in found}


def result_value(result, path):
    for key in path.split("."):
        result = result[int(key)] if isinstance(result, list) else result[key]
    return result


COMPARE = {
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def in_turn(formations, number):
    """pdom, if it is one of them, and one of the others."""
    others = [name for name in formations if name != "pdom"]
    return [name for name in formations if name == "pdom" or name == others[number % len(others)]] if others else formations


def problems(case, run, folder):
    """What a finished run shows that the case does not allow, as texts."""
    if case.fails:
        if run.returncode == 0:
            yield "ended with status 0; an error was expected"
        if run.returncode < 0 or run.returncode >= 128:
            yield f"died of a signal (status {run.returncode})"
    elif run.returncode != 0:
        yield f"ended with status {run.returncode}"
        return
    for error in case.errors:
        if not re.search(error.pattern, run.stderr, re.MULTILINE):
            yield f"no error message with: {error.text}"
    memory = dumps(run.stdout)
    for expectation in case.expectations:
        index = case.index_of(expectation.argument)
        if index not in memory:
            yield f"no line 'dump {index}: ...' on the output"
            continue
        try:
            check_words(memory[index], expectation)
        except Mismatch as mismatch:
            yield f"line {expectation.line}: {expectation.argument}: {mismatch}"
    if case.results:
        try:
            result = json.loads((folder / "result.json").read_text())
        except (OSError, ValueError) as error:
            yield f"result file: {error}"
            return
        for path, relation, expected in case.results:
            try:
                value = result_value(result, path)
            except (KeyError, IndexError, TypeError):
                yield f"the result file has no {path}"
                continue
            if not COMPARE[relation](value, expected):
                yield f"{path} is {value}; expected {relation} {expected}"


def is_apart(case, timed):
    """A limit of cycles does not end a run without timing."""
    return case.name in NOT_NATIVE or timed and case.name in NOT_TIMED or any("--max-cycles" in option for option in case.options)


def run_case(heddle, case, formation, folder, code=None, timed=False):
    """Problems of one case under one formation; the command line and the messages follow them."""
    (folder / "case.ptx").write_text(case.ptx())
    words = command(heddle, case, formation, code, timed)
    (folder / "result.json").unlink(missing_ok=True)
    try:
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=case.timeout)
    except subprocess.TimeoutExpired:
        return [f"did not end within {case.timeout} s", " ".join(words)]
    found = list(problems(case, run, folder))
    return [*found, " ".join(words), *run.stderr.splitlines()[:12]] if found else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True, type=Path, help="the program to test")
    parser.add_argument("--formation", action="append", help="only under this formation")
    parser.add_argument("--in-turn", action="store_true", help="pdom and one more formation for each case, in turn")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE for every case")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--keep", type=Path, help="folder to leave the last case.ptx and result.json in")
    parser.add_argument("--native", action="store_true", help="native code, without timing")
    parser.add_argument("--timed", action="store_true", help="native code with its timing")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    heddle = options.heddle.resolve()
    every = options.formation or formations(heddle)

    number = runs = failures = apart = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for file in options.files:
            for case in case_file.read(file):
                if options.only not in case.name:
                    continue
                case.settings = options.set + case.settings  # a case's own settings win
                if options.native:
                    case.formations, case.results = ["pdom"], []
                chosen = case.formations or every
                if options.in_turn:
                    chosen = in_turn(chosen, number)
                    number += 1
                for formation in chosen:
                    runs += 1
                    if options.native and is_apart(case, options.timed):
                        apart += 1
                        continue
                    found = run_case(heddle, case, formation, folder, "native" if options.native else None, options.timed)
                    if found and options.native and run_case(heddle, case, formation, folder, "ptx"):
                        apart += 1
                    elif found:
                        failures += 1
                        print(f"FAILED {file.name}:{case.line}: {case.name} [{formation}]")
                        print("".join(f"    {line}\n" for line in found), end="")
    others = f", {apart} not comparable" if options.native else ""
    print(f"{runs - failures - apart} of {runs} runs passed{others}")
    if failures or not runs:
        sys.exit(1)


if __name__ == "__main__":
    main()
