#!/usr/bin/env python3
"""Compares the tables of docs/cuda-libraries.md with the functions that the libraries serve.

Served is what a library exports, but for the names in its list of functions that are not supported.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARIES = [("libcublas.so.13", "cublas", "shim/blas/unsupported_blas.def"), ("libcurand.so.10", "curand", "shim/rand/unsupported_rand.def")]


def served(library, unsupported):
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[2].partition("@")[0] for line in listing.splitlines() if line.split()[1] == "T"}
    names = exported - set(re.findall(r"HEDDLE_UNSUPPORTED\((\w+)\)", unsupported.read_text()))
    return {re.sub(r"(_v2)?(_64)?$", "", name) for name in names}


def written(page, prefix):
    """Names in code, with {A,B} as several."""
    out = set()
    for row in re.findall(r"^\|.*\|$", page, re.M):
        for name in re.findall(r"`(" + prefix + r"[\w{},]+)`", row):
            before, _, rest = name.partition("{")
            choices, _, after = rest.partition("}")
            out |= {before + choice + after for choice in choices.split(",")}
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lib-dir", required=True, type=pathlib.Path)
    options = parser.parse_args()
    page = (ROOT / "docs/cuda-libraries.md").read_text()
    failed = False
    for library, prefix, unsupported in LIBRARIES:
        have, told = served(options.lib_dir / library, ROOT / unsupported), written(page, prefix)
        print(f"{library}: {len(have)} functions served")
        for text, names in (("served and not in the table", have - told), ("in the table and not served", told - have)):
            if names:
                print(f"  {text}: {' '.join(sorted(names))}")
                failed = True
    sys.exit(failed)


main()
