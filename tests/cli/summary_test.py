"""What heddle run and heddle ptx say at the end, and where."""
import json
import re
import unittest

from case import COPY_PTX
from steps import Steps


class Summary(Steps):
    def setUp(self):
        super().setUp()
        self.copy = ["ptx", self.write("copy.ptx", COPY_PTX), "--grid", "4", "--block", "64", "--arg", "buf:256", "--arg", "buf:256",
                     "--arg", "u32:64"]

    def test_standard_output_is_the_programs(self):
        run = self.heddle("run", "--", self.steps, "ready", "once")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, "ready\n")
        self.assertIn("\nmachine gtx480 (default; -m NAME selects another), ", run.stderr)
        self.assertEqual(self.assert_succeeds(*self.copy), "")

    def test_quiet(self):
        for words in (["run", "-q", "--", self.steps, "once"], [*self.copy, "--quiet"]):
            run = self.heddle(*words)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        self.assertIn("heddle: error: ", self.assert_refused(1, "run", "-q", "--", "true"))

    def test_results_on_standard_output(self):
        for words in (["run", "-o", "-", "--", self.steps, "once"], [*self.copy, "-o", "-"]):
            self.assertEqual(json.loads(self.assert_succeeds(*words))["status"], "complete")
        self.assertFalse((self.folder / "-").exists())
        self.assertIn("--timeline -: name a file", self.assert_refused(2, *self.copy, "-t", "-"))

    def test_first_line_names_the_machine(self):
        self.assertRegex(self.summary(*self.copy), r"(?m)^machine gtx480 \(default; -m NAME selects another\), ")
        self.assertRegex(self.summary(*self.copy, "-m", "lwm11"), r"(?m)^machine lwm11, formation pdom, scheduler rr$")

    def test_the_default_is_marked_among_the_machines(self):
        marked = [line for line in self.assert_succeeds("describe", "machines").splitlines() if "(default)" in line]
        self.assertEqual([line.split()[:2] for line in marked], [["gtx480", "2010"]])

    def test_lines_and_shares(self):
        """Causes are sorted, none is under 0.5 %, and no line is long, on each kind of core."""
        for machine in ("gtx480", "lwm11", "dwf07", "maws-coherent"):
            with self.subTest(machine):
                text = self.summary(*self.copy, "-m", machine)
                self.assertLessEqual(max(map(len, text.splitlines())), 100, text)
                slots = text.partition("  issue slots\n")[2].partition("  share of the machine's peak\n")[0]
                shares = [float(share) for share in re.findall(r"(\d+\.\d) %", slots)]
                self.assertEqual(shares, sorted(shares, reverse=True))
                self.assertGreaterEqual(shares[-1], 0.5)
                peaks = re.findall(r"^    (.*?) {2,}(\d+\.\d) %", text.partition("  share of the machine's peak\n")[2], re.M)
                self.assertTrue(peaks)
                for name, share in peaks:
                    self.assertLessEqual(float(share), 100, name)

    def test_views(self):
        text = self.summary(*self.copy, "--view", "classes", "--view", "rates")
        self.assertIn("\nslots by class (PRO II.B): ", text)
        self.assertIn("\nrates: ", text)
        self.assertNotIn("PRO II.B", self.summary(*self.copy))
        described = self.assert_succeeds("describe", "views")
        for line in described.splitlines()[1:]:
            self.summary(*self.copy, "--view", line.split()[0])
        message = self.assert_refused(2, *self.copy, "--view", "clases")
        self.assertIn("there is no view 'clases'; valid: kernels, classes, ", message)
        self.assertIn("did you mean 'classes'?", message)
        self.assertIn("--quiet excludes --view", self.assert_refused(2, *self.copy, "-q", "--view", "classes"))


class Range(Steps):
    def test_timeline_of_a_range(self):
        copy = ["ptx", self.write("copy.ptx", COPY_PTX), "--grid", "60", "--block", "256", "--arg", "buf:1KiB", "--arg", "buf:1KiB",
                "--arg", "u32:256", "-t", "t.json", "-o", "r.json"]
        self.assert_succeeds(*copy)
        every = json.loads((self.folder / "r.json").read_text())["timeline"]["blocks"]
        self.assert_succeeds(*copy, "--timeline-from", 700, "--timeline-to", 900)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(result["timeline"]["range"], [700, 900])
        self.assertEqual(result["timeline"]["blocks"], [b for b in every if b["start"] < 900 and b["end"] > 700])
        self.assertIn("--timeline-from 9 is not before --timeline-to 9",
                      self.assert_refused(2, *copy, "--timeline-from", 9, "--timeline-to", 9))
        self.assertIn("name one with --timeline", self.assert_refused(2, "ptx", *copy[1:-4], "--timeline-to", 9))


if __name__ == "__main__":
    unittest.main()
