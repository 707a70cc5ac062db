"""The checker on kernels with one error each, on programs that have none, and on wrong options.

usage: checker_test.py HEDDLE FOLDER_WITH_PROGRAMS
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE = pathlib.Path(sys.argv[1]).resolve()
PROGRAMS = pathlib.Path(sys.argv[2]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parent / "bugs.cu"

# Name of the kernel: the check that finds the error; its memory; the count; what the threads did.
BUGS = {
    # each of 64 threads reads what another one writes
    "shared_race": ("races", "shared", 64, ("write", "read")),
    # 16 threads read what a thread of their warp has written
    "warp_race": ("races", "shared", 16, ("write", "read")),
    # one thread of each of two blocks
    "global_race": ("races", "global", 1, ("write", "write")),
    "missing_fence": ("races", "global", 1, ("write", "read")),
    # 32 threads of each block could race with those of the other one: only one thread a block accesses
    "block_scope": ("races", "global", 1, ("atomic access", "atomic access")),
    # threads 32 to 63
    "uninitialised_shared": ("uninitialised", "shared", 32, (None, "read")),
    "uninitialised_global": ("uninitialised", "global", 32, (None, "read")),
    "uninitialised_local": ("uninitialised", "local", 32, (None, "read")),
    "divergent_barrier": ("barriers", None, 1, ("arrival", "arrival")),
    "exited_threads": ("barriers", None, 1, ("arrival", "exit")),
    # 32 threads come with another number than the first one
    "wrong_count": ("barriers", None, 32, ("arrival, for 64 threads", "arrival, for 96 threads")),
    "stuck_barrier": ("barriers", None, 1, ("wait", "last seen")),
    # lanes 16 to 31 are no members
    "wrong_mask": ("barriers", None, 16, (None, "synchronisation")),
    "copy_without_wait": ("races", "shared", 32, ("write (cp.async)", "read")),
    "leak": ("leaks", None, 1, (None, None)),
}
PATTERNS = ["reduction", "last_block", "fences_before_barrier", "scan", "histogram", "bytes_of_words", "padded", "look_back",
            "grid", "lock", "copies", "barrier_objects", "named_barriers"]
RACE_PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry race(.param .u64 to)
{
  .reg .b64 %d<4>; .reg .b32 %r<4>;
  ld.param.u64 %d1, [to];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 31;
  mul.wide.u32 %d2, %r2, 4;
  add.u64 %d3, %d1, %d2;
  st.global.u32 [%d3], %r1;
  ret;
}
"""
# Ways to run: every core, and formations that part the threads of a warp.
WAYS = {
    "functional": ["--functional"],
    "lwm11": ["-m", "lwm11"],
    "gtx480": ["-m", "gtx480"],
    "a100": ["-m", "a100"],  # native code
    "dwf": ["-m", "dwf07", "-s", "core.formation=dwf"],
    "mimd": ["-m", "lwm11", "-s", "core.formation=mimd", "-s", "core.scheduler=rr"],
}


def lines(name):
    """The numbers of the marked lines: of the earlier and of the later place; None where nothing is marked."""
    out = {}
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
        for mark in re.findall(r"@(\S+)", text):
            out.setdefault(mark, []).append(number)
    both = out.get(name, [])
    first = out.get(name + "-first", both[:1])
    second = out.get(name + "-second", both[-1:])
    return first[0] if first else None, second[0] if second else None


class CheckerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="heddle-check-")
        self.addCleanup(self.folder.cleanup)
        self.result = pathlib.Path(self.folder.name) / "r.json"

    def run_program(self, way, checks, program, name):
        done = subprocess.run([HEDDLE, "run", *way, "--check", checks, "-o", self.result, "--", PROGRAMS / f"check-{program}", name],
                              capture_output=True, text=True, timeout=300)
        return done, json.loads(self.result.read_text())["checks"] if self.result.exists() else None

    def test_each_error_is_found_once_with_its_lines(self):
        for name, (check, memory, count, actions) in BUGS.items():
            with self.subTest(name):
                done, found = self.run_program(["-m", "lwm11"], check, "bugs", name)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(len(found), 1, done.stderr)
                error = found[0]
                self.assertEqual((error["check"], error["memory"], error["count"]), (check, memory, count), done.stderr)
                self.assertEqual(done.stderr.count(error["text"]), 1)
                for place, line, action in zip((error["first"], error["second"]), lines(name), actions):
                    if action is None:
                        self.assertIsNone(place)
                        continue
                    self.assertEqual(place["action"], action)
                    if line is not None and action != "last seen":
                        self.assertRegex(place["where"], rf"bugs\.cu:{line}\b", done.stderr)

    def test_a_copy_without_a_wait_in_native_code(self):
        """There a copy is one instruction: its part in shared memory is found as that of a store."""
        done, found = self.run_program(WAYS["a100"], "races,uninitialised", "bugs", "copy_without_wait")
        self.assertEqual([(e["check"], e["memory"], e["count"]) for e in found], [("races", "shared", 32)], done.stderr)
        self.assertEqual(found[0]["first"]["action"], "write (cp.async)")

    def test_names_of_allocations_and_threads(self):
        done, found = self.run_program([], "uninitialised", "bugs", "uninitialised_global")
        self.assertEqual(found[0]["allocation"], "cudaMalloc #1", done.stderr)
        self.assertEqual(found[0]["offset"], 128)  # behind the 128 bytes that are set
        self.assertEqual(found[0]["second"]["thread"], [32, 0, 0])
        self.assertEqual(found[0]["second"]["block"], [0, 0, 0])
        self.assertIn("uninitialised_global", found[0]["kernel"])
        done, found = self.run_program([], "leaks", "bugs", "leak")
        self.assertEqual((found[0]["allocation"], found[0]["bytes"]), ("cudaMalloc #1", 1024))

    def test_all_checks_on_an_error_of_memory(self):
        done, found = self.run_program([], "memory", "bugs", "out_of_bounds")
        # 4 bytes at element 1000; the nearest allocation is the program's, not a table of heddle's headers
        self.assertRegex(done.stderr, "out-of-bounds store of 4 bytes.*\n.*behind the end of 'cudaMalloc #2'")
        self.assertIn("nothing found beside the fault that ended the launch", done.stderr)
        self.assertEqual(found, [])
        self.assertEqual(done.returncode, 1)

    def test_no_check_finds_nothing(self):
        done = subprocess.run([HEDDLE, "run", "-o", self.result, "--", PROGRAMS / "check-bugs", "shared_race"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("checks", json.loads(self.result.read_text()))

    def test_programs_without_errors(self):
        for way in WAYS:
            for name in PATTERNS:
                with self.subTest(f"{name} {way}"):
                    if way == "mimd" and name == "grid":
                        continue  # its blocks do not fit at once
                    done, found = self.run_program(WAYS[way], "all", "patterns", name)
                    self.assertEqual(found, [], done.stderr)
                    self.assertEqual(done.returncode, 0, done.stdout[-500:] + done.stderr)
                    self.assertIn("nothing found", done.stderr)

    def test_results_are_the_same_with_any_number_of_host_threads(self):
        texts = []
        for threads in ("1", "2"):
            done, found = self.run_program(["-m", "gtx480", "--host-threads", threads], "all", "bugs", "missing_fence")
            texts.append(found)
        self.assertEqual(texts[0], texts[1])

    def test_cycles_and_counters_are_the_same_with_a_check(self):
        results = []
        for check in ([], ["--check", "all"]):
            subprocess.run([HEDDLE, "run", "-m", "gtx480", *check, "-o", self.result, "--", PROGRAMS / "check-patterns", "grid"],
                           capture_output=True, check=True, timeout=300)
            result = json.loads(self.result.read_text())
            results.append({k: v for k, v in result.items() if k not in ("host", "checks")})
        self.assertEqual(results[0], results[1])

    def test_one_kernel_of_a_ptx_file(self):
        ptx = pathlib.Path(self.folder.name) / "race.ptx"
        ptx.write_text(RACE_PTX)
        words = [HEDDLE, "ptx", ptx, "--grid", "1", "--block", "64", "--arg", "buf:256", "-o", self.result]
        done = subprocess.run([*words, "--check", "all"], capture_output=True, text=True, timeout=60)
        found = json.loads(self.result.read_text())["checks"]
        self.assertEqual(done.returncode, 1, done.stderr)
        # Threads 32 to 63 overwrite what threads 0 to 31 have stored; buffers of the command are no leaks.
        self.assertEqual([(e["check"], e["count"]) for e in found], [("races", 32)])
        for place, line in ((found[0]["first"], 12), (found[0]["second"], 12)):
            self.assertRegex(place["where"], rf"race\.ptx:{line}:")
            self.assertEqual(place["ptx"], "st.global.u32 [%d3], %r1;")
        self.assertEqual((found[0]["first"]["thread"], found[0]["second"]["thread"]), ([0, 0, 0], [32, 0, 0]))
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_unknown_check_is_refused(self):
        done = subprocess.run([HEDDLE, "run", "--check", "races,leeks", "--", PROGRAMS / "check-bugs", "leak"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("'leeks' is no check: there are races, uninitialised, barriers, leaks, memory and all", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
