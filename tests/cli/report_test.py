"""heddle report: results of runs as pages, and files that are none."""
import json
import os
import unittest

from case import COPY_PTX, Case


class Report(Case):
    def setUp(self):
        super().setUp()
        self.write("copy.ptx", COPY_PTX)

    def result(self, name, *options):
        machine = [] if "-m" in options else ["-m", "lwm11"]
        self.assert_succeeds("ptx", "copy.ptx", *machine, "--grid", "1", "--block", "64", "--arg", "buf:256", "--arg", "buf:256",
                             "--arg", "u32:64", "-o", name, *options)
        return json.loads((self.folder / name).read_text())

    def page(self, *words):
        out = self.assert_succeeds("report", *words, "-o", "page.html")
        self.assertEqual(out, "page.html\n")
        return (self.folder / "page.html").read_text()

    def test_page_of_a_run(self):
        result = self.result("a.json", "-s", "dcache.size=16KiB", "-t", "t.json")
        page = self.page("a.json")
        self.assertIn("<title>copy.ptx on lwm11</title>", page)
        self.assertIn(f'<dt>cycles</dt><dd>{result["totals"]["cycles"]:,}</dd>', page)
        self.assertIn("<td>16384</td><td>bytes</td><td>command line</td>", page)
        self.assertIn(f'<td>{result["config"]["core.width"]["origin"]}</td>', page)
        for figure in ("stalls", "lanes", "hit-rates", "ipc-over-time", "warps-over-time", "blocks"):
            self.assertIn(f'<figure id="{figure}"', page)
        self.assertIn("Chart.js v3.", page)

    def test_same_bytes_twice(self):
        self.result("a.json")
        self.assertEqual(self.page("a.json"), self.page("a.json"))

    def test_heat_map_where_there_is_one(self):
        self.result("a.json", "-m", "maws-coherent")
        self.assertIn('<figure id="divergence" class="heat_map"', self.page("a.json"))
        self.result("b.json")
        self.assertNotIn('id="divergence"', self.page("b.json"))

    def test_runs_compared(self):
        first = self.result("a.json")
        second = self.result("b.json", "-s", "core.scheduler=two-level")
        page = self.page("a.json", "b.json")
        self.assertIn("<title>copy.ptx: 2 runs compared</title>", page)
        self.assertIn('<th scope="row">two-level</th>', page)
        figures = json.loads(page.split('id="figures">')[1].split("</script>")[0])
        ups, = [f for f in figures if f["id"] == "speed-up"]
        self.assertEqual(ups["categories"], ["rr", "two-level"])
        self.assertEqual(ups["series"][0]["values"], [1, first["totals"]["cycles"] / second["totals"]["cycles"]])

    def test_default_output(self):
        self.result("a.json")
        self.assertEqual(self.assert_succeeds("report", "a.json"), "report.html\n")
        self.assertTrue((self.folder / "report.html").exists())

    def test_texts_of_a_result_stay_texts(self):
        result = self.result("a.json")
        result["status"], result["error"] = "failed", "</script><script>window.broken = 1</script>"
        result["kernels"][0]["name"] = "<img src=x onerror=broken>"
        self.write("b.json", json.dumps(result))
        page = self.page("b.json")
        self.assertNotIn("<script>window.broken", page)
        self.assertNotIn("<img", page)

    def test_an_empty_name(self):
        self.result("a.json")
        self.assertIn("'': no name of a file", self.assert_refused(2, "report", "a.json", "-o", ""))

    def test_files_that_are_no_results(self):
        self.result("a.json")
        self.write("text.json", "no json")
        self.assert_succeeds("cost", "-o", "cost.json")
        for words, message in (
                (["none.json"], "none.json: no such file"),
                (["."], ".: a folder; name the RESULT.json files in it"),
                (["/dev/zero"], "/dev/zero: a device; name a RESULT.json"),
                (["text.json"], "text.json: not JSON (byte 2)"),
                (["cost.json"], "cost.json: not a RESULT.json: it has no 'kernels'"),
                (["a.json", "text.json"], "text.json: not JSON"),
                (["a.json", "-o", "a.json"], "a.json: a result that is read; name another file"),
                (["a.json", "-o", "none/page.html"], "there is no folder"),
                (["a.json", "-o", "."], "a folder"),
                ([], "results is required")):
            message_given = self.assert_refused(2, "report", *words)
            self.assertIn(message, message_given)
        self.assertEqual(json.loads((self.folder / "a.json").read_text())["machine"], "lwm11")

    @unittest.skipIf(os.geteuid() == 0, "root reads and writes everything")
    def test_files_without_permission(self):
        self.result("a.json")
        (self.folder / "a.json").chmod(0)
        self.assertIn("a.json: cannot be read", self.assert_refused(2, "report", "a.json"))

    def test_results_of_other_layouts(self):
        result = self.result("a.json")
        del result["kernels"][0]["limited_by"]
        self.write("b.json", json.dumps(result))
        self.assertIn("b.json: not a RESULT.json as schema/result.schema.json describes it",
                      self.assert_refused(2, "report", "b.json"))
        result["heddle"]["version"] = "0.0.1"
        self.write("b.json", json.dumps(result))
        self.assertIn("b.json: written by heddle 0.0.1", self.assert_refused(2, "report", "b.json"))

    def test_results_with_anything_broken_in_them(self):
        """Every member in turn is what it must not be: a message, never a crash."""
        result = self.result("a.json", "-t", "t.json")
        for key in result:
            for wrong in (None, "x", [], {}, -1, [[]], {"x": None}):
                self.write("b.json", json.dumps({**result, key: wrong}))
                ended = self.heddle("report", "b.json", "-o", "page.html")
                self.assertIn(ended.returncode, (0, 2), f"{key} = {wrong}: {ended.stderr}")
                if ended.returncode == 2:
                    self.assertIn("b.json", ended.stderr)


if __name__ == "__main__":
    unittest.main()
