#!/usr/bin/env python3
"""Every workload as native code: it passes, and prints what it prints with micro-ops. The microbenchmarks print times, which
without timing are numbers of instructions: they have to pass.

    native_test.py HEDDLE FOLDER PROGRAM...
"""
import subprocess
import sys

CAPABILITIES = [70, 75, 90]  # Volta, Turing, Hopper: other latencies, other encodings


def run(heddle, program, *settings):
    # Native code takes registers as the compiler gives them, more than gtx480 has for some programs.
    words = [heddle, "run", "-q", "--functional", "-s", "core.registers=65536"]
    for setting in settings:
        words += ["-s", setting]
    return subprocess.run([*words, "--", program, "--quick"], capture_output=True, text=True, check=False)


def main():
    heddle, folder, *programs = sys.argv[1:]
    failed = []
    for name in programs:
        program = f"{folder}/{name}"
        expected = run(heddle, program)
        if expected.returncode or "PASS" not in expected.stdout.splitlines():
            failed.append(f"{name} does not pass with micro-ops: {expected.stdout}{expected.stderr}")
            continue
        for capability in CAPABILITIES:
            native = run(heddle, program, "core.code=native", f"device.compute_capability={capability}")
            equal = native.stdout == expected.stdout or name.startswith("micro-") and "PASS" in native.stdout.splitlines()
            if native.returncode or not equal:
                failed.append(f"{name}, {capability}: status {native.returncode}\n{native.stdout}{native.stderr}")
    print("\n".join(failed) or f"{len(programs)} programs passed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
