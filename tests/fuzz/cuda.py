"""Random CUDA programs, compiled by clang or nvcc, against the same source on a plain C++ model of blocks and warps.

A program has several kernels with integers of all widths, floating-point numbers, control flow of all kinds, calls,
structs, tables, shared memory, barriers, operations of warps and atomic operations whose order does not matter. g++
compiles it with cuda_programs/emulator.h for the expected memory. Under every formation, each with another machine,
scheduler and settings, and without timing, the program must leave this memory and execute equally many thread
instructions.
"""
import functools
import json
import random
import re
import subprocess
import sys
from pathlib import Path

from cuda_programs.program import Program
from tools import compiler, run

HEADERS = Path(__file__).resolve().parent / "cuda_programs"
LIMIT = 120  # seconds for one command
RUNS = 2     # of each formation
SUSPECT = re.compile(r"internal error|sanitizer|runtime error|not supported|outside|assert", re.IGNORECASE)
SECTIONS = ["stack", "lwm", "tbc", "dwf", "maws", "dmaj", "pro", "two-level", "tl"]
ARCHITECTURES = [75, 80, 86, 90, 100, 120]  # that nvcc compiles for
WITHOUT_REDUCTIONS = 75  # nvcc has __reduce_*_sync for newer ones


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
    if rng.random() < 0.7:
        settings["core.scheduler"] = rng.choice(names(heddle, "schedulers"))
    if rng.random() < 0.3:
        settings["core.width"] = rng.choice([8, 16, 32, 64])
    settings |= {key: rng.choice(words) for key, words in rng.sample(choices(heddle), 3)}
    settings["gpu.sms"] = rng.randint(1, 3)
    words = ["-m", machine] + [word for key, value in settings.items() for word in ("-s", f"{key}={value}")]
    return words + ["--host-threads", 2] if rng.random() < 0.2 else words


def does_not_fit(ended):
    """The machine has been refused, as many that are drawn by lot are."""
    return ended.status == 2 and "command line" in ended.errors


class Case:
    """One program, and what there is to compare it with."""

    def __init__(self, seed, folder, tools):
        self.rng, self.folder, self.tools = random.Random(-seed), folder, tools
        self.nvcc = compiler("nvcc") if seed % 4 == 0 else None
        self.architecture = self.rng.choice(ARCHITECTURES if self.nvcc else [75, 80])
        reduces = not self.nvcc or self.architecture != WITHOUT_REDUCTIONS
        self.program = Program(random.Random(seed), reduces)
        self.static = self.rng.random() < 0.5
        self.undefined = ["-fsanitize=undefined", "-fno-sanitize-recover"] if seed % 8 == 1 else []
        self.build = None
        self.instructions = None
        (folder / "program.cu").write_text(self.program.text())

    def expect(self):
        """Makes the expected memory. What is wrong, as texts."""
        words = ["g++", "-DEMULATED", "-x", "c++", "-std=c++17", "-O1", "-w", "-ffp-contract=off", "-frounding-math",
                 *self.undefined, "-I", HEADERS, "program.cu", "-o", "reference"]
        return self.command(words, "the reference does not compile") or \
            self.command(["./reference", "expected"], "the reference fails")

    def compile(self):
        return self.command(self.compile_words(), f"does not compile: {' '.join(map(str, self.compile_words()))}")

    def compile_words(self):
        """The command, the same at each call."""
        if self.build is None:
            self.build = self.with_nvcc() if self.nvcc else self.with_clang()
            self.build += ["-I", str(HEADERS), "program.cu", "-o", "program"]
            if not self.program.exact:
                self.build.append("-fmad=false")
        return self.build

    def with_clang(self):
        words = [self.tools.root / "tools" / "heddle-cc", "--lib-dir", self.tools.build / "lib", "-w",
                 f"-O{self.rng.choice([0, 1, 2, 2, 3])}", f"-arch=sm_{self.architecture}"]
        return words + (["--keep-branches"] if self.rng.random() < 0.25 else [])

    def with_nvcc(self):
        words = [self.nvcc, "-std=c++17", "-w", "-cudart", "static" if self.static else "shared",
                 "-gencode", f"arch=compute_{self.architecture},code=compute_{self.architecture}"]
        return words + self.rng.choice([["-G"], ["-lineinfo"], [], []])

    def command(self, words, complaint):
        ended = run(words, self.folder, LIMIT)
        return [] if ended.status == 0 else [complaint, f"status {ended.status}", *ended.errors.splitlines()[:12]]

    def simulate(self, words):
        """One run: what is wrong, or None if the machine does not fit."""
        (self.folder / "got").unlink(missing_ok=True)
        capability = f"device.compute_capability={self.architecture}"
        ended = run([self.tools.heddle, "run", "--strict", "-s", capability, *words, "-o", "result.json", "--", "./program",
                     "got"], self.folder, LIMIT)
        if does_not_fit(ended):
            return None
        found = self.of_end(ended) or self.of_memory() or self.of_instructions()
        return [" ".join(map(str, words)), *found] if found else []

    def of_end(self, ended):
        if ended.status is None:
            return [f"did not end within {LIMIT} s"]
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

    def of_instructions(self):
        """Threads that repeat an operation until it succeeds execute more under one formation than under another."""
        if self.program.repeats:
            return []
        count = json.loads((self.folder / "result.json").read_text())["totals"]["thread_instructions"]
        self.instructions = self.instructions or count
        return [f"{count} thread instructions, {self.instructions} before"] if count != self.instructions else []

    def simulate_somewhere(self, formation):
        """A run under a formation on the first machine drawn that fits."""
        for _ in range(50):
            found = self.simulate(random_settings(self.rng, self.tools.heddle, formation))
            if found is not None:
                return found
        return [f"no machine found for {formation}"]


def missing(tools):
    absent = [name for name in ("g++", "clang++-14") if not compiler(name)]
    if not (tools.build / "lib" / "libcudart.so.13").exists():
        absent.append("libcudart.so.13 of heddle")
    return tools.missing_heddle() or (f"there is no {absent[0]}" if absent else None)


def find(seed, folder, tools):
    case = Case(seed, folder, tools)
    found = case.expect() or case.compile() or case.simulate(["--functional"])
    for formation in names(tools.heddle, "formations") * RUNS:
        found = found or case.simulate_somewhere(formation)
    return [*found, " ".join(map(str, case.compile_words()))] if found else []
