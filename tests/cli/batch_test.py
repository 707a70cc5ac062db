"""heddle in a batch system: signals, kill -9, limits, full disks, scripts."""
import json
import os
import select
import signal
import subprocess
import time
import unittest

from case import COPY_PTX, HEDDLE, RUNTIME, SPIN_PTX, Case, children_of
from run_test import Programs, compiler

# Executes its arguments one after the other: launches kernels, waits, prints.
STEPS = r"""
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
typedef struct { unsigned x, y, z; } dim3;
int cudaMalloc(void**, size_t);
int cudaLibraryLoadData(void**, const void*, void*, void**, unsigned, void*, void**, unsigned);
int cudaLibraryGetKernel(void**, void*, const char*);
int cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry once() { ret; }\n.visible .entry spin() { again: bra again; }\n";
static void launch(const char* name) {
    void *library = 0, *kernel = 0;
    dim3 one = {1, 1, 1};
    if (cudaLibraryLoadData(&library, ptx, 0, 0, 0, 0, 0, 0) || cudaLibraryGetKernel(&kernel, library, name)) exit(9);
    if (cudaLaunchKernel(kernel, one, one, 0, 0, 0)) exit(8);
}
static void own_end(int number) { (void)number; close(creat("handled", 0644)); _exit(5); }
int main(int argc, char** argv) {
    void* p = 0;
    for (int i = 1; i < argc; ++i) {
        const char* step = argv[i];
        if (!strcmp(step, "use")) { if (cudaMalloc(&p, 64)) exit(7); }
        else if (!strcmp(step, "ready")) { puts("ready"); fflush(stdout); }
        else if (!strcmp(step, "wait")) sleep(60);
        else if (!strcmp(step, "handle")) { signal(SIGTERM, own_end); signal(SIGINT, own_end); }
        else if (!strcmp(step, "fork")) { if (fork() == 0) { puts("ready"); fflush(stdout); for (;;) pause(); } }
        else if (!strcmp(step, "child")) { if (fork() != 0) { wait(0); break; } }
        else if (!strcmp(step, "skip")) _exit(0);
        else if (!strcmp(step, "mark")) fclose(fopen("ran", "w"));
        else launch(step);
    }
    return 0;
}
"""


def with_limit(which, *words):
    """The call in a shell with a limit, such as -f 8."""
    return ["bash", "-c", f'ulimit {which}; "$@"', "bash", *map(str, words)]


class Steps(Programs):
    def setUp(self):
        super().setUp()
        source = self.write("steps.c", STEPS)
        self.steps = self.compile("steps", source, "-L", RUNTIME.parent, f"-l:{RUNTIME.name}")
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def script(self, text, shell="/bin/sh", name="script"):
        return self.write(name, f"#!{shell}\n{text}\n", executable=True)

    def result(self, name="r.json"):
        return json.loads((self.folder / name).read_text())

    def call(self, words, **environment):
        return subprocess.run([*map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=120,
                              env={**os.environ, **environment})

    def start(self, *words):
        """A process in a group of its own whose program has printed "ready"."""
        process = subprocess.Popen([*map(str, words)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, env={**os.environ, "TMPDIR": str(self.temporary)})
        self.addCleanup(self.end_group, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.2)
        return process

    @staticmethod
    def end_group(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()

    def ended(self, process):
        process.communicate(timeout=20)
        return process.returncode


class Signals(Steps):
    def interrupted(self, *words, numbers=(signal.SIGTERM,), send=os.killpg):
        process = self.start(HEDDLE, "run", "-o", "r.json", "--", *words)
        for number in numbers:
            send(process.pid, number)
        status = self.ended(process)
        self.assertEqual(self.result()["status"], "interrupted")
        return status

    def test_sigterm_to_all_processes_of_the_job(self):
        for where in ("spin", "wait"):  # in a kernel, in the program's own code
            self.assertEqual(self.interrupted(self.steps, "use", "ready", where), 128 + signal.SIGTERM)

    def test_hangup_too(self):
        self.assertEqual(self.interrupted(self.steps, "use", "ready", "spin", numbers=[signal.SIGHUP]), 128 + signal.SIGHUP)

    def test_several_signals_at_once_are_one(self):
        for numbers in ([signal.SIGINT, signal.SIGTERM], [signal.SIGTERM, signal.SIGTERM, signal.SIGINT]):
            self.assertIn(self.interrupted(self.steps, "use", "ready", "spin", numbers=numbers), {128 + number for number in numbers})

    def test_sigterm_to_heddle_alone(self):
        self.assertEqual(self.interrupted(self.steps, "use", "ready", "spin", send=os.kill), 128 + signal.SIGTERM)

    def test_scripts(self):
        shell = self.script(f'"{self.steps}" use ready spin; true')
        # Not subprocess.run: at Ctrl-C that one kills the program after a quarter of a second.
        python = self.script(f"import subprocess\nprogram = subprocess.Popen(['{self.steps}', 'use', 'ready', 'spin'])\n"
                             "try:\n    program.wait()\nexcept KeyboardInterrupt:\n    program.wait()", "/usr/bin/env python3", "script.py")
        for program in (shell, python):
            for send in (os.killpg, os.kill):
                for number in (signal.SIGTERM, signal.SIGINT):
                    with self.subTest(f"{program} {send.__name__} {number}"):
                        self.assertEqual(self.interrupted(program, numbers=[number], send=send), 128 + number)
                        (self.folder / "r.json").unlink()

    def test_without_heddle_run_the_program_ends_by_the_signal(self):
        os.environ.update(LD_LIBRARY_PATH=str(RUNTIME.parent), HEDDLE_RESULT=str(self.folder / "r.json"))
        self.addCleanup(os.environ.pop, "LD_LIBRARY_PATH")
        self.addCleanup(os.environ.pop, "HEDDLE_RESULT")
        for number in (signal.SIGTERM, signal.SIGINT):
            for where in ("spin", "wait"):
                process = self.start(self.steps, "use", "ready", where)
                process.send_signal(number)
                self.assertEqual(self.ended(process), -number)  # a shell says 128 + number
                self.assertEqual(self.result()["status"], "interrupted")

    def test_a_program_that_handles_signals(self):
        script = self.script(f'"{self.steps}" handle use ready wait; true')
        for program in ([self.steps, "handle", "use", "ready", "wait"], [script]):
            for number in (signal.SIGTERM, signal.SIGINT):
                process = self.start(HEDDLE, "run", "--", *program)
                process.send_signal(number)
                self.assertEqual(self.ended(process), 128 + number)
                (self.folder / "handled").unlink()
        process = self.start(HEDDLE, "run", "--", self.steps, "handle", "use", "ready", "wait")
        os.kill(children_of(process.pid)[0], signal.SIGTERM)
        self.assertEqual(self.ended(process), 5)

    def test_a_forked_child_ends_too(self):
        process = self.start(HEDDLE, "run", "-o", "r.json", "--", self.steps, "use", "fork", "wait")
        child, = children_of(children_of(process.pid)[0])
        descriptor = os.pidfd_open(child)
        os.killpg(process.pid, signal.SIGTERM)
        self.assertEqual(self.ended(process), 128 + signal.SIGTERM)
        self.assertNotEqual(select.select([descriptor], [], [], 20)[0], [])
        os.close(descriptor)

    def test_compare(self):
        process = subprocess.Popen([HEDDLE, "compare", "-o", "out", "--with", "core.formation=serial", "--", self.steps, "use", "mark", "spin"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        while not (self.folder / "ran").exists():
            time.sleep(0.01)
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGTERM)
        self.assertEqual(self.ended(process), 128 + signal.SIGTERM)
        self.assertEqual(self.result("out/0-core.formation=serial.json")["status"], "interrupted")

    def test_ptx(self):
        process = subprocess.Popen([HEDDLE, "ptx", self.write("spin.ptx", SPIN_PTX), "--grid", "1", "--block", "1", "-o", "r.json"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL)
        time.sleep(1)
        process.terminate()
        self.assertEqual(process.wait(20), 128 + signal.SIGTERM)
        self.assertEqual(self.result()["status"], "interrupted")

    def test_nohup(self):
        process = subprocess.Popen(["nohup", HEDDLE, "run", "-o", "r.json", "--", self.steps, "use", "ready", "spin"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        self.addCleanup(self.end_group, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        os.killpg(process.pid, signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(1)


class Killed(Steps):
    """kill -9 takes the simulation along, and leaves no files."""

    def descendants(self, process):
        out = children_of(process)
        return out + [further for child in out for further in self.descendants(child)]

    def check(self, *words):
        process = self.start(*words)
        descriptors = [os.pidfd_open(each) for each in self.descendants(process.pid)]
        self.assertGreater(len(descriptors), 0)
        process.kill()
        for descriptor in descriptors:
            self.assertNotEqual(select.select([descriptor], [], [], 20)[0], [], "a process still runs")
            os.close(descriptor)
        process.communicate(timeout=20)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_run(self):
        python = f"import subprocess; subprocess.run(['{self.steps}', 'use', 'ready', 'spin'])"
        for program in ([self.steps, "use", "ready", "spin"], [self.steps, "use", "ready", "wait"], ["python3", "-c", python],
                        [self.script(f'"{self.steps}" use ready spin; true')]):
            self.check(HEDDLE, "run", "--", *program)

    def test_oracle(self):
        self.check(HEDDLE, "oracle", "--", "env", self.steps, "once", "ready", "wait")

    def test_compare_and_reproduce(self):
        self.write("e.toml", 'title = "T"\nvalue = "totals.cycles"\n[[program]]\nname = "p"\nrun = "./script"\narguments = []\n')
        self.script(f'"{self.steps}" use mark wait; true')
        for words in (["compare", "--with", "core.formation=serial", "--", "./script"], ["reproduce", "-o", "out", "e.toml"]):
            process = subprocess.Popen([HEDDLE, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env={**os.environ, "TMPDIR": str(self.temporary)})
            while not (self.folder / "ran").exists():
                time.sleep(0.01)
            time.sleep(0.3)
            (self.folder / "ran").unlink()
            descriptors = [os.pidfd_open(each) for each in self.descendants(process.pid)]
            self.assertGreater(len(descriptors), 1)
            process.kill()
            for descriptor in descriptors:
                self.assertNotEqual(select.select([descriptor], [], [], 20)[0], [], "a process still runs")
                os.close(descriptor)
            process.communicate(timeout=20)
            self.assertEqual(list(self.temporary.iterdir()), [])


class Limits(Steps):
    def test_old_results_stay_whole(self):
        self.assert_succeeds("run", "-o", "r.json", "-t", "t.json", "--", self.steps, "once")
        old = (self.folder / "r.json").read_text(), (self.folder / "t.json").read_text()
        limited = self.call(with_limit("-f 8", HEDDLE, "run", "-o", "r.json", "-t", "t.json", "--", self.steps, "once"))
        self.assertEqual(limited.returncode, 1, limited.stderr)
        self.assertIn("without results: the results are lost: ", limited.stderr)
        self.assertIn("the limit on the size of files is 8192 bytes; raise it with `ulimit -f`", limited.stderr)
        self.assertNotIn("simulated device", limited.stderr)
        self.assertEqual(((self.folder / "r.json").read_text()), old[0])
        self.assertEqual(sorted(p.name for p in self.folder.glob("*.json")), ["r.json", "t.json"])
        self.assertEqual([p for p in self.folder.iterdir() if p.name.startswith(".")], [])

    def test_a_lost_time_line_is_a_failure(self):
        (self.folder / "out").mkdir()
        message = self.assert_refused(1, "run", "-o", "r.json", "-t", "out/t.json", "--", self.script(f'rmdir out; "{self.steps}" once'))
        self.assertIn("the events of the time line are lost: ", message)
        self.assertEqual(self.result()["status"], "complete")

    def test_size_of_files(self):
        for words in (["run", "--"], ["compare", "--with", "core.formation=serial", "--"]):
            run = self.call(with_limit("-f 8", HEDDLE, *words, self.steps, "once"))
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn("the limit on the size of files is 8192 bytes; raise it with `ulimit -f`", run.stdout + run.stderr)
        for words in (["run", "-o", "r.json", "--"], ["run", "--"], ["oracle", "--"]):
            run = self.call(with_limit("-f 0", HEDDLE, *words, self.steps, "mark", "once"))
            self.assertIn(run.returncode, (1, 2), run.stderr)
            self.assertIn("the limit on the size of files is 0 bytes; raise it with `ulimit -f`", run.stderr)
            self.assertFalse((self.folder / "ran").exists())

    def test_own_output_of_a_program(self):
        run = self.call(with_limit("-f 8", HEDDLE, "compare", "--with", "core.formation=serial", "--", "sh", "-c",
                                   "exec head -c 100000 /dev/zero"))
        self.assertIn("the limit on the size of files is 8192 bytes", run.stdout + run.stderr)

    def test_address_space(self):
        run = self.call(with_limit("-v 800000", HEDDLE, "run", "--", self.steps, "once"))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("cannot reserve 1 GiB of address space for the device's memory: the limit on address space is "
                      "819200000 bytes; raise it with `ulimit -v`", run.stderr)
        for limit in (1120000, 1150000): # where the reservation succeeds and little is left
            run = self.call(with_limit(f"-v {limit}", HEDDLE, "run", "-m", "gtx480", "-s", "gpu.sms=60", "--", self.steps, "once"))
            self.assertIn(run.returncode, (2, 4), run.stderr)
            self.assertIn(f"the limit on address space is {limit * 1024} bytes; raise it with `ulimit -v`", run.stderr)
            self.assertNotIn("never used", run.stderr)

    def test_temporary_files(self):
        for words in (["run", "--"], ["oracle", "--"], ["compare", "--with", "core.formation=serial", "--"]):
            run = self.call([HEDDLE, *words, self.steps, "mark", "once"], TMPDIR="/nonexistent")
            self.assertEqual(run.returncode, 1)
            self.assertIn("no temporary file can be written in /nonexistent: No such file or directory (TMPDIR names another folder)",
                          run.stderr)
            self.assertFalse((self.folder / "ran").exists())

    def test_open_files(self):
        """More runs at a time than the limit allows files; the programs have the limit as it was."""
        settings = [word for i in range(1, 13) for word in ("--with", f"dcache.latency={i}")]
        script = self.script(f'"{self.steps}" once; ulimit -Sn')
        run = self.call(with_limit("-Sn 24", HEDDLE, "compare", "-j", 12, "-o", "out", *settings, "--", script))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        outputs = [path.read_text() for path in (self.folder / "out").glob("*.txt")]
        self.assertEqual(outputs, ["24\n"] * 12)

    def test_limit_status(self):
        words = ["--max-cycles", 20000, "--", self.steps, "spin"]
        self.assertEqual(self.heddle("run", *words).returncode, 0)
        self.assertEqual(self.heddle("run", "--limit-status", 7, *words).returncode, 7)
        self.assertEqual(self.heddle("run", "--limit-status", 7, "--", self.steps, "once").returncode, 0)
        words = ["--with", "core.formation=serial", *words]
        self.assertEqual(self.heddle("compare", *words).returncode, 0)
        self.assertEqual(self.heddle("compare", "--limit-status", 7, *words).returncode, 7)
        spin = ["ptx", self.write("spin.ptx", SPIN_PTX), "--grid", 1, "--block", 1]
        self.assertEqual(self.heddle(*spin, "--max-instructions", 5000, "--limit-status", 7).returncode, 7)
        self.assert_refused(2, "run", "--limit-status", 256, "--", self.steps)


class Output(Steps):
    """Files and streams that cannot be written."""

    def commands(self):
        self.write("copy.ptx", COPY_PTX)
        self.assert_succeeds("run", "-o", "run.json", "--", self.steps, "once")
        self.write("e.toml", 'title = "T"\nvalue = "totals.cycles"\n[[program]]\nname = "p"\nrun = "./steps"\n'
                             'arguments = ["mark", "once"]\n')
        return {
            "run": ["run", "--", self.steps, "mark", "once"],
            "compare": ["compare", "--with", "core.formation=serial", "--", self.steps, "mark", "once"],
            "oracle": ["oracle", "--", self.steps, "mark", "once"],
            "reproduce": ["reproduce", "e.toml"],
            "ptx": ["ptx", "copy.ptx", "--grid", "1", "--block", "2", "--arg", "buf:8", "--arg", "buf:8", "--arg", "u32:2"],
            "cost": ["cost"],
            "report": ["report", "run.json"],
        }

    def test_full_standard_output(self):
        reproduced = ["reproduce", "-o", "out"]
        calls = [[*words] for words in self.commands().values()]
        calls = [reproduced + words[1:] if words[0] == "reproduce" else words for words in calls]
        calls += [["describe", "machines"], ["reproduce"], ["--help"], ["run", "--help"], ["--version"]]
        for words in calls:
            with open("/dev/full", "w") as full, self.subTest(words[0]):
                run = subprocess.run([HEDDLE, *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=60)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertRegex(run.stderr, r"(?m)^heddle: error: standard output cannot be written(: No space left on device)?$")

    def test_closed_standard_output(self):
        run = self.call(["bash", "-c", '"$0" run -o r.json -- "$1" once >&-', HEDDLE, self.steps])
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("standard output cannot be written: Bad file descriptor", run.stderr)
        self.assertEqual(self.result()["status"], "complete")

    def test_unwritable_outputs_are_refused_before_the_work(self):
        self.write("file", "")
        for name, words in self.commands().items():
            folder = name in ("compare", "reproduce")
            targets = {"file/x": "", "none/x": "there is no folder", ".": "a folder", "x" * 300: "File name too long"}
            for target, reason in {"file": "not a folder", "file/x": "not a folder", "/proc/x": "not a folder"}.items() if folder \
                    else targets.items():
                with self.subTest(f"{name} -o {target}"):
                    message = self.assert_refused(2, words[0], "-o", target, *words[1:])
                    self.assertIn(reason, message)
                    self.assertIn(target, message)
                    self.assertFalse((self.folder / "ran").exists())
        self.assertIn("there is no folder", self.assert_refused(2, *self.commands()["ptx"], "--dump", "0:none/x"))

    @unittest.skipIf(os.geteuid() == 0, "root writes everything")
    def test_outputs_without_permission(self):
        (self.folder / "closed").mkdir(mode=0o555)
        for name, words in self.commands().items():
            target = "closed" if name in ("compare", "reproduce") else "closed/x"
            self.assertIn("Permission denied", self.assert_refused(2, words[0], "-o", target, *words[1:]))
            self.assertFalse((self.folder / "ran").exists())

    def test_results_through_a_pipe(self):
        run = self.call(["bash", "-c", '"$0" run -o >(cat > piped) -- "$1" once; wait $!; "$0" cost -o /dev/stdout', HEDDLE, self.steps])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.result("piped")["status"], "complete")
        self.assertIn('"formation"', run.stdout)

    def test_results_among_the_output(self):
        out = self.folder / "out"
        with open(out, "w") as file:
            subprocess.run([HEDDLE, "run", "-o", "/dev/stdout", "--", self.steps, "ready", "once"], stdout=file, cwd=self.folder,
                           check=True, timeout=60)
        text = out.read_text()
        self.assertTrue(text.startswith("ready\n{"), text[:20])
        result, rest = json.JSONDecoder().raw_decode(text[len("ready\n"):])
        self.assertEqual(result["status"], "complete")
        self.assertIn("machine lwm11", text[len("ready\n") + rest:])

    def test_a_program_without_results_leaves_the_old_ones(self):
        self.write("r.json", "old")
        self.assert_refused(1, "run", "-o", "r.json", "--", "true")
        message = self.assert_refused(1, "run", "-o", "r.json", "--", self.steps, "once", "skip")
        self.assertIn("without results", message)
        self.assertEqual((self.folder / "r.json").read_text(), "old")


class Scripts(Steps):
    """Programs that start or load the one that uses the device."""

    def test_ways_to_start_a_program(self):
        self.write("Makefile", f"all:\n\t@{self.steps} once\n")
        python = f"import subprocess, sys; sys.exit(subprocess.run(['{self.steps}', 'once']).returncode)"
        loads = ("import ctypes; runtime = ctypes.CDLL('libcudart.so.13'); "
                 "assert runtime.cudaMalloc(ctypes.byref(ctypes.c_void_p()), 64) == 0")
        for words in ([self.script(f'"{self.steps}" once')], ["sh", "-c", f'"{self.steps}" once'], ["env", "A=1", self.steps, "once"],
                      ["python3", "-c", python], ["make", "-s"], ["python3", "-c", loads]):
            with self.subTest(words[0]):
                self.assert_succeeds("run", "-o", "r.json", "-s", "core.formation=serial", "--", *words)
                result = self.result()
                self.assertEqual(result["status"], "complete")
                self.assertEqual(len(result["kernels"]), 0 if words[-1] == loads else 1)
                self.assertEqual(result["config"]["core.formation"]["value"], "serial")
                (self.folder / "r.json").unlink()

    def test_exit_status_is_that_of_the_script(self):
        self.assertEqual(self.heddle("run", "--", self.script(f'"{self.steps}" once; exit 4')).returncode, 4)

    def test_other_commands(self):
        script = self.script(f'"{self.steps}" once')
        self.assertIn("core.formation=serial", self.assert_succeeds("compare", "--with", "core.formation=serial", "--", script))
        self.assertIn("once", self.assert_succeeds("oracle", "--", script))
        self.write("e.toml", 'title = "T"\nvalue = "totals.warp_instructions"\n[[program]]\nname = "p"\nrun = "./script"\n')
        self.assert_succeeds("reproduce", "-o", "out", "e.toml")

    def test_what_never_uses_the_device(self):
        for words in (["true"], [self.script("true")], [self.steps]):
            self.assertIn("ended with exit status 0 and never used the simulated device: ", self.assert_refused(1, "run", "--", *words))
        self.assertIn("ended with exit status 3 and never used", self.assert_refused(3, "run", "--", self.script("exit 3")))
        self.assertIn("never used the simulated device", self.assert_refused_in_table(["true"]))

    def assert_refused_in_table(self, words):
        run = self.heddle("compare", "--with", "core.formation=serial", "--", *words)
        self.assertEqual(run.returncode, 1)
        return run.stdout

    def test_programs_that_cannot_start(self):
        self.assertIn("the program of its first line, '/none/sh', is not there",
                      self.assert_refused(2, "run", "--", self.script("", "/none/sh")))

    def test_results_of_several_processes(self):
        script = self.script(f'"{self.steps}" use; "{self.steps}" once once; "{self.steps}" once; "{self.steps}" use')
        run = self.heddle("run", "-o", "r.json", "-t", "t.json", "--", script)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([len(self.result(name)["kernels"]) for name in ("r.json", "r-2.json")], [2, 1])
        self.assertEqual(sorted(p.name for p in self.folder.glob("*.json")), ["r-2.json", "r.json", "t-2.json", "t.json"])
        self.assertRegex(run.stderr, r"2 processes launched kernels, .*r\.json, .*r-2\.json")
        unnamed = self.heddle("run", "--", script)
        self.assertIn("2 processes launched kernels, each on a device of its own; these are the results of the first", unnamed.stderr)
        table = self.assert_succeeds("compare", "--with", "core.formation=serial", "--", script)
        self.assertIn("the first of 2 processes that launched kernels", table)
        self.write("e.toml", 'title = "T"\nvalue = "totals.cycles"\n[[program]]\nname = "p"\nrun = "./script"\n')
        self.assertEqual(self.heddle("reproduce", "-o", "out", "e.toml").returncode, 1)
        figure, = json.loads((self.folder / "out" / "figures.json").read_text())["figures"]
        self.assertIn("2 processes launched kernels", " ".join(figure["remarks"]))

    def test_a_process_that_is_killed(self):
        message = self.assert_refused(1, "run", "-o", "r.json", "--", self.script(
            f'"{self.steps}" use mark spin & while ! [ -f ran ]; do sleep 0.1; done; sleep 0.3; kill -9 $!; "{self.steps}" once'))
        self.assertIn("without results: the process that used the simulated device was killed", message)
        self.assertEqual(len(self.result("r-2.json")["kernels"]), 1)

    def test_children_of_a_fork(self):
        """They have the device of their parent only before it is used; their parent has the results."""
        self.assert_succeeds("run", "-o", "r.json", "--", self.steps, "child", "once")
        self.assertEqual(len(self.result()["kernels"]), 1)
        run = self.heddle("run", "-o", "r.json", "--", self.steps, "once", "once", "child", "once")
        self.assertIn("its child cannot launch kernels, as in CUDA", run.stderr)
        self.assertEqual(len(self.result()["kernels"]), 2)

    def test_a_process_that_outlives_the_script(self):
        run = self.heddle("run", "--max-cycles", 3000000, "-o", "r.json", "--", self.script(f'"{self.steps}" use mark spin & while ! [ -f ran ]; do '
                          "sleep 0.1; done; sleep 0.3"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.result()["status"], "max_cycles")


del Programs  # its cases are run_test.py's

if __name__ == "__main__":
    unittest.main()
