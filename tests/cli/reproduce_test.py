"""heddle reproduce: an experiment of its own form run end to end, interrupted, killed, repeated."""
import csv
import json
import os
import signal
import subprocess
import threading
import time
import unittest

from case import HEDDLE, SOURCE, Case
from run_test import Programs

LOOP = HEDDLE.parent.parent / "workloads" / "micro-pathological"

EXPERIMENT = """title = "Sizes"
kind = "lines"
unit = "KiB"
value = "config[dcache.size].value / 1024"
sweep = { key = "dcache.size", values = ["32KiB", "64KiB"] }
categories = "point"

[[program]]
name = "well"
run = "./program"
arguments = ["0"]

[[program]]
name = "badly"
run = "./program"
arguments = ["3"]

[[program]]
name = "gone"
run = "./no-such-program"
"""


# A cache of 256 KiB beside one of 128: +100 %. With 64 KiB in its place +300 %; ways change nothing.
READINGS = """title = "LWM11 sizes"
machine = "lwm11"
paper = "LWM11"
figure = "8"
value = "config[dcache.size].value"
means = ["max"]

[[setting]]
name = "pdom rr"

[[setting]]
name = "LWM 256"
set = { dcache.size = "256KiB" }

[[program]]
name = "well"
run = "./program"
arguments = ["0"]

[[published]]
quantity = "mean IPC gain"
subject = "LWM 256"
versus = "pdom rr"
series = "LWM 256"
category = "max"
base_series = "pdom rr"
as = "percent"

[[reading]]
id = "size"
silent = "The size is not said."
default = "128 KiB"
because = "it is usual."

[[reading.alternative]]
name = "64 KiB"
why = "it is cheap."
set = { dcache.size = "64KiB" }

[[reading]]
id = "ways"
silent = "The ways are not said."
default = "4"
because = "they are usual."

[[reading.alternative]]
name = "8"
why = "it is more."
set = { dcache.ways = 8 }

[[reading.alternative]]
name = "branches"
why = "it has no such program."
variant = "branches"
"""


class Reproduce(Programs):
    def setUp(self):
        super().setUp()
        self.file = self.write("sizes.toml", EXPERIMENT)

    def reproduce(self, *words):
        return self.heddle("reproduce", "-j", "2", "-o", "out", *words)

    def figures(self):
        return json.loads((self.folder / "out" / "figures.json").read_text())["figures"]

    def test_readings(self):
        file = self.write("readings-of-sizes.toml", READINGS)
        run = self.reproduce("--readings", file)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("well, pdom rr, size: 64 KiB", run.stderr)
        name = "lwm11-readings-of-sizes"
        with open(self.folder / "out" / f"{name}-readings.csv", newline="") as rows:
            self.assertEqual([(r["choices"], r["value"]) for r in csv.DictReader(rows)],
                             [("", "100"), ("size: 64 KiB", "300"), ("ways: 8", "100"), ("ways: branches", "100")])
        figures = {f["id"]: f for f in self.figures()}
        bands = figures[f"{name}-bands"]
        self.assertEqual(bands["kind"], "bands")
        self.assertEqual({s["name"]: s["values"] for s in bands["series"]},
                         {"lowest": [100], "highest": [300], "here": [100], "published": [7.9]})
        self.assertEqual(bands["remarks"][0], "0 of 1 published values lie in the bands.")
        self.assertEqual(figures[f"{name}-tornado"]["categories"], ["size: 64 KiB", "ways: 8", "ways: branches"])

    # 256 KiB are +100 % over 128 KiB.
    def test_numbers_in_notes(self):
        file = self.write("readings-of-sizes.toml", READINGS)
        size, gain = "<!-- lwm11-readings-of-sizes | LWM 256 | well -->", "<!-- lwm11-readings-of-sizes | LWM 256 | well | over pdom rr -->"
        self.write("DEVIATIONS.md", f"# T\n\n## lwm11-readings-of-sizes\n\nThey have 1,000{size} bytes, +3.0 %{gain}.\n")
        page = self.folder / "DEVIATIONS.md"
        old = page.read_text()
        run = self.reproduce(file)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(page.read_text(), old)
        self.assertIn("They have 1,000 bytes, +3.0 %.", run.stdout)
        run = self.reproduce("--update-notes", file)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("2 numbers updated", run.stdout)
        self.assertIn(f"They have 262,144{size} bytes, +100.0 %{gain}.", page.read_text())
        self.assertIn("0 numbers updated", self.reproduce("--update-notes", file).stdout)
        # A sentence that says the opposite is left as it is, and refused.
        page.write_text(page.read_text().replace("+100.0", "-7.5"))
        run = self.reproduce("--update-notes", file)
        self.assertEqual(run.returncode, 1)
        self.assertIn("DEVIATIONS.md:5: 'lwm11-readings-of-sizes | LWM 256 | well | over pdom rr' says -7.5 %, and it is +100.0 %",
                      run.stdout)
        self.assertIn("-7.5 %", page.read_text())
        run = self.reproduce(file)
        self.assertEqual(run.returncode, 0)
        self.assertIn("DEVIATIONS.md:5:", run.stdout)
        self.assertEqual(self.reproduce("--update-notes", "--quick", file).returncode, 2)

    def test_readings_repeat_a_run_once(self):
        file = self.write("readings-of-sizes.toml", READINGS)
        self.reproduce("--readings", file)
        again = self.reproduce("--readings", "--rerun", file)
        self.assertEqual(len(again.stderr.splitlines()), 5, again.stderr)  # two settings, one with 64 KiB, two with 8 ways

    def test_a_wrong_reading(self):
        file = self.write("wrong.toml", READINGS.replace("dcache.ways = 8", "dcache.wyas = 8"))
        run = self.reproduce("--readings", file)
        self.assertEqual(run.returncode, 2)
        self.assertIn("wrong.toml:", run.stderr)
        self.assertIn("dcache.ways", run.stderr)  # what was meant

    # Its mean would be of fewer programs than the default's.
    def test_a_reading_whose_programs_were_not_built(self):
        text = READINGS.replace('run = "./program"\narguments = ["0"]', 'run = "micro-pathological"').replace(
            'variant = "branches"', 'variant = "nowhere"')
        run = self.reproduce("--readings", self.write("readings-of-sizes.toml", text))
        self.assertEqual(run.returncode, 2)
        self.assertIn("with 'ways: branches': there is no workload micro-pathological-nowhere; `make variants` builds",
                      run.stderr)

    def test_a_file_without_readings(self):
        run = self.reproduce("--readings", self.file)
        self.assertEqual(run.returncode, 2)
        self.assertIn("none of these figures has", run.stderr)

    def test_twice(self):
        first = self.reproduce(self.file)
        self.assertEqual(first.returncode, 1, first.stderr)  # a program failed
        self.assertEqual(len(first.stderr.splitlines()), 4, first.stderr)  # two programs at two points
        figure, = self.figures()
        self.assertEqual(figure["categories"], ["32KiB", "64KiB"])
        self.assertEqual({s["name"]: s["values"] for s in figure["series"]},
                         {"well": [32, 64], "badly": [None, None], "gone": [None, None]})
        text = " ".join(figure["remarks"])
        self.assertIn("ended with exit status 3", text)
        self.assertIn("allocated", text)  # the end of its output
        self.assertIn("no-such-program: there is no such program", text)
        self.assertIn("4 of 6 runs failed", first.stdout)
        self.assertEqual(first.stdout.splitlines()[-1], "out/report.html")
        with open(self.folder / "out" / "sizes.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertIn({"figure": "sizes", "category": "64KiB", "series": "well", "stack": "", "value": "64"}, rows)

        before = (self.folder / "out" / "figures.json").read_bytes()
        second = self.reproduce(self.file)
        self.assertEqual(second.stderr, "", "nothing is simulated twice")
        self.assertEqual(second.stdout, first.stdout)
        self.assertEqual((self.folder / "out" / "figures.json").read_bytes(), before)

    def test_rerun_and_extension(self):
        self.reproduce(self.file)
        self.assertEqual(len(self.reproduce(self.file, "--rerun=failed").stderr.splitlines()), 2)
        self.assertEqual(len(self.reproduce(self.file, "--rerun").stderr.splitlines()), 4)
        self.write("sizes.toml", EXPERIMENT.replace('"64KiB"', '"64KiB", "128KiB"'))
        self.assertEqual(len(self.reproduce(self.file).stderr.splitlines()), 2)

    def test_a_changed_program_is_run_again(self):
        self.reproduce(self.file)
        with open(self.program, "ab") as file:
            file.write(b"\0")
        self.assertEqual(len(self.reproduce(self.file).stderr.splitlines()), 4)

    def test_dry_run(self):
        dry = self.assert_succeeds("reproduce", "--dry-run", "-o", "out", self.file)
        self.assertIn("1 figures and tables, 6 runs: 0 are stored, 4 would run, 2 cannot be run", dry)
        self.assertFalse((self.folder / "out").exists())
        self.reproduce(self.file)
        self.assertIn("4 are stored, 0 would run", self.assert_succeeds("reproduce", "--dry-run", "-o", "out", self.file))

    def start_waiting(self):
        """A reproduction of which one run is done and the other waits; and what reads its messages."""
        text = EXPERIMENT[:EXPERIMENT.index("[[program]]")] + """
[[program]]
run = "./program"
arguments = ["0"]
[[program]]
name = "waits"
run = "./program"
arguments = ["wait"]
"""
        self.write("sizes.toml", text.replace(', "64KiB"', ""))
        process = subprocess.Popen([HEDDLE, "reproduce", "-j", "1", "-o", "out", self.file], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertIn("1 of 2", process.stderr.readline())
        time.sleep(0.3)
        return process

    def assert_first_is_stored(self):
        self.assertIn("1 are stored, 1 would run", self.assert_succeeds("reproduce", "--dry-run", "-o", "out", self.file))

    def test_interrupted(self):
        process = self.start_waiting()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted; the same call goes on where this one ended", errors)
        self.assert_first_is_stored()

    def test_killed(self):
        process = self.start_waiting()
        self.assert_children_end_with(process, 1)
        self.assert_first_is_stored()

    def test_two_at_once(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(self.reproduce(self.file))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results[0].stdout, results[1].stdout)
        self.assertEqual(self.reproduce(self.file).stderr, "")

    def test_figures_keep_to_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no python3-jsonschema")
        self.reproduce(self.file)
        schema = json.loads((SOURCE / "schema" / "figures.schema.json").read_text())
        jsonschema.validate(json.loads((self.folder / "out" / "figures.json").read_text()), schema)


class Oracle(Programs):
    """Results of heddle oracle instead of heddle run."""

    TEXT = """title = "Oracle"
machine = "dwf07"
tool = "oracle"
value = "launches[0].total.pdom / launches[0].total.oracle"
[[program]]
name = "loop"
run = "%s"
arguments = ["--size", "%d"]
"""

    def timing(self):
        """The same of heddle run."""
        return self.write("t.toml", (self.TEXT % (LOOP, 256)).replace('tool = "oracle"\n', "")
                          .replace("launches[0].total.pdom / launches[0].total.oracle", "totals.cycles"))

    def figure(self, *words):
        done = self.heddle("reproduce", "-j", "2", "-o", "out", *words)
        figure, = json.loads((self.folder / "out" / "figures.json").read_text())["figures"]
        return done, figure

    @unittest.skipUnless(LOOP.exists(), f"{LOOP} is not built")
    def test_results_are_of_the_oracle_and_stored(self):
        file = self.write("o.toml", self.TEXT % (LOOP, 256))
        first, figure = self.figure(file)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assert_succeeds("oracle", "-m", "dwf07", "-o", "oracle.json", "--", LOOP, "--size", "256")
        direct = json.loads((self.folder / "oracle.json").read_text())["launches"][0]["total"]
        self.assertEqual(figure["series"][0]["values"], [direct["pdom"] / direct["oracle"]])
        second, _ = self.figure(file)
        self.assertEqual(second.stderr, "", "nothing runs twice")
        timing = self.timing()
        self.assertIn("0 are stored, 1 would run", self.assert_succeeds("reproduce", "--dry-run", "-o", "out", timing))

    @unittest.skipUnless(LOOP.exists(), f"{LOOP} is not built")
    def test_runs_that_take_too_long_have_failed(self):
        file = self.timing()
        done, figure = self.figure(file, "--max-cycles", "100")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(figure["series"][0]["values"], [None])
        self.assertIn("stopped early: max_cycles", " ".join(figure["remarks"]))
        again, figure = self.figure(file, "--rerun=failed")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertGreater(figure["series"][0]["values"][0], 100)

    def test_programs_that_fail_say_so(self):
        text = self.TEXT % ("./program", 0)
        done, figure = self.figure(self.write("o.toml", text.replace('"--size", "0"', '"3"')))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(figure["series"][0]["values"], [None])
        self.assertIn("launched no kernel", " ".join(figure["remarks"]))


class Refused(Case):
    def test_papers_and_files(self):
        self.assertIn("there is no paper 'lwm11x'; valid: dwf07, gtx480, lwm10, lwm11, maws, modern, pro, or the path of an experiment file; "
                      "did you mean 'lwm11'?", self.assert_refused(2, "reproduce", "lwm11x"))
        self.assertIn("no/such.toml: there is no such experiment file", self.assert_refused(2, "reproduce", "no/such.toml"))
        self.assertIn("no figure is called 99; there are: ", self.assert_refused(2, "reproduce", "lwm11", "-f", "99"))
        self.assertIn("Value 0 not in range 1 to 1024", self.assert_refused(2, "reproduce", "lwm11", "-j", "0"))
        self.assert_refused(2, "reproduce", "lwm11", "--max-cycles", "-1")
        self.assert_refused(2, "reproduce", "lwm11", "--max-cycles", "0")
        self.assertIn("lwm11 ", self.assert_succeeds("reproduce"))

    def test_mistakes_of_all_files_at_once(self):
        one = self.write("one.toml", EXPERIMENT.replace("kind =", "knid ="))
        two = self.write("two.toml", EXPERIMENT.replace("dcache.size\", values", "dcache.sise\", values"))
        message = self.assert_refused(2, "reproduce", one, two)
        self.assertIn(f"{one}:2:1: an experiment: there is no key 'knid'; did you mean 'kind'?", message)
        self.assertIn(f"{two}:5:", message)
        self.assertIn("did you mean 'dcache.size'?", message)

    def test_a_folder_that_is_none(self):
        self.write("file", "")
        file = self.write("sizes.toml", EXPERIMENT)
        self.assertIn("file: not a folder that can be written to", self.assert_refused(2, "reproduce", "-o", "file", file))
        self.assertIn("file is not a database", self.assert_refused(
            1, "reproduce", "-o", "out", "--store", self.write("text", "x" * 4096), file))

    def test_shipped_experiments_are_valid(self):
        for paper in ["lwm11", "lwm10", "dwf07", "pro", "maws", "gtx480"]:
            with self.subTest(paper):
                self.assertIn("figures and tables", self.assert_succeeds("reproduce", "--dry-run", paper))
        for path in sorted((SOURCE / "experiments" / "examples").glob("*.toml")):
            with self.subTest(path.name):
                self.assertIn("1 figures and tables", self.assert_succeeds("reproduce", "--dry-run", path))


if __name__ == "__main__":
    unittest.main()
