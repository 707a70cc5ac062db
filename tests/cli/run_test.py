"""heddle run and heddle compare: which programs they take, and what becomes of them."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from case import HEDDLE, RUNTIME, Case
from check_trace import problems

# Uses the device and launches nothing: a CUDA program as far as the loader is concerned.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int cudaMalloc(void**, size_t);
int main(int argc, char** argv) {
    void* p = 0;
    if (argc > 1 && !strcmp(argv[1], "abort")) abort();
    if (argc > 1 && !strcmp(argv[1], "early")) _exit(0);
    if (cudaMalloc(&p, 64)) return 9;
    printf("allocated\n");
    fflush(stdout);
    if (argc > 1 && !strcmp(argv[1], "wait")) sleep(30);
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""


def compiler():
    return shutil.which("cc") or shutil.which("g++")


@unittest.skipUnless(compiler(), "no C compiler")
@unittest.skipUnless(RUNTIME.exists(), f"{RUNTIME} is not built")
class Programs(Case):
    def setUp(self):
        super().setUp()
        source = self.write("program.c", PROGRAM)
        self.program = self.compile("program", source, "-L", RUNTIME.parent, f"-l:{RUNTIME.name}")

    def compile(self, name, source, *options):
        path = self.folder / name
        subprocess.run([compiler(), "-x", "c", source, "-x", "none", *options, "-o", path], check=True)
        return str(path)


class Run(Programs):
    def test_output_and_status_pass_through(self):
        result = self.heddle("run", "-o", "r.json", "--", self.program, "7")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("allocated\n", result.stdout)
        self.assertIn("no kernel was launched", result.stderr)
        self.assertNotIn("machine", result.stdout)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["status"], "complete")

    def test_settings_reach_the_program(self):
        mine = self.write("mine.toml", 'base = "lwm11"\nname = "mine"\n')
        self.assert_succeeds("run", "-m", os.path.relpath(mine, self.folder), "-s", "dcache.size=32KiB", "-s",
                             "core.formation=serial", "-o", "r.json", "--", self.program)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(result["machine"], "mine")
        self.assertEqual(result["config"]["dcache.size"], {"value": 32768, "origin": "command line"})
        self.assertEqual(result["config"]["core.formation"]["value"], "serial")

    def test_programs_that_cannot_be_served(self):
        run = lambda *words: self.assert_refused(2, "run", "--", *words)
        self.assertIn("none: there is no such program", run("./none"))
        self.assertIn("no-such-program: there is no such program", run("no-such-program"))
        self.assertIn("write ./program", run("program"))
        self.assertIn("not executable", run(self.write("text", "hello")))
        self.assertIn("neither a compiled program", run(self.write("nothing", "", executable=True)))
        self.assertIn("not a program for 64-bit x86", run(self.write("cut", "\x7fELF", executable=True)))
        self.assertIn("not a file", run(str(self.folder)))

    def test_runtime_of_another_version(self):
        library = self.compile("libcudart.so.7", self.write("other.c", "int cudaMalloc(void** p, unsigned long n) { return 0; }\n"),
                               "-shared", "-fPIC", "-Wl,-soname,libcudart.so.7")
        old = self.compile("old", str(self.folder / "program.c"), library)
        self.assertIn("needs libcudart.so.7", self.assert_refused(2, "run", "--", old))

    def test_runtime_from_another_place(self):
        library = self.compile(RUNTIME.name, self.write("other.c", "int cudaMalloc(void** p, unsigned long n) { return 0; }\n"), "-shared",
                               "-fPIC", f"-Wl,-soname,{RUNTIME.name}")
        bound = self.compile("bound", str(self.folder / "program.c"), library, "-Wl,--disable-new-dtags",
                             f"-Wl,-rpath,{self.folder}")
        self.assertIn("without an RPATH", self.assert_refused(2, "run", "--", bound))

    def test_calls_that_are_wrong(self):
        self.assertIn("which program?", self.assert_refused(2, "run"))
        self.assertIn("which program?", self.assert_refused(2, "run", "--"))
        self.assertIn("the program stands after --", self.assert_refused(2, "run", self.program))
        self.assertIn("unknown option --fast", self.assert_refused(2, "run", "--fast", "--", self.program))
        self.assertIn("did you mean", self.assert_refused(2, "run", "-s", "core.formatoin=pdom", "--", self.program))
        self.assertIn("there is no folder", self.assert_refused(2, "run", "-o", "none/r.json", "--", self.program))

    def test_timeline(self):
        self.assertIn("there is no folder", self.assert_refused(2, "run", "-t", "none/t.json", "--", self.program))
        self.assertIn("the same file", self.assert_refused(2, "run", "-t", "r.json", "-o", "r.json", "--", self.program))
        self.assert_succeeds("run", "-m", "lwm11", "-t", "t.json", "-o", "r.json", "--timeline-sample", 10, "--", self.program)
        self.assertEqual(problems(json.loads((self.folder / "t.json").read_text())), [])
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["timeline"]["sample_cycles"], [10])

    def test_program_that_dies(self):
        result = self.heddle("run", "--", self.program, "abort")
        self.assertEqual(result.returncode, 128 + signal.SIGABRT)
        self.assertIn("was killed by signal 6", result.stderr)

    def test_program_without_results(self):
        result = self.heddle("run", "--", self.program, "early")
        self.assertEqual(result.returncode, 1)
        self.assertIn("ended with exit status 0 and never used the simulated device", result.stderr)

    def test_program_that_needs_no_device(self):
        driver = HEDDLE.parent.parent / "lib" / "libcuda.so.1"
        for library, call in ((RUNTIME, "cudaGetDeviceCount(&n)"), (driver, "cuInit(0)")):
            source = self.write("calls.c", f"int {call.split('(')[0]}();\nint main(void) {{ int n; return {call}; }}\n")
            program = self.compile("calls", source, library, f"-Wl,-rpath-link,{driver.parent}")
            self.assert_succeeds("run", "-o", "r.json", "--", program)
            self.assertEqual(json.loads((self.folder / "r.json").read_text())["kernels"], [])

    def test_signals_reach_the_program(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([HEDDLE, "run", "-o", "r.json", "--", self.program, "wait"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline(), "allocated\n")
            time.sleep(0.2)
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, 128 + number)
            self.assertEqual(json.loads((self.folder / "r.json").read_text())["status"], "interrupted")

    def test_a_signal_to_the_whole_process_group_interrupts_once(self):
        for _ in range(4):  # the program gets it twice, in no certain order
            process = subprocess.Popen([HEDDLE, "run", "-o", "r.json", "--", self.program, "wait"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
            self.assertEqual(process.stdout.readline(), "allocated\n")
            time.sleep(0.2)
            os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 130, errors)
            (self.folder / "r.json").unlink()

    def test_the_program_is_killed_with_heddle(self):
        process = subprocess.Popen([HEDDLE, "run", "-o", "r.json", "--", self.program, "wait"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "allocated\n")
        self.assert_children_end_with(process, 1)


class Compare(Programs):
    def test_table(self):
        out = self.assert_succeeds("compare", "--with", "core.formation=serial", "--with", "core.formation=pdom,dcache.ways=8",
                                   "-o", "out", "--", self.program)
        self.assertEqual([line.split()[0] for line in out.splitlines()[:3]],
                         ["setting", "core.formation=serial", "core.formation=pdom,dcache.ways=8"])
        results = sorted((self.folder / "out").glob("*.json"))
        self.assertEqual(len(results), 2)
        self.assertEqual(json.loads(results[1].read_text())["config"]["dcache.ways"]["value"], 8)

    def test_the_programs_are_killed_with_heddle(self):
        process = subprocess.Popen([HEDDLE, "compare", "--with", "core.formation=serial", "--with", "core.formation=pdom", "-j", "2",
                                    "--", self.program, "wait"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.assert_children_end_with(process, 2)

    def test_a_setting_that_fails_leaves_the_others(self):
        result = self.heddle("compare", "--with", "core.formation=serial", "--with", "core.formation=x", "--", self.program)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"core.formation=serial +1 +-")
        self.assertRegex(result.stdout, r"core.formation=x +failed: ")
        self.assertIn("unknown formation 'x'; valid: ", result.stdout)

    def test_a_run_that_fails_leaves_its_reason(self):
        words = ["compare", "-j", "1", "-o", "out", "--with", "core.formation=x", "--with", "core.formation=serial", "--"]
        self.assertEqual(self.heddle(*words, self.program, "3").returncode, 1)
        reasons = {path.name: path.read_text() for path in (self.folder / "out").glob("*.failed.txt")}
        self.assertEqual(list(sorted(reasons)), ["0-core.formation=x.failed.txt", "1-core.formation=serial.failed.txt"])
        self.assertIn("unknown formation 'x'", reasons["0-core.formation=x.failed.txt"])
        self.assertIn("ended with exit status 3", reasons["1-core.formation=serial.failed.txt"])
        self.assertTrue((self.folder / "out" / "1-core.formation=serial.json").exists())  # what it did up to there
        self.assertEqual(self.heddle(*words, self.program).returncode, 1)
        self.assertEqual([path.name for path in (self.folder / "out").glob("*.failed.txt")], ["0-core.formation=x.failed.txt"])

    def test_a_program_that_fails(self):
        result = self.heddle("compare", "-j", "1", "--with", "core.formation=serial", "--", self.program, "3")
        self.assertEqual(result.returncode, 1)
        self.assertIn("ended with exit status 3\n  allocated", result.stdout)

    def test_calls_that_are_wrong(self):
        self.assertIn("--with is required", self.assert_refused(2, "compare", "--", self.program))
        self.assertIn("which program?", self.assert_refused(2, "compare", "--with", "core.formation=pdom"))
        self.assert_refused(2, "compare", "-j", "0", "--with", "core.formation=pdom", "--", self.program)
        self.assertIn("there is no parameter", self.assert_refused(2, "compare", "-s", "a.b=1", "--with", "core.formation=pdom",
                                                                   "--", self.program))


if __name__ == "__main__":
    unittest.main()
