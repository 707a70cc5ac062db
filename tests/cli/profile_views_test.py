"""heddle profile: a profiled run by line, two runs side by side, exports."""
import csv
import io
import json
import re
import shutil
import subprocess
import unittest

from case import COPY_PTX, Case

# The copy with lines of a source: line 3 is a function that is inlined in line 9.
LINES_PTX = (COPY_PTX.replace("{\n  .reg .b64", "{\n  .loc 1 8 0\n  .reg .b64")
             .replace("  mul.wide", "  .loc 1 3 5, function_name $L__info_string0, inlined_at 1 9 5\n  mul.wide")
             .replace("  ld.global", "  .loc 1 9 5\n  ld.global")
             .replace("done:\n", "done:\n  .loc 1 10 1\n") +
             """.file 1 "copy.cu"
.section .debug_str
{
$L__info_string0:
.b8 97,100,100,114,0
}
""")
SOURCE = """// copies n words
__device__ int* at(int* p) {
    return p + threadIdx.x;
}

__global__ void copy(
    int* to, int* from, int n) {
    if (threadIdx.x < n)
        *at(to) = *at(from);
}
"""


class ProfileViews(Case):
    def setUp(self):
        super().setUp()
        self.write("copy.ptx", LINES_PTX)
        self.write("copy.cu", SOURCE)

    def result(self, name, *options):
        self.assert_succeeds("ptx", "copy.ptx", "--grid", "2", "--block", "64", "--arg", "buf:256", "--arg", "buf:256",
                             "--arg", "u32:64", "-m", "gtx480", "-o", name, "--profile", *options)
        return json.loads((self.folder / name).read_text())

    def slots(self, result):
        return sum(result["stalls"].values())

    def test_lines(self):
        result = self.result("a.json")
        out = self.assert_succeeds("profile", "a.json")
        self.assertIn(f"copy, 1 launch: {self.slots(result):,} issue slots\n", out)
        self.assertRegex(out, r"copy\.cu:9  +\*at\(to\) = \*at\(from\);\n")
        self.assertRegex(out, r"copy\.cu:3  +return p \+ threadIdx\.x;\n")
        # 2 blocks of 2 warps load, and store: 4 executions of each, with all lanes.
        self.assertRegex(out, r"\n +[\d.]+ +8 +32\.0 .*copy\.cu:9 ")
        for line in out.splitlines():
            self.assertLessEqual(len(line), 120)

    def test_rows_of_other_kinds(self):
        self.result("a.json")
        self.assertRegex(self.assert_succeeds("profile", "a.json", "--by", "function"), r"  addr\n")
        self.assertRegex(self.assert_succeeds("profile", "a.json", "--by", "instruction"), r"\d+ ld\.global\.u32 +copy\.cu:9")
        self.assertRegex(self.assert_succeeds("profile", "a.json", "--by", "path"), r"copy\.cu:3 < copy\.cu:9")
        self.assertRegex(self.assert_succeeds("profile", "a.json", "--by", "kernel", "--kernel", "cop"), r"  copy\n")

    def test_order_and_number(self):
        self.result("a.json")
        out = self.assert_succeeds("profile", "a.json", "--sort", "bytes_asked", "--lines", "1")
        self.assertIn("copy.cu:9", out)
        self.assertIn("1,024", out)  # 128 threads load and store 4 bytes
        self.assertRegex(out, r"and \d+ more with [\d.]+ % of the slots\n")

    def test_annotated_source(self):
        self.result("a.json")
        out = self.assert_succeeds("profile", "a.json", "--source", "copy.cu")
        self.assertRegex(out, r" 1  // copies n words\n")
        self.assertRegex(out, r" 9          \*at\(to\) = \*at\(from\);\n.* :  +ld\.global\.u32 %r3, \[%d5\];\n")

    def test_two_results(self):
        self.result("a.json")
        self.write("copy.cu", "// a line more\n" + SOURCE)
        self.write("copy.ptx", re.sub(r"\.loc 1 (\d+)", lambda m: f".loc 1 {int(m[1]) + 1}", LINES_PTX)
                   .replace("inlined_at 1 9", "inlined_at 1 10"))
        self.result("b.json")
        out = self.assert_succeeds("profile", "a.json", "b.json")
        self.assertTrue(out.startswith("1: a.json\n2: b.json\nissue slots: "))
        self.assertRegex(out, r"  0  .*copy\.cu:9 +copy\.cu:10 +\*at\(to\)")  # the same program: no difference

    def test_collapsed_stacks(self):
        result = self.result("a.json")
        lines = [line.rpartition(" ") for line in self.assert_succeeds("profile", "a.json", "--collapsed", "-").splitlines()]
        self.assertEqual(sum(int(slots) for _, _, slots in lines), self.slots(result))
        self.assertIn("copy;addr;copy.cu:3;issued", [stack for stack, _, _ in lines])

    def test_csv(self):
        result = self.result("a.json")
        rows = list(csv.DictReader(io.StringIO(self.assert_succeeds("profile", "a.json", "--csv", "-", "--by", "instruction"))))
        self.assertEqual(len(rows), len(result["profile"]["kernels"][0]["instructions"]))
        self.assertEqual(sum(int(row["executions"]) for row in rows), result["totals"]["warp_instructions"])
        load, = [row for row in rows if row["instruction"] == "ld.global.u32"]
        self.assertEqual((load["kernel"], load["file"].rpartition("/")[2], load["line"]), ("copy", "copy.cu", "9"))

    @unittest.skipIf(shutil.which("callgrind_annotate") is None, "valgrind is not installed")
    def test_callgrind_reads_its_format(self):
        result = self.result("a.json")
        self.assert_succeeds("profile", "a.json", "--callgrind", "out.cg")
        read = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", "out.cg"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual((read.returncode, read.stderr), (0, ""), read.stdout)
        total = re.search(r"^ *([\d,]+) .*PROGRAM TOTALS", read.stdout, re.M)
        self.assertEqual(int(total[1].replace(",", "")), self.slots(result))
        self.assertRegex(read.stdout, r"copy\.cu:addr \[copy\]")

    def test_an_export_to_a_file_prints_no_table(self):
        self.result("a.json")
        self.assertEqual(self.assert_succeeds("profile", "a.json", "--csv", "a.csv", "--collapsed", "a.txt"), "")
        self.assertTrue((self.folder / "a.csv").read_text().startswith("kernel,"))
        self.assertIn(";issued ", (self.folder / "a.txt").read_text())

    def test_without_timing(self):
        self.result("a.json", "--functional")
        self.assertIn("no launch was timed", self.assert_succeeds("profile", "a.json"))

    def test_wrong_calls(self):
        self.result("a.json")
        result = json.loads((self.folder / "a.json").read_text())
        del result["profile"]
        self.write("none.json", json.dumps(result))
        for words, message in (
                (["missing.json"], "missing.json: no such file"),
                (["none.json"], "none.json: a run without a profile; run the program again with --profile"),
                (["a.json", "--by", "warp"], "warp"),
                (["a.json", "--sort", "latncy"], "--sort: a profile has no figure 'latncy'; did you mean 'latency'?"),
                (["a.json", "--kernel", "cpoy"], "a.json: no kernel 'cpoy' in the profile; it has copy; did you mean 'copy'?"),
                (["a.json", "--source", "b.cu"], "a.json: no instruction of the profile is in a file 'b.cu'; its files: "),
                (["a.json", "--lines", "0"], "--lines"),
                (["a.json", "a.json", "a.json"], "3 results are given"),
                (["a.json", "a.json", "--csv", "-"], "two are given"),
                (["a.json", "a.json", "--by", "path"], "by line, function or kernel, not by path"),
                (["a.json", "--csv", "-", "--collapsed", "-"], "-: two exports cannot go to the same file"),
                (["a.json", "--csv", "a.json"], "a.json: a result that is read; name another file"),
                (["a.json", "--csv", "none/a.csv"], "there is no folder"),
                ([], "results is required")):
            self.assertIn(message, self.assert_refused(2, "profile", *words))

    def test_damaged_profiles(self):
        result = self.result("a.json")
        for key in result["profile"]:
            for wrong in (None, "x", [], {}, -1, [[]], [{}], {"x": None}):
                damaged = {**result, "profile": {**result["profile"], key: wrong}}
                self.write("b.json", json.dumps(damaged))
                ended = self.heddle("profile", "b.json")
                self.assertIn(ended.returncode, (0, 2), f"{key} = {wrong}: {ended.stderr}")
                if ended.returncode == 2:
                    self.assertIn("b.json: a damaged profile: profile", ended.stderr)

    def test_a_page_has_the_source(self):
        self.result("a.json")
        self.assert_succeeds("report", "a.json", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertIn('<td class="code">        *at(to) = *at(from);</td>', page)
        self.assert_succeeds("report", "a.json", "a.json", "-o", "page.html")
        self.assertIn('id="source-of-run"', (self.folder / "page.html").read_text())


if __name__ == "__main__":
    unittest.main()
