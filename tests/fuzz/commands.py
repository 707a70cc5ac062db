"""Command lines of heddle with words left out, repeated or changed, and with damaged files of every kind.

A command must end by itself, with status 0 or with a message, and never by a signal, an exception that nobody has
caught, or for want of memory.
"""
import functools
import os
import random
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
from pathlib import Path

from damage import NUMBERS, damage_file, damage_words
from tools import run

COMMANDS = 12           # of a case
PROCESSOR_SECONDS = 60  # for a command; those that simulate get a limit of cycles
SECONDS = 600           # by the clock, for a command that waits
ADDRESS_SPACE = 8 << 30
FILE_BYTES = 64 << 20
CYCLES = ["--max-cycles", "3000"]
LAUNCH = ["kernel.ptx", "--grid", "2", "--block", "40", "--arg", "buf:512", "--arg", "u32:80"]

KERNEL = """.version 7.8
.target sm_86
.address_size 64
.global .align 4 .b8 table[64];
.visible .entry kernel(.param .u64 out, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .b64 %d<3>;
    .shared .align 4 .b8 tile[256];
    ld.param.u64 %d0, [out];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p0, %r1, %r0;
    @%p0 bra done;
again:
    shr.u32 %r1, %r1, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra again;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %d1, %r2, 4;
    add.u64 %d2, %d0, %d1;
    setp.eq.u64 %p1, %d0, 0;
    @%p1 bra done;
    st.global.u32 [%d2], %r2;
done:
    ret;
}
"""
EXPERIMENT = """title = "Sizes"
kind = "lines"
unit = "KiB"
value = "config[dcache.size].value / 1024"
sweep = { key = "dcache.size", values = ["32KiB", "64KiB"] }
categories = "point"
where = ["core.width <= 64 and (program != 'gone' or dcache.ways >= 1)"]
seeds = [1]

[[setting]]
name = "pdom"

[[setting]]
name = "lwm"
set = { core.formation = "lwm" }

[[program]]
name = "one"
run = "./program"
arguments = ["kernel.ptx"]

[[program]]
name = "gone"
run = "./no-such-program"
"""
MACHINE = """name = "small"
base = "lwm11"
description = "a test"

[dcache]
size = "32KiB"

[core]
formation = "lwm"
"""
PROFILE = """minutes = 10
attempts = 2
setup = ["true"]
[slurm]
partition = "short"
[local]
jobs = 2
"""
# What of each kind of file may be damaged.
FILES = ["kernel.ptx", "machine.toml", "experiment.toml", "profile.toml", "plan.jsonl", "result.json", "other.json",
         "plain.fatbin", "lz4.fatbin", "zstd.fatbin", "study/runs.sqlite", "study/figures.json", "results/*.run",
         "batch/batch/jobs/*/job.json", "batch/batch/jobs/*/submitted", "batch/batch/jobs/*/plan.jsonl"]

# Texts of the program's own mistakes.
INTERNAL = re.compile(
    r"terminate called|what\(\):|Assertion .* failed|AddressSanitizer|LeakSanitizer|runtime error:|error: \[json|"
    r"std::|basic_string|vector::|map::at|_M_\w+|bad_(?:alloc|cast|function|optional|variant|any)|\bsto(?:i|ul|ull|d)\b|"
    r"filesystem error|logic_error|out_of_range(?!\.\d)|internal error|was not registered|Traceback")
NO_MEMORY = re.compile(r"no memory is left")


def fat_binary(text, flags, packed):
    """A fat binary with one PTX entry (shim/cudart/fat_binary.h)."""
    padded = packed + b"\0" * (8 - len(packed) % 8)
    entry = bytearray(64)
    struct.pack_into("<HHIQI", entry, 0, 1, 0x0101, 64, len(padded), len(packed) if flags else 0)
    struct.pack_into("<I", entry, 28, 75)
    struct.pack_into("<Q", entry, 40, flags)
    struct.pack_into("<Q", entry, 56, len(text) if flags else 0)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 64 + len(padded)) + bytes(entry) + padded


def as_lz4(text):
    """An LZ4 block that holds the text as it is."""
    count = len(text) - 15
    return b"\xf0" + b"\xff" * (count // 255) + bytes([count % 255]) + text


def as_zstd(text):
    """A Zstandard frame that holds the text as it is."""
    block = struct.pack("<I", 1 | len(text) << 3)[:3]
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(text)) + block + text


def sanitized(tools):
    cache = tools.build / "CMakeCache.txt"
    return cache.exists() and "HEDDLE_SANITIZE:BOOL=ON" in cache.read_text()


class Scene:
    """A folder with a good file of every kind, and heddle in it."""

    def __init__(self, folder, tools):
        self.folder, self.heddle = folder, tools.heddle
        self.limits_memory = not sanitized(tools)  # the sanitizer reserves more address space than there is memory
        for name, text in {"kernel.ptx": KERNEL, "experiment.toml": EXPERIMENT, "machine.toml": MACHINE,
                           "profile.toml": PROFILE, "empty": ""}.items():
            (folder / name).write_text(text)
        text = KERNEL.encode() + b"\0"
        (folder / "plain.fatbin").write_bytes(fat_binary(text, 0, text))
        (folder / "lz4.fatbin").write_bytes(fat_binary(text, 0x2000, as_lz4(text)))
        (folder / "zstd.fatbin").write_bytes(fat_binary(text, 0x8000, as_zstd(text)))
        (folder / "folder").mkdir()
        (folder / "loop").symlink_to("loop")
        shutil.copy(Path(__file__).parent / "load_image.py", folder / "program")
        self.make(["ptx", *LAUNCH, "-o", "result.json", *CYCLES])
        self.make(["ptx", *LAUNCH, "-o", "other.json", "-t", "trace.json", "-s", "core.formation=lwm", *CYCLES])
        self.make(["reproduce", "experiment.toml", "--plan", "plan.jsonl"])
        if not sanitized(tools):  # a program without the sanitizer cannot load a library with it
            self.make(["work", "plan.jsonl", "--results", "results"])
            self.make(["reproduce", "experiment.toml", "-o", "study"])

        self.make(["reproduce", "experiment.toml", "-o", "batch", "--on", "script", "--detach"])

    def make(self, words):
        ended = self.call(words)
        if ended.status not in (0, 1):  # 1: the experiment names a program that is not there
            raise RuntimeError(f"{shlex.join(words)}: {ended}")

    def limit(self):
        if self.limits_memory:
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def call(self, words):
        environment = {**os.environ, "ASAN_OPTIONS": "hard_rss_limit_mb=8000", "TMPDIR": str(self.folder)}
        return run([self.heddle, *words], self.folder, SECONDS, preexec_fn=self.limit, env=environment)

    def files(self):
        return [path for pattern in FILES for path in sorted(self.folder.glob(pattern)) if path.is_file()]


@functools.cache
def parameters(heddle):
    """(key, valid values) of every parameter, as the program lists them."""
    text = subprocess.run([heddle, "describe", "parameters"], capture_output=True, text=True, check=True).stdout
    return [(line.split()[0], line) for line in text.splitlines() if re.match(r"\w+\.\w+ ", line)]


@functools.cache
def machines(heddle):
    text = subprocess.run([heddle, "describe", "machines"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in text.splitlines()[1:] if line.strip()]


def setting(rng, heddle):
    """KEY=VALUE at or beyond the ends of what is valid."""
    key, line = rng.choice(parameters(heddle))
    key = re.sub(r"^pipe\.", "pipe.sp.", key)
    limits = [str(int(number) + rng.choice([-1, 0, 0, 0, 1])) for number in re.findall(r"\d+", line)]
    names = re.findall(r"[a-z][\w-]*(?=\|)|(?<=\|)[a-z][\w-]*", line)
    return f"{key}={rng.choice(limits + names + [rng.choice(NUMBERS)])}"


def machine_words(rng, heddle):
    words = rng.choice([[], ["-m", "machine.toml"], ["-m", rng.choice(machines(heddle))]])
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        words = [*words, "-s", setting(rng, heddle)]
    return words


def run_options(rng):
    """Options of the commands that simulate, some of them."""
    choices = [["-o", "out.json"], ["-t", "out.trace"], ["--timeline-events", "100"], ["--timeline-sample", "10"],
               ["--timeline-gap", "5"], ["--host-threads", "2"], ["--kernels", "0-1"], ["--functional"], ["--strict"],
               ["--heat-map"], ["--limit-status", "3"], ["--max-instructions", "500"]]
    return [word for option in rng.sample(choices, rng.choice([0, 1, 2, 4])) for word in option]


def base_command(rng, heddle):
    """A command line without mistakes, in two parts: the second is left as it is."""
    image = rng.choice(["kernel.ptx", "plain.fatbin", "lz4.fatbin", "zstd.fatbin"])
    program = ["--", "./program", image, *rng.choice([[], ["--link"]])]
    machine = machine_words(rng, heddle)
    store = ["--store", "study/runs.sqlite"]
    sql = rng.choice([
        "SELECT program, value(run, 'totals.cycles'), parameter(run, 'dcache.size') FROM runs",
        "SELECT document(run) FROM runs", "SELECT * FROM runs WHERE status = 'complete' ORDER BY seconds",
        "SELECT value(run, 'sum(stats.dram.*) / active_lanes[1..8]') AS x, count(*) FROM runs GROUP BY setting"])
    topic = rng.choice([[], ["machines", "lwm11", "--toml"], ["machines", "machine.toml"], ["parameters", "dcache.size"],
                        ["statistics"], ["opcodes", "add"], ["ptx-isa"], ["schedulers"]])
    commands = [
        (["ptx", *LAUNCH, *machine, *run_options(rng), *rng.choice([[], ["--trace"], ["--cluster", "2"],
          ["--dump", "0"], ["--dump", "0:out.bin"], ["--shared", "1024"], ["-e", "kernel"]])], CYCLES),
        (["run", *machine, *run_options(rng)], [*CYCLES, *program]),
        (["compare", "--with", "core.formation=pdom", "--with", "core.formation=lwm,dcache.ways=2", "-o", "compared",
          "-j", "2", *machine], [*CYCLES, *program]),
        (["reproduce", "experiment.toml", "-o", "study", *rng.choice([[], ["--quick"], ["--dry-run"], ["--readings"],
          ["--rerun=failed"], ["--figure", "experiment"], ["--plan", "out.jsonl"], ["--update-notes"],
          ["--any-revision"], ["--site", "profile.toml", "--on", "script"]])], ["--detach", *CYCLES]),
        (["reproduce", "experiment.toml", "-o", "study", "-j", "2"], CYCLES),
        (["work", "plan.jsonl", "--results", "results", "--range", "1-2", "-j", "2"], CYCLES),
        (["collect", "results", "--store", "study/runs.sqlite"], []),
        (["reproduce", "experiment.toml", "-o", "batch", "--on", "script"], ["--detach"]),
        (["jobs", "batch", *rng.choice([[], ["--cancel"]])], []),
        (["check", "kernel.ptx", *machine], []),
        (["oracle", "--threads", "64", "--band", "16", "--runs", "1000", "-o", "out.json", *machine], program),
        (["cost", *machine, "-o", "out.json"], []),
        (["report", *rng.choice([["result.json"], ["other.json"], ["result.json", "other.json"]]), "-o", "out.html"], []),
        (["query", sql, *store, *rng.choice([[], ["--csv"], ["--json"]])], []),
        (["export", *store, "-o", "out.csv"], []),
        (["describe", *topic], []),
    ]
    return rng.choice(commands)


def complaints(words, ended):
    """What is wrong with how a command ended."""
    text = ended.output.decode(errors="replace") + ended.errors
    if ended.status is None:
        return [f"did not end within {SECONDS} s"]
    found = []
    if ended.status == -signal.SIGKILL:
        return [f"did not end within {PROCESSOR_SECONDS} s of processor time"]
    if ended.status < 0 or ended.status > 128:
        found.append(f"ended with status {ended.status}")
    if (own := INTERNAL.search(text)) and words[:1] != ["describe"]:
        found.append(f"says '{own.group()}'")
    if NO_MEMORY.search(text):
        found.append(f"wants more memory than {ADDRESS_SPACE >> 30} GiB")
    if ended.status and not text.strip():
        found.append(f"status {ended.status} without a message")
    if re.search(r"error:\s*\Z", ended.errors):
        found.append("an empty message")
    return found


def missing(tools):
    return tools.missing_heddle()


def damage_some(rng, scene, count):
    """Damages some files; the paths of what was damaged."""
    files = scene.files()
    chosen = rng.sample(files, count)
    for path in chosen:
        damage_file(rng, path, files)
    return chosen


def restore(good):
    for path, content in good.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def find(seed, folder, tools):
    place = folder / "a" / "b"  # a damaged word may lead two folders up
    place.mkdir(parents=True)
    scene = Scene(place, tools)
    good = {path: path.read_bytes() for path in scene.files()}
    for number in range(COMMANDS):
        # The times in results differ from call to call: command lines are chosen before files, whose sizes may differ.
        rng = random.Random(f"{seed} {number}")
        words, rest = base_command(rng, tools.heddle)
        if damages_words := rng.random() < 0.6:
            words = damage_words(rng, words, [str(path.relative_to(place)) for path in good])
        restore(good)
        damaged = damage_some(rng, scene, rng.choice([0, 1]) if damages_words else rng.choice([1, 1, 2]))
        ended = scene.call([*words, *rest])
        if found := complaints(words, ended):
            return [shlex.join([*words, *rest])[:2000],
                    "damaged: " + ", ".join(str(path.relative_to(place)) for path in damaged), *found,
                    ended.errors[-3000:]]
    return []
