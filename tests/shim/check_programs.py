#!/usr/bin/env python3
"""Compiles every program of a folder, runs it on heddle's CUDA runtime and holds it against what its comments say.

    // EXPECT: text         a line of standard output, in this order
    // ERROR: text          standard error contains it
    // STATUS: N            exit status (default 0)
    // ENV: NAME=VALUE      environment of the run
    // OPTIONS: ...         for the compiler
    // ARCH: 80             compute capability of its code (default 75) and of the device
    // ALSO: FILE           another file of the program, beside it
    // NEEDS: FILE.h        a header that not every toolkit of nvcc has, or for clang a package of the system
    // NOT-WITH: nvcc       what the names of compilers that cannot build it begin with
Exit status 77: the compiler is not on this machine.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def compile_command(options, arch, sources, program, extra):
    if options.compiler == "nvcc":
        return ["nvcc", "-std=c++17", "-cudart", "static" if options.static else "shared", "-lineinfo", "-gencode",
                f"arch=compute_{arch},code=compute_{arch}", "-Wno-deprecated-gpu-targets", *sources, "-o",
                str(program)] + extra
    return [options.cc, "--clang", options.compiler, "--lib-dir", options.lib_dir, f"-arch=sm_{arch}", *sources, "-o",
            str(program)] + extra


def lacks(compiler, headers):
    """Whether one of the headers is neither nvcc's nor, for clang, heddle's or the system's."""
    if compiler == "nvcc":
        toolkit = pathlib.Path(shutil.which("nvcc")).resolve().parent.parent / "include"
        folders = [toolkit, toolkit / "cccl"]
    else:
        folders = [pathlib.Path(__file__).resolve().parent.parent.parent / "include/heddle-cuda", pathlib.Path("/usr/include")]
    return any(not any((folder / header).exists() for folder in folders) for header in headers)


def check(options, source, folder):
    """Problems of one program, as text; empty when it did what it says."""
    notes = re.findall(r"^// ([A-Z-]+): ?(.*)$", source.read_text(), re.M)

    def values(key):
        return [v for k, v in notes if k == key]

    if any(options.compiler.startswith(v) for v in values("NOT-WITH")):
        return None
    if lacks(options.compiler, values("NEEDS")):
        return None
    program = folder / source.stem
    extra = " ".join(values("OPTIONS")).split()
    sources = [str(source)] + [str(source.parent / other) for other in values("ALSO")]
    arch = (values("ARCH") or ["75"])[0]
    built = subprocess.run(compile_command(options, arch, sources, program, extra), capture_output=True, text=True)
    if built.returncode:
        return f"does not compile\n{built.stderr}"
    environment = dict(os.environ, HEDDLE_MACHINE="lwm11", LD_LIBRARY_PATH=options.lib_dir, HEDDLE_RESULT=str(folder / "result.json"))
    if options.static:
        environment["LD_PRELOAD"] = f"{options.lib_dir}/libheddle-static-runtime.so"
    if values("ARCH"):
        environment["HEDDLE_SET"] = f"device.compute_capability={arch.rstrip('a')}"
    environment.update(v.split("=", 1) for v in values("ENV"))
    if options.machine:
        environment["HEDDLE_MACHINE"] = options.machine
    run = subprocess.run([str(program)], capture_output=True, text=True, env=environment, timeout=120)
    problems = []
    status = int((values("STATUS") or ["0"])[0])
    if run.returncode != status:
        problems.append(f"exit status {run.returncode} instead of {status}")
    want = values("EXPECT")
    if run.stdout.splitlines() != want:
        problems.append("standard output is\n" + run.stdout + "instead of\n" + "\n".join(want))
    problems += [f"standard error lacks '{e}'" for e in values("ERROR") if e not in run.stderr]
    if not values("ERROR") and run.stderr:
        problems.append("standard error is not empty")
    if not (folder / "result.json").exists():
        problems.append("no result file was written")
    (folder / "result.json").unlink(missing_ok=True)
    return "\n".join(problems + [run.stderr]) if problems else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--sources", required=True, type=pathlib.Path)
    parser.add_argument("--lib-dir", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--static", action="store_true", help="with the CUDA runtime of nvcc linked into the program")
    parser.add_argument("--machine", help="in the place of the one that a program names")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if shutil.which(options.compiler) is None:
        print(f"skipped: no {options.compiler} on this machine")
        sys.exit(77)
    failed = 0
    for source in sorted(options.sources.glob("*.cu")):
        if options.names and source.stem not in options.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            problem = check(options, source, pathlib.Path(folder))
        print(f"{source.stem}: {'not with ' + options.compiler if problem is None else problem or 'ok'}")
        failed += bool(problem)
    sys.exit(1 if failed else 0)


main()
