"""Signals to heddle and to what it simulates, and kill -9."""
import os
import select
import signal
import subprocess
import time
import unittest

from case import HEDDLE, RUNTIME, SPIN_PTX, children_of
from steps import Steps


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
        self.kill(self.start(*words), 1)

    def kill(self, process, least):
        """The process, and at least so many that it has started."""
        descriptors = [os.pidfd_open(each) for each in self.descendants(process.pid)]
        self.assertGreaterEqual(len(descriptors), least)
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
            self.kill(process, 2)


if __name__ == "__main__":
    unittest.main()
