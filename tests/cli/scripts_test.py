"""Programs that start or load the one that uses the device."""
import json
import unittest

from steps import Steps


class Scripts(Steps):
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
        self.assertIn("its child cannot use it, as in CUDA", run.stderr)
        self.assertEqual(len(self.result()["kernels"]), 2)

    def test_a_process_that_outlives_the_script(self):
        run = self.heddle("run", "--max-cycles", 3000000, "-o", "r.json", "--", self.script(f'"{self.steps}" use mark spin & while ! [ -f ran ]; do '
                          "sleep 0.1; done; sleep 0.3"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.result()["status"], "max_cycles")


if __name__ == "__main__":
    unittest.main()
