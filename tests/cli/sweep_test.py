"""Sweeps of heddle reproduce: axes, arguments, machines, seeds, conditions, and lists of thousands of runs."""
import csv
import json
import unittest

from case import Case
from run_test import Programs

HEAD = """title = "T"
value = "config[dcache.size].value / 1024"
"""
WELL = """
[[program]]
name = "well"
run = "./program"
arguments = ["0"]
"""


class Sweep(Programs):
    def reproduce(self, text, *words):
        file = self.write("t.toml", HEAD + text + WELL)
        done = self.heddle("reproduce", "-j", "2", "-o", "out", *words, file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        figure, = json.loads((self.folder / "out" / "figures.json").read_text())["figures"]
        return figure, done

    def values(self, figure):
        return {s["name"]: dict(zip(figure["categories"], s["values"])) for s in figure["series"]}

    def test_settings_and_points_of_sweeps(self):
        figure, _ = self.reproduce("""categories = "point"
[[sweep]]
key = "dcache.size"
values = ["32KiB", "64KiB"]
[[sweep]]
keys = ["core.scheduler", "dcache.ways"]
values = [["rr", 4], ["gto", 8]]
as = "setting"
""")
        self.assertEqual(self.values(figure), {"rr/4": {"32KiB": 32, "64KiB": 64}, "gto/8": {"32KiB": 32, "64KiB": 64}})

    # The program ends with its last argument as its status: only 0 succeeds.
    def test_an_argument(self):
        file = self.write("t.toml", HEAD + """categories = "point"
[[sweep]]
argument = "--status"
values = [0, 1]
[[program]]
run = "./program"
""")
        listed = self.assert_succeeds("reproduce", "--dry-run", "-o", "out", file).splitlines()
        for line, value in zip(listed, "01"):
            self.assertTrue(line.endswith(f"/program --status {value})  # program, {value}"), line)

    def test_machines(self):
        self.write("mine.toml", 'base = "lwm11"\nname = "mine"\n[dcache]\nsize = "16KiB"\n')
        figure, _ = self.reproduce("""machines = ["lwm11", "mine.toml"]
relative = { at = "lwm11" }
""")
        self.assertEqual(self.values(figure), {"lwm11": {"well": 1}, "mine": {"well": 0.125}})  # 16 of 128 KiB

    def test_conditions_leave_combinations_out(self):
        figure, done = self.reproduce("""categories = "point"
where = "dcache.size <= '64KiB' or dcache.ways == 8"
[[sweep]]
key = "dcache.size"
values = ["32KiB", "64KiB", "256KiB"]
[[sweep]]
key = "dcache.ways"
values = [4, 8]
as = "setting"
""")
        self.assertEqual(self.values(figure), {"4": {"32KiB": 32, "64KiB": 64, "256KiB": None},
                                               "8": {"32KiB": 32, "64KiB": 64, "256KiB": 256}})
        self.assertEqual(figure["remarks"], ["1 combination is left out by where = "
                                             "dcache.size <= '64KiB' or dcache.ways == 8."])
        self.assertEqual(len(done.stderr.splitlines()), 5)

    # The program ignores further words, so it runs with each seed; a program without seeds runs once.
    def test_seeds(self):
        text = HEAD + """machine = "lwm11"
seeds = [3, 5]
[[program]]
name = "seeded"
run = "./program"
arguments = ["0"]
seed = "-s"
[[program]]
name = "alone"
run = "./program"
arguments = ["0"]
seed = ""
"""
        file = self.write("t.toml", text)
        done = self.heddle("reproduce", "-j", "1", "-o", "out", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(line.split(": ")[1] for line in done.stderr.splitlines()),
                         ["alone", "seeded, seed 3", "seeded, seed 5"])
        with open(self.folder / "out" / "t.csv", newline="") as rows:
            self.assertEqual([(r["category"], r["value"], r["deviation"], r["minimum"], r["maximum"])
                              for r in csv.DictReader(rows)],
                             [("seeded", "128", "0", "128", "128"), ("alone", "128", "0", "128", "128")])
        self.assertIn("128.0 ± 0.000", done.stdout)
        figure, = json.loads((self.folder / "out" / "figures.json").read_text())["figures"]
        self.assertEqual(figure["remarks"], ["Means over 2 seeds (3, 5), ± the standard deviation of the sample."])
        try:
            import jsonschema
        except ImportError:
            return
        from case import SOURCE
        schema = json.loads((SOURCE / "schema" / "figures.schema.json").read_text())
        jsonschema.validate(json.loads((self.folder / "out" / "figures.json").read_text()), schema)

    def test_patterns_of_programs(self):
        file = self.write("t.toml", HEAD + 'programs = ["lwm.b*", "pro.b*"]\nexclude = ["blackscholes"]\n')
        listed = self.assert_succeeds("reproduce", "--dry-run", "-o", "out", file)
        names = sorted(line.removeprefix("# ").removeprefix("t: ").split(":")[0] for line in listed.splitlines()[:-1]
                       if line.startswith("#"))  # built or not
        self.assertEqual(names, ["backprop", "blackjack", "btree", "lwm.bfs", "pro.bfs"])

    def test_ten_thousand_runs_are_counted(self):
        file = self.write("t.toml", HEAD + """
[[sweep]]
key = "dcache.latency"
values = { from = 1, to = 100 }
[[sweep]]
key = "interconnect.latency"
values = { from = 1, to = 100 }
""" + WELL)
        listed = self.assert_succeeds("reproduce", "--dry-run", "-o", "out", file)
        self.assertEqual(listed.splitlines()[10000:], [
            "# t: well: 10000 runs", "# 1 figures and tables, 10000 runs: 0 are stored, 10000 would run, 0 cannot be run"])
        self.assertEqual(len({line.split(" -o ")[1].split()[0] for line in listed.splitlines()[:10000]}), 10000)


class Refused(Case):
    def test_all_mistakes_at_once(self):
        file = self.write("t.toml", HEAD + """machines = ["lwm11", "gtx48"]
programs = ["lwm.z*", "lmw.*"]
where = ["core.formatoin == 'lwm'", "setting == 'b'"]
seeds = 0
[[setting]]
name = "a"
[[sweep]]
key = "dcache.sise"
values = [1, 2]
[[sweep]]
argument = "--n"
vlaues = [1]
""")
        message = self.assert_refused(2, "reproduce", file)
        for line in [
                "t.toml:3:22: unknown machine 'gtx48'; valid: ",
                "did you mean 'gtx480'?",
                "t.toml:4:13: programs: no program of set 'lwm' fits 'z*'; there are: blackjack, ",
                "t.toml:4:23: programs: there is no set 'lmw'; valid: ",
                "t.toml:5:11: there is no parameter 'core.formatoin'; did you mean 'core.formation'?",
                "t.toml:5:49: there is no setting 'b' here; valid: a",
                "t.toml:6:9: seeds: a number of seeds is 1 to 1000",
                "t.toml:10:7: key: there is no parameter 'dcache.sise'; did you mean 'dcache.size'?",
                "t.toml:14:1: a sweep: there is no key 'vlaues'; did you mean 'values'?"]:
            self.assertIn(line, message)


if __name__ == "__main__":
    unittest.main()
