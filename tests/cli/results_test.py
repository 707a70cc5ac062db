"""heddle query and heddle export: stored results by SQL, and as one table."""
import csv
import hashlib
import json
import re
import subprocess
import unittest

from case import SOURCE
from run_test import Programs

EXPERIMENT = """title = "Sizes, \\"quoted\\""
machine = "lwm11"
value = "config[dcache.size].value"
[[sweep]]
key = "dcache.size"
values = ["32KiB", "64KiB"]
[[program]]
name = "well"
run = "./program"
arguments = ["0", "two words"]
[[program]]
name = "badly"
run = "./program"
arguments = ["abort"]
"""


class Results(Programs):
    def setUp(self):
        super().setUp()
        self.heddle("reproduce", "-j", "2", "-o", "results", self.write("sizes.toml", EXPERIMENT))
        self.store = self.folder / "results" / "runs.sqlite"

    def query(self, sql, *options):
        return self.assert_succeeds("query", sql, *options)

    def test_a_row_a_run(self):
        rows = json.loads(self.query(
            "SELECT label, experiment, program, arguments, machine, point, seed, status, "
            "value(run, 'config[dcache.size].value / 1024') AS size, parameter(run, 'core.scheduler') AS scheduler "
            "FROM runs ORDER BY label", "--json"))
        self.assertEqual([(r["label"], r["status"], r["size"], r["scheduler"]) for r in rows],
                         [("badly, 32KiB", "failed", None, None), ("badly, 64KiB", "failed", None, None),
                          ("well, 32KiB", "complete", 32, "rr"), ("well, 64KiB", "complete", 64, "rr")])
        self.assertEqual({k: rows[2][k] for k in ["experiment", "program", "arguments", "machine", "point", "seed"]},
                         {"experiment": "sizes", "program": "well", "arguments": "0 'two words'", "machine": "lwm11",
                          "point": "32KiB", "seed": None})

    def test_forms(self):
        sql = "SELECT point, parameter(run, 'dcache.size') AS bytes, 'a, \"b\"' AS odd, NULL AS none FROM runs WHERE " \
              "program = 'well' ORDER BY point"
        self.assertEqual(self.query(sql), "point  bytes  odd     none\n32KiB  32768  a, \"b\"\n64KiB  65536  a, \"b\"\n")
        self.assertEqual(self.query(sql, "--csv"), 'point,bytes,odd,none\n32KiB,32768,"a, ""b""",\n'
                                                   '64KiB,65536,"a, ""b""",\n')
        self.assertEqual(json.loads(self.query(sql, "--json"))[0],
                         {"point": "32KiB", "bytes": 32768, "odd": 'a, "b"', "none": None})
        self.assertEqual(self.query("SELECT label FROM runs WHERE 0", "--json"), "[]\n")

    def test_documents_for_the_functions_of_sqlite(self):
        self.assertEqual(self.query("SELECT json_extract(document(run), '$.machine') AS m FROM runs "
                                    "WHERE label = 'well, 32KiB'", "--csv"), "m\nlwm11\n")

    def test_nothing_changes_the_store(self):
        before = hashlib.sha256(self.store.read_bytes()).hexdigest()
        for sql in ["DELETE FROM runs", "DELETE FROM main.runs", "UPDATE main.runs SET label = ''", "DROP TABLE main.runs",
                    "VACUUM", "VACUUM INTO 'copy.sqlite'", "PRAGMA user_version = 7", "CREATE TABLE t (a)",
                    "ATTACH 'other.sqlite' AS o", "CREATE TEMP TABLE t (a)"]:
            with self.subTest(sql):
                self.assertIn("a query only reads: it is a SELECT, and cannot change the store",
                              self.assert_refused(1, "query", sql))
        self.assertIn("a query is one statement", self.assert_refused(1, "query", "SELECT 1; DROP TABLE main.runs"))
        self.assertEqual(hashlib.sha256(self.store.read_bytes()).hexdigest(), before)
        self.assertFalse((self.folder / "other.sqlite").exists() or (self.folder / "copy.sqlite").exists())

    def test_mistakes(self):
        refused = lambda *words: self.assert_refused(1, "query", *words)
        self.assertIn("no such column: lable", refused("SELECT lable FROM runs"))
        self.assertIn('near "SELEC": syntax error', refused("SELEC 1"))
        self.assertIn("the query is empty", refused(" "))
        self.assertIn("the result has no 'cycels' here; did you mean 'cycles'?",
                      refused("SELECT value(run, 'totals.cycels') FROM runs"))
        self.assertIn("there is no parameter 'dcache.sise'; did you mean 'dcache.size'?",
                      refused("SELECT parameter(run, 'dcache.sise') FROM runs"))
        self.assertIn("two columns are called 'key'", refused("SELECT key, key FROM runs", "--json"))
        self.assertIn("none.sqlite: there is no such store; `heddle reproduce` makes it",
                      refused("SELECT 1", "--store", "none.sqlite"))
        self.assertIn("text: file is not a database", refused("SELECT 1", "--store", self.write("text", "x" * 4096)))

    # A store of a revision before runs were described: the results are there, the names are not.
    def test_a_store_without_descriptions(self):
        import sqlite3
        with sqlite3.connect(self.store) as database:
            database.execute("DROP TABLE descriptions")
        self.assertEqual(self.query("SELECT label, program FROM runs WHERE status = 'complete' ORDER BY label", "--csv"),
                         'label,program\n"well, 32KiB",\n"well, 64KiB",\n')

    def test_a_table_of_all_runs(self):
        self.assertIn("runs.csv: 4 runs, ", self.assert_succeeds("export", "-o", "runs.csv"))
        with open(self.folder / "runs.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([r["label"] for r in rows], ["badly, 32KiB", "badly, 64KiB", "well, 32KiB", "well, 64KiB"])
        self.assertEqual([r["dcache.size"] for r in rows], ["", "", "32768", "65536"])
        self.assertNotIn("dcache.ways", rows[0], "it does not differ")
        self.assertEqual((rows[2]["totals.cycles"], rows[2]["totals.warp_instructions"], rows[0]["totals.cycles"]), ("0", "0", ""))
        self.assertEqual(rows[0]["status"], "failed")
        self.assertIn("killed by signal 6", rows[0]["failure"])
        before = (self.folder / "runs.csv").read_bytes()
        self.assert_succeeds("export", "-o", "runs.csv")
        self.assertEqual((self.folder / "runs.csv").read_bytes(), before)

    def test_only_csv_is_written(self):
        self.assertIn("runs.parquet: the table is written as CSV", self.assert_refused(2, "export", "-o", "runs.parquet"))
        self.assert_refused(2, "export")

    # The recipe of docs/results.md, as it is printed there.
    def test_the_recipe_for_pandas(self):
        python = next((p for p in ["python3", "/usr/bin/python3"]
                       if subprocess.run([p, "-c", "import pandas"], capture_output=True).returncode == 0), None)
        if python is None:
            self.skipTest("no python3-pandas")
        recipe, = re.findall(r"```python\n(.*?)```", (SOURCE / "docs" / "results.md").read_text(), re.DOTALL)
        self.assert_succeeds("export", "-o", "runs.csv")
        done = subprocess.run([python, "-c", recipe], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"point +32KiB +64KiB")
        self.assertRegex(done.stdout, r"well +0(\.0)? +0(\.0)?")


if __name__ == "__main__":
    unittest.main()
