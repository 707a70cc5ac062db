"""Mutated PTX, machine files, experiments, plans, results, stores, fat binaries: libFuzzer over what reads them.

A case is one run of one target (tests/fuzz/targets), by turns, with the seed of the case. libFuzzer begins with some of
the tree's own files of that kind, chosen by the seed, and mutates them. The input of a finding is left as found-*.
"""
import functools
import json
import os
import random
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools import run

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "ptx"))
import case_file  # noqa: E402 (its folder has just been named)

# Targets write each input to a file: where there is one, a folder in memory is many times as fast.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SECONDS = 1200  # a run that takes longer is a finding
CHOSEN = 40    # files that a run begins with
WORDS = 500    # of a dictionary
BUILD = "cmake --preset fuzz && cmake --build --preset fuzz"
PROFILE = b"""minutes = 10
attempts = 3
setup = ["module load gcc"]
[slurm]
partition = "short"
arguments = ["--constraint=avx512"]
signal_seconds = 30
[local]
jobs = 2
"""


@dataclass(frozen=True)
class Target:
    runs: int          # that take some five seconds
    seeds: object      # Made -> a list of bytes
    text: bool = True
    longest: int = 4096


@dataclass(frozen=True)
class Made:
    """Where seeds come from: the tree, and a folder with what fuzz_seeds has written."""
    root: Path
    folder: Path

    def files(self, *patterns):
        return [path.read_bytes() for pattern in patterns for path in sorted(self.root.glob(pattern))]

    def made(self, *names):
        return [(self.folder / name).read_bytes() for name in names]

    def ptx(self):
        texts = [case.ptx().encode() for path in sorted(self.root.glob("tests/ptx/cases/*.case"))
                 for case in case_file.read(path)]
        # Two texts that are linked: the second defines what the first declares.
        head = ".version 7.8\n.target sm_86\n.address_size 64\n"
        linked = (head + ".extern .func f(.param .b32 x);\n.visible .entry k()\n{\n    .param .b32 a;\n"
                  "    st.param.b32 [a], 1;\n    call f, (a);\n    ret;\n}\n\0"
                  + head + ".visible .func f(.param .b32 x)\n{\n    ret;\n}\n")
        return [*texts, linked.encode(), *self.files("tests/ptx/samples/*.ptx", "src/runtime/*.ptx")]

    def settings(self):
        """Lines SECTION.KEY=VALUE of every key of the shipped machines."""
        lines = []
        for text in self.files("machines/*.toml"):
            section = ""
            for line in text.decode().splitlines():
                line = line.partition("#")[0].strip()
                if line.startswith("["):
                    section = line.strip("[]")
                elif section and "=" in line:
                    key, _, value = line.partition("=")
                    lines.append(f"{section}.{key.strip()}={value.strip().strip(chr(34))}\n".encode())
        return [*lines, b"".join(lines[:20])]

    def formulas(self):
        """Formulas and conditions of the experiments, each before a part of RESULT.json."""
        texts = re.findall(rb'(?:value|formula)s? = "([^"]+)"|^ +"([^"]*[<=>]=[^"]*)",$',
                           b"\n".join(self.files("experiments/*/*.toml")), re.MULTILINE)
        result = json.loads(self.made("result.json")[0])
        document = json.dumps({name: result[name] for name in ("totals", "active_lanes", "stalls", "kernels")}).encode()
        return [b"".join(text) + b"\n" + document for text in sorted(set(texts))]


TARGETS = {
    "elf": Target(5000, lambda made: [Path("/bin/true").read_bytes()], text=False, longest=1 << 16),
    "experiment": Target(1000, lambda made: made.files("experiments/*/*.toml")),
    "fat_binary": Target(50000, lambda made: made.made("plain.fatbin", "lz4.fatbin", "zstd.fatbin"), text=False),
    "formula": Target(5000, Made.formulas, longest=1 << 14),
    "machine": Target(2000, lambda made: made.files("machines/*.toml", "docs/machine-files.md")),
    "notes": Target(500, lambda made: made.files("experiments/*/DEVIATIONS.md", "experiments/published.csv")),
    "plan": Target(10000, lambda made: made.made("plan.jsonl")),
    "profile": Target(10000, lambda made: [PROFILE]),
    "ptx": Target(1000, Made.ptx),
    "result": Target(1000, lambda made: made.made("result.json"), longest=1 << 15),
    "result_file": Target(5000, lambda made: made.made("key.run", "key.lost"), text=False),
    "settings": Target(3000, Made.settings),
    "store": Target(500, lambda made: made.made("runs.sqlite"), text=False, longest=1 << 15),
    "tensor_map": Target(100000, lambda made: made.made("tiled.map", "im2col.map"), text=False),
    "traces": Target(5000, lambda made: made.made("traces.json")),
}


def binary(tools, name):
    return tools.root / "build" / "fuzz-targets" / "bin" / f"fuzz_{name}"


def missing(tools):
    absent = [name for name in [*TARGETS, "seeds"] if not binary(tools, name).exists()]
    return f"the targets {', '.join(absent)} are not built: {BUILD}" if absent else None


@functools.cache
def seeds_of(name, made):
    return TARGETS[name].seeds(made)


def write_corpus(name, rng, made, folder):
    """Writes files that the run begins with, and a dictionary of the words in all of them."""
    all_seeds = seeds_of(name, made)
    corpus = folder / "corpus"
    corpus.mkdir()
    for i, content in enumerate(rng.sample(all_seeds, min(CHOSEN, len(all_seeds)))):
        (corpus / f"{i:03}").write_bytes(content)
    if not TARGETS[name].text:
        return []
    words = sorted(set(re.findall(rb"[.%@\w-]*\w", b"\n".join(all_seeds))))
    chosen = rng.sample(words, min(WORDS, len(words)))
    lines = ['"' + "".join(f"\\x{byte:02x}" for byte in word[:60]) + '"\n' for word in chosen]
    (folder / "words.dict").write_text("".join(lines))
    return ["-dict=words.dict"]


def complaint(text):
    """The lines of libFuzzer's output that say what is wrong: from the first report on, without its table of memory."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if "ERROR:" in line or "runtime error:" in line), len(lines) - 12)
    return lines[max(0, begin):][:30]


def run_target(name, seed, tools, folder):
    """Runs the target in an empty folder. What is wrong."""
    rng = random.Random(seed)
    seeds = folder / "seeds"
    seeds.mkdir()
    made = run([binary(tools, "seeds")], seeds)
    if made.status != 0:
        return ["fuzz_seeds failed", made.errors]
    options = write_corpus(name, rng, Made(tools.root, seeds), folder)
    for file in ["result.json", "cost.json"]:
        shutil.copy(seeds / file, folder)
    ended = run([binary(tools, name), f"-seed={seed}", f"-runs={TARGETS[name].runs}",
                 f"-max_len={TARGETS[name].longest}", "-timeout=120", "-rss_limit_mb=2500", "-artifact_prefix=found-",
                 "-reload=0", *options, "corpus"], folder, SECONDS)
    if ended.status == 0:
        return []
    how = "took too long" if ended.status is None else f"ended with status {ended.status}"
    return [f"target {name} {how}", *complaint(ended.errors)]


def find(seed, folder, tools):
    name = sorted(TARGETS)[seed % len(TARGETS)]
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="fuzz-files-") as place:
        found = run_target(name, seed, tools, Path(place))
        for path in Path(place).glob("found-*"):
            shutil.move(path, folder)
        return found
