"""heddle validate: the published values of each machine that has some are met, but for the failures that it names."""
import pathlib
import unittest

from case import HEDDLE, Case

PROGRAMS = pathlib.Path(HEDDLE).parent.parent / "validation" / "programs"
SHORT = ("--program", "arithmetic", "--program", "memory_latency", "--program", "conflicts")


@unittest.skipUnless(PROGRAMS.is_dir(), "this build has no microbenchmarks")
class Validate(Case):
    def test_v100(self):
        text = self.assert_succeeds("validate", "-m", "v100", "-o", "table.csv", "--page", "v100.html")
        self.assertRegex(text, r"\d+ of \d+ published values are met")
        rows = (self.folder / "table.csv").read_text().splitlines()
        self.assertEqual(rows[0], "benchmark,unit,here,published,percent_off,within,source,fails")
        self.assertTrue(any(row.startswith("latency.popc,") and ",known," in row for row in rows))

        page = (self.folder / "v100.html").read_text()
        for figure in ("latency, cycles", "throughput, results/cycle/SM", "bandwidth, GB/s"):
            self.assertIn(figure, page)

    def test_the_other_machines(self):
        """Without their bandwidths, which take minutes."""
        for machine in ("rtx2060", "a100", "a6000", "rtx3080", "h100", "h200"):
            self.assert_succeeds("validate", "-m", machine, *SHORT)

    def test_describe_machines_says_how_many_values_are_published(self):
        lines = {line.split()[0]: line for line in self.assert_succeeds("describe", "machines").splitlines()}
        for file in (PROGRAMS.parent / "published").glob("*.toml"):
            values = file.read_text().count("benchmark =")
            self.assertIn(f" {values}: docs/modern-machines.md ", lines[file.stem])
        self.assertNotIn("modern-machines", lines["gtx480"])

    def test_lost_accuracy_is_a_failure(self):
        done = self.heddle("validate", "-m", "v100", "--program", "memory_latency", "-s", "dcache.latency=40")
        self.assertEqual(done.returncode, 1)
        self.assertIn("latency.l1 is outside of its tolerance", done.stderr)

    def test_a_failure_that_is_gone_is_one(self):
        done = self.heddle("validate", "-m", "v100", "--program", "memory_latency", "-s", "llc.latency=200")
        self.assertEqual(done.returncode, 1)
        self.assertIn("latency.atomic is within its tolerance, but ", done.stderr)

    def test_a_machine_without_published_values(self):
        text = self.assert_succeeds("validate", "-m", "gtx480", "--program", "memory_latency")
        self.assertIn("nothing is published of this machine", text)

    def test_an_unknown_program(self):
        done = self.heddle("validate", "-m", "v100", "--program", "arithmatic")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no microbenchmark 'arithmatic'; valid: arithmetic, bandwidth, conflicts, memory_latency; "
                      "did you mean 'arithmetic'?", done.stderr)


if __name__ == "__main__":
    unittest.main()
