"""heddle oracle: what the best reconvergence points would save (docs/oracle.md), end to end."""
import json
import subprocess
import unittest

from case import HEDDLE, RUNTIME, SOURCE, Case
from run_test import Programs

WORKLOADS = HEDDLE.parent.parent / "workloads"
LOOP = WORKLOADS / "micro-pathological"


@unittest.skipUnless(LOOP.exists(), f"{LOOP} is not built")
class PathologicalLoop(Case):
    """The loop of DWF07 Figure 7, in the first launch as there, in the second one in lock step."""

    def study(self, *words):
        self.assertIn("PASS", self.assert_succeeds("oracle", "-m", "dwf07", "-o", "oracle.json", *words))
        return json.loads((self.folder / "oracle.json").read_text())

    def test_threads_get_into_lock_step(self):
        short, long = (self.study("--", LOOP, "--size", size)["launches"] for size in (128, 256))
        for launches in (short, long):
            paper, lock_step = (launch["total"] for launch in launches)
            self.assertEqual(paper["warps"], 8)  # 128 threads in warps of 16
            self.assertEqual(paper["best_warps"], 8)
            self.assertEqual(paper["oracle"], paper["at_least"])
            self.assertLess(paper["oracle"], paper["pdom"])
            self.assertEqual(lock_step["oracle"], lock_step["pdom"])
        # What 128 more iterations cost: with the oracle as much as in lock step; under pdom every one has the if.
        more = {(launch, way): long[launch]["total"][way] - short[launch]["total"][way]
                for launch in (0, 1) for way in ("pdom", "oracle")}
        self.assertEqual(more[0, "oracle"], more[1, "pdom"])
        if_taken = (more[0, "pdom"] - more[0, "oracle"]) / 8 / 64
        self.assertEqual(more[0, "pdom"] / 8 / 128 - if_taken, more[1, "pdom"] / 8 / 128 - if_taken / 2)

    def test_file_is_as_its_schema_says(self):
        found = self.study("--", LOOP)
        self.assertEqual(found["width"], 16)
        self.assertEqual(found["status"], "complete")
        self.assertEqual(found["total"]["pdom"], sum(launch["total"]["pdom"] for launch in found["launches"]))
        checked = subprocess.run(["python3", SOURCE / "tests/cli/check_schema.py", SOURCE / "schema/oracle.schema.json",
                                  self.folder / "oracle.json"], capture_output=True, text=True)
        if checked.returncode == 2:
            self.skipTest("python3-jsonschema is not installed: the schema is not checked")
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_table(self):
        out = self.assert_succeeds("oracle", "-m", "dwf07", "--", LOOP)
        self.assertIn("the first 128 threads of each launch, in warps of 16", out)
        self.assertRegex(out, r"(?m)^pathological +2 +256 ")
        self.assertIn("proven to be the best there is for all 16 warps", out)
        out = self.assert_succeeds("oracle", "-m", "dwf07", "--launches", "--threads", "40", "--", LOOP)
        self.assertRegex(out, r"(?m)^pathological +1 +40 .*\n(?=pathological +1 +40 )")
        self.assertRegex(out, r"(?m)^all +2 +80 .*\n(?=.*all 6 warps)")

    def test_limit_is_said(self):
        out = self.assert_succeeds("oracle", "--runs", "1000", "--", LOOP)
        self.assertIn("the limit of 1,000 runs of instructions (--runs) was reached: 1 launch was cut short, 1 not traced at all",
                      out)

    def test_band_is_said(self):
        self.assertNotIn("band:", self.assert_succeeds("oracle", "--", LOOP, "--size", "3000"))
        out = self.assert_succeeds("oracle", "--band", "1", "--", WORKLOADS / "blackjack", "--quick")
        self.assertRegex(out, r"(?m)^band: of 4 warps alignments further apart than --band 1 basic blocks were not looked at")


class Calls(Programs):
    def test_programs_without_kernels(self):
        error = self.assert_refused(1, "oracle", "--", self.program)
        self.assertIn("launched no kernel: there is nothing to align", error)
        self.assertIn("ended with exit status 0 and never used the simulated device", self.assert_refused(1, "oracle", "--", self.program, "early"))

    def test_calls_that_are_wrong(self):
        self.assertIn("Write heddle oracle [OPTIONS] -- PROGRAM [ARGS]", self.assert_refused(2, "oracle"))
        self.assertIn("there is no such program", self.assert_refused(2, "oracle", "--", "./none"))
        self.assertIn("unknown machine", self.assert_refused(2, "oracle", "-m", "none", "--", self.program))
        self.assertIn("stands after --", self.assert_refused(2, "oracle", self.program))
        for option in ("--threads", "--runs", "--band"):
            self.assertIn(f"{option} 0: write a number from 1 to ", self.assert_refused(2, "oracle", option, "0", "--", self.program))
            self.assert_refused(2, "oracle", option, "-1", "--", self.program)
        self.assertIn("a folder", self.assert_refused(2, "oracle", "-o", ".", "--", self.program))


if __name__ == "__main__":
    unittest.main()
