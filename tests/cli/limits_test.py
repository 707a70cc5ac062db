"""Limits of the host and of the simulation."""
import unittest

from case import HEDDLE, SPIN_PTX
from steps import Steps, with_limit


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


if __name__ == "__main__":
    unittest.main()
