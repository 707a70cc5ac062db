"""heddle validate --workloads: differences beyond an empty kernel, and what is refused, with a list of measured kernels of its own."""
import csv
import os
import pathlib
import shutil
import subprocess
import unittest

from case import HEDDLE, Case

BUILD = pathlib.Path(HEDDLE).parent.parent
MACHINE = "gtx480"
KERNEL = '{ kernel = "encrypt", launches = 1, cycles = 5100, instructions = 1000, registers = 22 }'
LIST = f'empty = 100\nworkloads = [\n  {{ program = "aes", arguments = "", kernels = [ {KERNEL} ] }},\n]\n'


@unittest.skipUnless((BUILD / "validation/programs").is_dir(), "this build has no microbenchmarks")
class ValidateWorkloads(Case):
    def setUp(self):
        """A build of links, but for the lists of measured kernels, which are found beside the program."""
        super().setUp()
        self.build = self.folder / "build"
        (self.build / "bin").mkdir(parents=True)
        (self.build / "validation/measured").mkdir(parents=True)
        shutil.copy(HEDDLE, self.build / "bin/heddle")
        for name in os.listdir(BUILD):
            if name not in ("bin", "validation"):
                (self.build / name).symlink_to(BUILD / name)
        (self.build / "validation/programs").symlink_to(BUILD / "validation/programs")

    def validate(self, text, *words):
        (self.build / f"validation/measured/{MACHINE}.toml").write_text(text)
        return subprocess.run([self.build / "bin/heddle", "validate", "--workloads", "-m", MACHINE, *words],
                              cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)

    def test_cycles_beyond_an_empty_kernel(self):
        rows = []
        for text in (LIST, LIST.replace("empty = 100", "empty = 600")):
            done = self.validate(text, "-o", "table.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("1 kernel; difference in cycles: mean ", done.stdout)
            self.assertNotIn("correlation", done.stdout)  # of one kernel there is none
            rows += csv.DictReader((self.folder / "table.csv").read_text().splitlines())
        self.assertEqual([row["measured_cycles"] for row in rows], ["5000", "4500"])
        self.assertEqual(rows[0]["here_cycles"], rows[1]["here_cycles"])
        for row in rows:
            here, measured = float(row["here_cycles"]), float(row["measured_cycles"])
            self.assertGreater(here, 0)
            self.assertAlmostEqual(float(row["percent_off"]), 100 * (here / measured - 1), delta=0.02)
            self.assertEqual(row["measured_instructions"], "1000")

    def test_a_mean_above_the_limit(self):
        done = self.validate(LIST.replace("5100", "101").replace("empty", "mean_percent = 5\nempty", 1))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the mean difference is above 5 %", done.stderr)

    def test_what_is_refused(self):
        for text, message in ((LIST.replace('"encrypt"', '"decrypt"'), "kernel 'decrypt' was measured in 1 launches; here it has 0"),
                              (LIST.replace("launches = 1", "launches = 2"), "'encrypt' was measured in 2 launches; here it has 1"),
                              (LIST.replace("registers", "spills"), "there is no key 'spills'"),
                              (LIST.replace("cycles = 5100", "cycles = 0"), "cycles are more than those of as many empty kernels, 100 each"),
                              (LIST.replace("cycles = 5100", "cycles = 100"), "cycles are more than those of as many empty kernels"),
                              (LIST.replace("instructions = 1000", "instructions = 0"), "launches and instructions are more than 0"),
                              (LIST.replace("workloads =", "workload ="), "has an array `workloads`"),
                              (LIST.replace("empty = 100", ""), "`empty`, the cycles of an empty kernel, is more than 0")):
            done = self.validate(text)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)

    def test_names(self):
        done = self.validate(LIST, "--program", "aez")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no workload 'aez' is measured; valid: aes", done.stderr)
        done = self.heddle("validate", "--workloads", "-m", "gtx480")
        self.assertIn("no workload is measured on the chip of machine 'gtx480'; measured: h100, h200", done.stderr)


if __name__ == "__main__":
    unittest.main()
