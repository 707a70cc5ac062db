"""--profile of heddle run, compare and ptx: what each instruction and source line costs (docs/profile.md)."""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from case import COPY_PTX, HEDDLE, SOURCE, SPIN_PTX, Case
from timeline_test import LOOP_PTX

PROGRAM = SOURCE / "tests" / "cli" / "profiled.cu"
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
WORKLOADS = HEDDLE.parent.parent / "workloads"

# Every core, under every formation that it runs.
MACHINES = ([["-m", "gtx480", "-s", f"core.formation={f}"] for f in ("pdom", "serial", "dwf", "tbc", "lwm", "maws")] +
            [["-m", "lwm11", "-s", f"core.formation={f}"] for f in ("pdom", "serial", "dwf", "tbc", "lwm", "maws", "mimd")] +
            [["-m", "dwf07", "-s", "core.formation=dwf", "-s", "core.scheduler=dmaj"],
             ["-m", "lwm10"], ["-m", "gtx480-pro"], ["-m", "gtx480", "--functional"]] +
            [["-m", "lwm11", "-s", "core.model=wpu", "-s", f"core.formation={f}"] for f in ("pdom", "serial", "maws")])


def line_of(mark):
    lines = PROGRAM.read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"mark: {mark}"))


def counters(instructions):
    """The sum of the counters; what is not there is 0."""
    out = collections.Counter()
    for i in instructions:
        out.update(i["counters"])
    return out


class Profile(Case):
    def profiled(self, *words):
        self.assert_succeeds(words[0], "--profile", "-o", "r.json", *words[1:])
        return json.loads((self.folder / "r.json").read_text())

    def assert_sums(self, result, what):
        """Sums over the instructions of a kernel are the totals of its launches."""
        launches = collections.defaultdict(list)
        for kernel in result["kernels"]:
            launches[kernel["name"]].append(kernel)
        kernels = result["profile"]["kernels"]
        self.assertEqual([k["name"] for k in kernels], list(launches), what)
        for kernel in kernels:
            of = launches[kernel["name"]]
            total = lambda name: sum(launch[name] for launch in of)
            sums = counters(kernel["instructions"])
            where = (what, kernel["name"])
            self.assertEqual(kernel["launches"], len(of), where)
            self.assertEqual(sums["executions"], total("warp_instructions"), where)
            self.assertEqual(sums["threads"], total("thread_instructions"), where)
            stalls = collections.Counter(kernel["elsewhere"])
            for instruction in kernel["instructions"]:
                for stall in instruction["stalls"]:
                    stalls[stall["cause"]] += stall["slots"]
            slots = collections.Counter()
            for launch in of:
                slots.update(launch.get("stalls") or {})
            del slots["issued"]
            self.assertEqual({k: v for k, v in stalls.items() if v}, {k: v for k, v in slots.items() if v}, where)
            for i in kernel["instructions"]:
                c = collections.Counter(i["counters"])
                self.assertLessEqual(c["threads"], c["lanes"] if "lwm" not in str(what) else c["threads"], (where, i))
                self.assertLessEqual(c["ideal_transactions"], c["transactions"], (where, i))
                # A run that is stopped leaves lines on their way; stores wait for none.
                self.assertLessEqual(c["l1_hits"] + c["llc_hits"] + c["dram"], c["transactions"], (where, i))
        return kernels


class Sums(Profile):
    def test_over_every_core_and_formation(self):
        loop = self.write("loop.ptx", LOOP_PTX)
        copy = self.write("copy.ptx", COPY_PTX)
        for words in MACHINES:
            kernels = self.assert_sums(self.profiled("ptx", loop, "--grid", 6, "--block", 96, "--arg", "buf:16384", *words),
                                       words)
            sums = counters(kernels[0]["instructions"])
            # By hand: 6 blocks of 96 threads, 6 iterations. In iteration r5 threads with tid % 4 > r5 skip: 3/4, 2/4,
            # 1/4 of them in the first three; the loop goes round 5 times.
            threads = 6 * 96
            skip = threads * 3 // 4 + threads // 2 + threads // 4
            self.assertEqual((sums["taken"], sums["not_taken"]),
                             (skip + 5 * threads, 6 * threads - skip + threads), words)
            self.assertEqual(kernels[0]["timed"], "--functional" not in words)
            self.assert_sums(self.profiled("ptx", copy, "--grid", 6, "--block", 96, "--arg", "buf:384", "--arg", "buf:384",
                                           "--arg", "u32:77", *words), words)

    def test_divergent_branches_are_those_of_the_statistics(self):
        loop = self.write("loop.ptx", LOOP_PTX)
        for words in MACHINES:
            result = self.profiled("ptx", loop, "--grid", 2, "--block", 96, "--arg", "buf:16384", *words)
            sums = counters(result["profile"]["kernels"][0]["instructions"])
            core = result["stats"]["core"]
            self.assertEqual(sums["divergent"], core["divergent_branches"], words)
            self.assertEqual(sums["branches"], core["conditional_branches"], words)
            lanes = sum(n * count for n, count in enumerate(result["active_lanes"]))
            self.assertEqual(sums["lanes"], lanes, words)

    def test_of_programs(self):
        for program in ("bfs", "histogram", "reduction", "bitonic"):
            if not (WORKLOADS / program).exists():
                continue
            for words in (["-m", "gtx480"], ["-m", "gtx480", "-s", "core.formation=dwf"], ["-m", "lwm11"],
                          ["-m", "maws-coherent"], ["-m", "gtx480", "--kernels", "1"]):
                result = self.profiled("run", *words, "--max-instructions", 20000, "--", WORKLOADS / program)
                self.assert_sums(result, (program, *words))
                check = subprocess.run([sys.executable, SOURCE / "tests" / "cli" / "check_schema.py",
                                        SOURCE / "schema" / "result.schema.json", self.folder / "r.json"],
                                       capture_output=True, text=True)
                self.assertIn(check.returncode, (0, 2), check.stdout)  # 2: jsonschema is not installed


class Results(Profile):
    def setUp(self):
        super().setUp()
        self.call = ["ptx", self.write("loop.ptx", LOOP_PTX), "--grid", 40, "--block", 96, "--arg", "buf:16384"]

    def result(self, *words, name="r.json"):
        self.assert_succeeds(*self.call, *words, "-o", name)
        result = json.loads((self.folder / name).read_text())
        result.pop("host")
        return result

    def test_nothing_else_changes(self):
        for words in MACHINES:
            plain = self.result(*words)
            self.assertNotIn("profile", plain)
            profiled = self.result(*words, "--profile")
            self.assertIn("profile", profiled)
            del profiled["profile"]
            self.assertEqual(profiled, plain, words)

    def test_the_same_whatever_the_host_threads(self):
        one = self.result("-m", "gtx480", "--profile")
        self.assertEqual(self.result("-m", "gtx480", "--profile", "--host-threads", 2), one)
        self.assertEqual(self.result("-m", "gtx480", "--profile", "-s", "gpu.sm_order=descending")["profile"], one["profile"])

    def test_of_a_run_that_is_stopped(self):
        result = self.heddle(*self.call, "-m", "gtx480", "--profile", "--max-cycles", 2000, "-o", "r.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(found["status"], "max_cycles")
        self.assert_sums(found, "stopped")

    def test_of_a_run_that_fails(self):
        fault = self.write("fault.ptx", COPY_PTX)
        for words in (["-m", "gtx480"], ["-m", "lwm11"], ["-m", "lwm11", "-s", "core.model=wpu"], ["--functional"]):
            result = self.heddle("ptx", fault, "--grid", 1, "--block", 96, "--arg", "buf:384", "--arg", "u64:4", "--arg",
                                 "u32:96", *words, "--profile", "-o", "r.json")
            self.assertNotEqual(result.returncode, 0)
            found = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(found["status"], "failed")
            self.assert_sums(found, words)

    def test_of_compare(self):
        program = WORKLOADS / "bitonic"
        if not program.exists():
            self.skipTest("no workloads are built")
        self.assert_succeeds("compare", "--profile", "-m", "gtx480", "--max-instructions", 5000, "--with",
                             "core.formation=pdom", "--with", "core.formation=dwf", "-o", "runs", "--", program)
        found = [json.loads(path.read_text()) for path in (self.folder / "runs").glob("*.json")]
        found = [run for run in found if "kernels" in run]
        self.assertEqual(len(found), 2)
        for run in found:
            self.assert_sums(run, "compare")

    def test_texts(self):
        profile = self.result("--profile")["profile"]
        instructions = profile["kernels"][0]["instructions"]
        self.assertEqual([f["name"] for f in profile["files"]], [self.call[1]])
        self.assertEqual(profile["files"][0]["text"], LOOP_PTX)
        for i in instructions:
            self.assertIn(i["text"], LOOP_PTX.splitlines()[i["ptx"][1] - 1])
            self.assertEqual((i["function"], i["lines"]), ("loop", []))


class Lines(Profile):
    """The lines of profiled.cu, on gtx480: lines of 128 bytes, 32 banks of shared memory. Two launches of one warp."""

    def by_line(self, result):
        """Instructions by the innermost line of the program: headers define what it calls."""
        files = [pathlib.Path(f["name"]).name for f in result["profile"]["files"]]
        out = collections.defaultdict(list)
        for i in result["profile"]["kernels"][0]["instructions"]:
            own = [line for file, line in i["lines"] if files[file] == "profiled.cu"]
            if own:
                out[own[0]].append(i)
        return out

    def check(self, program):
        self.maxDiff = None
        result = self.profiled("run", "-m", "gtx480", "-s", "private.bytes_per_thread=0", "--", program)
        self.assert_sums(result, program)
        by_line = self.by_line(result)

        instructions = result["profile"]["kernels"][0]["instructions"]

        def expect(mark, **values):
            of = by_line[line_of(mark)]
            if mark == "atomic":  # clang gives it the line of the header
                of = [i for i in instructions if i["text"].startswith(("atom.", "red."))]
            found = counters(of)
            self.assertEqual({k: found[k] for k in values}, values, mark)
            return found

        # 2 launches x 32 threads x 4 bytes; neighbours share a line of 128 bytes.
        expect("coalesced", accesses=2, transactions=2, ideal_transactions=2, bytes_asked=256, bytes_moved=256, waited=2)
        # The threads' words are 256 bytes apart: a line each, of which 4 bytes are used.
        gather = expect("gather", accesses=2, transactions=64, ideal_transactions=2, bytes_asked=256,
                        bytes_moved=64 * 128, waited=2)
        self.assertEqual(gather["l1_hits"] + gather["llc_hits"] + gather["dram"], 64)
        self.assertGreaterEqual(gather["dram"], 32)  # nothing had loaded them before the first launch
        self.assertGreater(gather["latency"], 2 * 100)
        # Compilers may jump around the body, or to it: 12 of 32 lanes.
        branch = expect("divergent", branches=2, divergent=2)
        self.assertEqual({branch["taken"], branch["not_taken"]}, {24, 40})
        self.assertGreater(branch["apart"], 0)
        expect("twelve", accesses=2, transactions=2, ideal_transactions=2, bytes_asked=2 * 12 * 4)
        self.assertEqual([i["counters"]["threads"] for i in by_line[line_of("twelve")]
                          if i["text"].startswith("st.global")], [24])
        # Words 32 apart: all 32 in one bank.
        expect("conflict", on_chip_accesses=2, on_chip_cycles=2 * 32, accesses=0, broadcasts=0)
        expect("straight", on_chip_accesses=2, on_chip_cycles=2, broadcasts=0)
        expect("broadcast", on_chip_accesses=2, on_chip_cycles=2, broadcasts=2)
        # One 4-byte word of local memory for each thread; the array's word is one of 16 for 32 threads. Local memory is
        # interleaved: equal words of all threads lie side by side, so 16 words touch 16 lines of 128 bytes.
        for mark in ("spill", "reload"):
            expect(mark, local_accesses=2, local_bytes=2 * 32 * 4, accesses=2, transactions=2 * 16,
                   ideal_transactions=2, bytes_asked=256)
        expect("strided", accesses=2, transactions=64, ideal_transactions=2, bytes_asked=256, bytes_moved=64 * 128)
        # 8 threads on each of 4 words.
        expect("atomic", atomics=2, atomic_operations=16, accesses=2, transactions=2)
        # The gather's data are waited for at a line that uses them.
        load = next(n for n, i in enumerate(instructions) if i["lines"] and i["lines"][0][1] == line_of("gather")
                    and i["text"].startswith("ld.global"))
        waits = [(i, s) for i in instructions for s in i["stalls"] if s.get("producer") == load]
        self.assertTrue(waits)
        self.assertTrue(all(s["cause"] in ("sb_dram", "sb_llc") for _, s in waits), waits)
        self.assertTrue(any(i["lines"][0][1] == line_of("inlined") for i, _ in waits), waits)
        # The text is there.
        texts = {pathlib.Path(f["name"]).name: f["text"] for f in result["profile"]["files"]}
        self.assertEqual(texts["profiled.cu"], PROGRAM.read_text())
        return by_line

    def test_of_clang(self):
        program = self.folder / "profiled"
        compiled = subprocess.run([sys.executable, str(SOURCE / "tools" / "heddle-cc"), str(PROGRAM), "-o", str(program),
                                   "--lib-dir", str(HEDDLE.parent.parent / "lib")], capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        self.check(program)

    def test_sources_that_are_named_from_the_root_of_a_tree(self):
        """As heddle's workloads name them. The program lies deeper in the tree, and runs elsewhere."""
        tree = self.folder / "tree"
        (tree / "src").mkdir(parents=True)
        (tree / "build/bin").mkdir(parents=True)
        shutil.copy(PROGRAM, tree / "src")
        program = tree / "build/bin/profiled"
        compiled = subprocess.run([sys.executable, str(SOURCE / "tools" / "heddle-cc"), str(tree / "src" / PROGRAM.name), "-o", str(program),
                                   f"-ffile-prefix-map={tree}/=", "-fdebug-compilation-dir=.",
                                   "--lib-dir", str(HEDDLE.parent.parent / "lib")], capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        texts = {f["name"]: f["text"] for f in self.profiled("run", "-m", "lwm11", "--", program)["profile"]["files"]}
        self.assertEqual(texts[f"./src/{PROGRAM.name}"], PROGRAM.read_text())

    def test_of_nvcc(self):
        if not os.access(NVCC, os.X_OK):
            self.skipTest("nvcc is not installed")
        program = self.folder / "profiled"
        compiled = subprocess.run([NVCC, "-lineinfo", "-arch=compute_80", "-cudart=shared", str(PROGRAM), "-o", str(program)],
                                  capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        by_line = self.check(program)
        for i in by_line[line_of("inlined")]:  # nvcc says where a function is inlined
            self.assertEqual([line for _, line in i["lines"]], [line_of("inlined"), line_of("call")])
            self.assertEqual(i["inlined"], ["_Z6scaledf"])


if __name__ == "__main__":
    unittest.main()
