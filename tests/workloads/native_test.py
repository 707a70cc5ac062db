#!/usr/bin/env python3
"""Every workload as native code: it passes, and prints what it prints with micro-ops, without timing and on a modern machine.
The microbenchmarks print times: they have to pass.

    native_test.py HEDDLE FOLDER PROGRAM...
"""
import subprocess
import sys

# Native code takes registers as the compiler gives them, more than gtx480 has for some programs.
MICRO_OPS = ["--functional", "-s", "core.registers=65536"]
NATIVE = [  # Volta, Turing, Hopper: other latencies, other encodings
    *([*MICRO_OPS, "-s", "core.code=native", "-s", f"device.compute_capability={c}"] for c in (70, 75, 90)),
    ["-m", "v100"],
]


def run(heddle, program, options):
    words = [heddle, "run", "-q", *options, "--", program, "--quick"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def main():
    heddle, folder, *programs = sys.argv[1:]
    failed = []
    for name in programs:
        program = f"{folder}/{name}"
        expected = run(heddle, program, MICRO_OPS)
        if expected.returncode or "PASS" not in expected.stdout.splitlines():
            failed.append(f"{name} does not pass with micro-ops: {expected.stdout}{expected.stderr}")
            continue
        for options in NATIVE:
            native = run(heddle, program, options)
            # Times differ, and the number of threads that some programs take from the machine.
            may_differ = name.startswith("micro-") or "-m" in options
            equal = native.stdout == expected.stdout or may_differ and "PASS" in native.stdout.splitlines()
            if native.returncode or not equal:
                failed.append(f"{name}, {' '.join(options)}: status {native.returncode}\n{native.stdout}{native.stderr}")
    print("\n".join(failed) or f"{len(programs)} programs passed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
