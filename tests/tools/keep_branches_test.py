"""heddle-cc --keep-branches: the IR that it edits, and a program whose results must not change."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
from ir_branches import keep_branches  # noqa: E402


def body(text):
    return f"define void @f(i1 %c) {{\nentry:\n{text}}}\n"


def lines(text):
    return [line.strip() for line in keep_branches(body(text)).splitlines() if line.strip()]


class Ir(unittest.TestCase):
    def test_both_ways_of_a_branch_are_marked_behind_their_phis(self):
        out = lines("  br i1 %c, label %yes, label %no\n\nyes:\n  br label %no\n\n"
                    "no:\n  %p = phi i32 [ 1, %entry ], [ 2, %yes ]\n  ret void\n")
        marks = [line for line in out if "asm" in line]
        self.assertEqual(len(marks), 2)
        self.assertNotEqual(*marks)  # equal ones would be moved before the branch
        self.assertEqual(out[out.index("yes:") + 1], marks[0])
        self.assertEqual(out[out.index("no:") + 2], marks[1])

    def test_an_unconditional_branch_is_not_marked(self):
        self.assertNotIn("asm", "".join(lines("  br label %on\n\non:\n  ret void\n")))

    def test_every_case_of_a_switch_is_marked(self):
        out = lines("  switch i32 %x, label %other [\n    i32 1, label %one\n    i32 2, label %two\n  ]\n\n"
                    "one:\n  ret void\n\ntwo:\n  ret void\n\nother:\n  ret void\n")
        self.assertEqual(sum("asm" in line for line in out), 3)

    def test_a_select_becomes_a_branch(self):
        out = lines("  %r = select i1 %c, i32 %a, i32 7, !dbg !5\n  br label %end\n\n"
                    "end:\n  %p = phi i32 [ %r, %entry ]\n  ret void\n")
        self.assertIn("br i1 %c, label %keep.yes0, label %keep.no0", out)
        self.assertIn("%r = phi i32 [ %a, %keep.yes0 ], [ 7, %keep.no0 ]", out)
        self.assertIn("%p = phi i32 [ %r, %keep.end0 ]", out)  # the block that branches to it now
        self.assertEqual(sum("asm" in line for line in out), 2)

    def test_selects_that_follow_each_other(self):
        out = lines("  %r = select contract i1 %c, double 1.0, double %b\n"
                    "  %s = select i1 %d, { i32, float } zeroinitializer, { i32, float } %q\n  ret void\n")
        self.assertIn("%r = phi double [ 1.0, %keep.yes0 ], [ %b, %keep.no0 ]", out)
        self.assertIn("%s = phi { i32, float } [ zeroinitializer, %keep.yes1 ], [ %q, %keep.no1 ]", out)

    def test_constant_expressions_keep_their_form(self):
        out = lines("  %r = select i1 %c, i32* getelementptr (i32, i32* @g, i64 1), i32* null\n  ret void\n")
        self.assertIn("%r = phi i32* [ getelementptr (i32, i32* @g, i64 1), %keep.yes0 ], [ null, %keep.no0 ]", out)

    def test_words_before_the_bracket_belong_to_a_constant_expression(self):
        out = lines("  %r = select i1 %c, i8 addrspace(4)* getelementptr inbounds ([3 x i8], [3 x i8] addrspace(4)* @t, "
                    "i64 0, i64 0), i8 addrspace(4)* %q\n  ret void\n")
        self.assertIn("%r = phi i8 addrspace(4)* [ getelementptr inbounds ([3 x i8], [3 x i8] addrspace(4)* @t, "
                      "i64 0, i64 0), %keep.yes0 ], [ %q, %keep.no0 ]", out)

    def test_pointers_to_functions(self):
        out = lines("  %r = select i1 %c, void (i32)* @f, void (i32)* %g\n  ret void\n")
        self.assertIn("%r = phi void (i32)* [ @f, %keep.yes0 ], [ %g, %keep.no0 ]", out)

    def test_a_block_that_ends_in_a_select_has_its_new_name_beside_constant_expressions_too(self):
        out = lines("  br label %on\n\non:\n  %r = select i1 %c, i32 1, i32 2\n  br label %end\n\nend:\n"
                    "  %p = phi i8* [ getelementptr inbounds ([3 x i8], [3 x i8]* @t, i64 0, i64 0), %on ]\n  ret void\n")
        self.assertIn("%p = phi i8* [ getelementptr inbounds ([3 x i8], [3 x i8]* @t, i64 0, i64 0), %keep.end0 ]", out)


KERNEL = r"""
#include <cstdio>
__host__ __device__ inline int middle(int a, int b, int c) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}
__host__ __device__ inline int all(int i) {
    int sum = (i & 1) && (i & 2 || i % 3 == 0) ? 5 : -i;
    for (int k = 0; k < i % 5; ++k)
        sum = middle(sum * 3, 100 - k, i) > 40 ? sum + k : sum ^ i;
    switch (i % 4) {
    case 0: sum += 3; break;
    case 1: sum -= 4;
    case 2: sum *= 2; break;
    }
    float f = i * 0.25f;
    f = f > 3 ? f * f : f + 1;
    return sum + static_cast<int>(f);
}
__global__ void kernel(int* out) { out[threadIdx.x] = all(static_cast<int>(threadIdx.x)); }
int main() {
    int* out;
    cudaMallocManaged(&out, 256 * sizeof(int));
    kernel<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; ++i)
        if (out[i] != all(i))
            return std::printf("thread %d: %d, not %d\n", i, out[i], all(i));
    std::puts("equal");
}
"""


class Compiled(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "program.cu").write_text(KERNEL)

    def compile(self, *options):
        run = subprocess.run([TOOLS / "heddle-cc", "--lib-dir", Path(os.environ["HEDDLE"]).parent.parent / "lib",
                              self.folder / "program.cu", *options], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def branches(self, *options):
        ptx = self.folder / "program.ptx"
        self.compile("--ptx", "-o", ptx, *options)
        text = ptx.read_text()
        return sum("bra" in line and "%p" in line for line in text.splitlines()), text.count("selp.")

    def test_no_select_is_left(self):
        usual, kept = self.branches(), self.branches("--keep-branches")
        self.assertGreater(usual[1], 0)
        self.assertEqual(kept[1], 0)
        self.assertGreaterEqual(kept[0], usual[0] + 6)  # the six ?: of the source

    def test_results_are_those_of_the_host(self):
        for options in ([], ["-O0"], ["-O3", "--no-lines"], ["-rdc=true"]):
            program = self.folder / "program"
            self.compile("--keep-branches", "-o", program, *options)
            run = subprocess.run([os.environ["HEDDLE"], "run", "--", program], capture_output=True, text=True)
            self.assertTrue(run.stdout.startswith("equal\n"), f"{options}: {run.stdout}{run.stderr}")


if __name__ == "__main__":
    unittest.main()
