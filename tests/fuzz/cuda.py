"""Random CUDA programs, compiled by clang or nvcc, against the same source on a plain C++ model of blocks and warps.

A program has several kernels with integers of all widths, floating-point numbers, control flow of all kinds, calls,
structs, tables, shared memory, barriers, operations of warps and atomic operations whose order does not matter. g++
compiles it with cuda_programs/emulator.h for the expected memory. clang and nvcc with one of several options compile it
for heddle, in two ways. Under every formation, each time with another machine, scheduler and settings, and without
timing, the program must leave this memory and execute equally many thread instructions.
"""
import functools
import json
import random
import re
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cuda_programs.program import Program
from tools import compiler, run

HEADERS = Path(__file__).resolve().parent / "cuda_programs"
LIMIT = 60      # seconds of processor time for a process: a machine may be busy with other work
LONGEST = 1200  # seconds by the clock for one command
RUNS = 3        # of each formation
SUSPECT = re.compile(r"internal error|sanitizer|runtime error|not supported|outside|assert", re.IGNORECASE)
SECTIONS = ["stack", "lwm", "tbc", "dwf", "maws", "dmaj", "pro", "two-level", "tl"]
ARCHITECTURES = [75, 80, 86, 90, 100, 120]  # that nvcc compiles for
WITHOUT_REDUCTIONS = 75  # nvcc has __reduce_*_sync for newer ones
NO_CODE = "error in backend: Cannot select"  # of clang 14, for the return of some structs with bitfields


@functools.cache
def described(heddle, topic):
    """The lines of `heddle describe`, without the table's head."""
    text = subprocess.run([heddle, "describe", *topic.split()], capture_output=True, text=True, check=True).stdout
    return [line for line in text.splitlines()[1:] if line.strip()]


def names(heddle, topic):
    return [line.split()[0] for line in described(heddle, topic)]


@functools.cache
def choices(heddle):
    """Settings of formations and schedulers that are one of a few words: (key, words)."""
    found = []
    for section in SECTIONS:
        for line in described(heddle, f"parameters {section}"):
            key, default, *columns = line.split()
            words = next((column.split("|") for column in columns if "|" in column), None)
            if default in ("true", "false"):
                words = ["true", "false"]
            if words and "." in key:
                found.append((key, words))
    return found


def random_settings(rng, heddle, formation):
    """Options of a run on a random machine."""
    machine = rng.choice(names(heddle, "machines"))
    settings = {"core.formation": formation, "core.threads": rng.choice([256, 512])}
    settings |= {"core.code": "ptx", "core.dependences": "scoreboard"}  # native code is another fuzzer's
    if rng.random() < 0.7:
        settings["core.scheduler"] = rng.choice(names(heddle, "schedulers"))
    if rng.random() < 0.3:
        settings["core.width"] = rng.choice([8, 16, 32, 64])
    settings |= {key: rng.choice(words) for key, words in rng.sample(choices(heddle), 3)}
    settings["gpu.sms"] = rng.randint(1, 3)
    words = ["-m", machine] + [word for key, value in settings.items() for word in ("-s", f"{key}={value}")]
    return words + ["--host-threads", 2] if rng.random() < 0.2 else words


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def run_limited(words, folder):
    return run(words, folder, LONGEST, preexec_fn=limit_processor_time)


def does_not_fit(ended):
    """The machine has been refused, as many that are drawn by lot are."""
    return ended.status == 2 and "command line" in ended.errors


@dataclass
class Build:
    """A way to make CUDA code of the program, and how many thread instructions it executes, once that is known."""
    words: list
    architecture: int
    instructions: int = None


def with_clang(rng, tools):
    architecture = rng.choice([75, 80])
    words = [tools.root / "tools" / "heddle-cc", "--lib-dir", tools.build / "lib", "-w",
             f"-O{rng.choice([0, 1, 2, 2, 3])}", f"-arch=sm_{architecture}"]
    return Build(words + (["--keep-branches"] if rng.random() < 0.25 else []), architecture)


def with_nvcc(rng, nvcc):
    architecture = rng.choice(ARCHITECTURES)
    words = [nvcc, "-std=c++17", "-w", "-cudart", rng.choice(["static", "shared"]),
             "-gencode", f"arch=compute_{architecture},code=compute_{architecture}"]
    return Build(words + rng.choice([["-G"], ["-lineinfo"], [], []]), architecture)


class Case:
    """One program, and what there is to compare it with."""

    def __init__(self, seed, folder, tools):
        self.rng, self.folder, self.tools = random.Random(-seed), folder, tools
        nvcc = compiler("nvcc") if seed % 4 == 0 else None
        self.builds = [with_clang(self.rng, tools), with_nvcc(self.rng, nvcc) if nvcc else with_clang(self.rng, tools)]
        reduces = not nvcc or self.builds[1].architecture != WITHOUT_REDUCTIONS
        self.program = Program(random.Random(seed), reduces)
        self.undefined = ["-fsanitize=undefined", "-fno-sanitize-recover"] if seed % 8 == 1 else []
        (folder / "program.cu").write_text(self.program.text())

    def expect(self):
        """Makes the expected memory. What is wrong, as texts."""
        words = ["g++", "-DEMULATED", "-x", "c++", "-std=c++17", "-O1", "-w", "-ffp-contract=off", "-frounding-math",
                 *self.undefined, "-I", HEADERS, "program.cu", "-o", "reference"]
        return self.command(words, "the reference does not compile") or \
            self.command(["./reference", "expected"], "the reference fails")

    def command(self, words, complaint):
        ended = run_limited(words, self.folder)
        return [] if ended.status == 0 else [complaint, f"status {ended.status}", *ended.errors.splitlines()[:12]]

    def check(self, build):
        """What is wrong with the program of one compiler."""
        contraction = [] if self.program.exact else ["-fmad=false"]
        words = [*build.words, *contraction, "-I", HEADERS, "program.cu", "-o", "program"]
        found = self.command(words, "does not compile")
        if any(NO_CODE in line for line in found):
            return []
        found = found or self.simulate(build, ["--functional"])
        for formation in names(self.tools.heddle, "formations") * RUNS:
            if formation == "its":  # native code only: the fuzzer `native`
                continue
            found = found or self.simulate_somewhere(build, formation)
        return [*found, " ".join(map(str, words))] if found else []

    def simulate_somewhere(self, build, formation):
        """A run under a formation on the first machine drawn that fits."""
        for _ in range(200):
            found = self.simulate(build, random_settings(self.rng, self.tools.heddle, formation))
            if found is not None:
                return found
        return [f"no machine found for {formation}"]

    def simulate(self, build, settings):
        """One run: what is wrong, or None if the machine does not fit."""
        (self.folder / "got").unlink(missing_ok=True)
        words = ["--strict", "-s", f"device.compute_capability={build.architecture}", *settings]
        ended = run_limited([self.tools.heddle, "run", *words, "-o", "result.json", "--", "./program", "got"],
                            self.folder)
        if does_not_fit(ended):
            return None
        found = self.of_end(ended) or self.of_memory() or self.of_instructions(build)
        return [" ".join(map(str, words)), *found] if found else []

    def of_end(self, ended):
        if ended.status is None:
            return [f"did not end within {LONGEST} s"]
        suspect = [line for line in ended.errors.splitlines() if SUSPECT.search(line)]
        if ended.status or suspect:
            return [f"ended with status {ended.status}", *(suspect or ended.errors.splitlines()[:12])]
        return []

    def of_memory(self):
        got, expected = (self.folder / "got").read_bytes(), (self.folder / "expected").read_bytes()
        if got == expected:
            return []
        found, at = [f"{len(got)} bytes, expected {len(expected)}"] if len(got) != len(expected) else [], 0
        for region in self.program.regions():
            for i in range(region.number):
                one, other = got[at:at + region.bytes], expected[at:at + region.bytes]
                at += region.bytes
                if one != other:
                    where = f" (thread {i // region.row}, value {i % region.row})" if region.row else ""
                    found.append(f"{region.name}[{i}]{where} is {one[::-1].hex()}, expected {other[::-1].hex()}")
        return found[:8] + [f"{len(found)} differences"]

    def of_instructions(self, build):
        """Threads that repeat an operation until it succeeds execute more under one formation than under another."""
        if self.program.repeats:
            return []
        count = json.loads((self.folder / "result.json").read_text())["totals"]["thread_instructions"]
        build.instructions = build.instructions or count
        return [f"{count} thread instructions, {build.instructions} before"] if count != build.instructions else []


def missing(tools):
    absent = [name for name in ("g++", "clang++-14") if not compiler(name)]
    if not (tools.build / "lib" / "libcudart.so.13").exists():
        absent.append("libcudart.so.13 of heddle")
    return tools.missing_heddle() or (f"there is no {absent[0]}" if absent else None)


def find(seed, folder, tools):
    case = Case(seed, folder, tools)
    return case.expect() or case.check(case.builds[0]) or case.check(case.builds[1])
