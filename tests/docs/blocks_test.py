"""Tests of blocks.py and compare.py, and of run_page.py with small pages."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import blocks
import compare
import run_page


def only_block(text):
    block, = blocks.read("page.md", text)
    return block


class Blocks(unittest.TestCase):
    def test_block_has_place_language_lines_and_mark(self):
        block = only_block("text\n\n<!-- not run: no GPU -->\n\n```sh\na\nb\n```\n")
        self.assertEqual((block.place, block.language, block.lines), ("page.md:5", "sh", ["a", "b"]))
        self.assertEqual((block.mark.verb, block.mark.text), ("not run", "no GPU"))

    def test_fence_of_four_ends_at_a_fence_of_four(self):
        self.assertEqual(only_block("````\n```\na\n```\n````\n").lines, ["```", "a", "```"])

    def test_mark_has_further_lines(self):
        mark = only_block("<!-- run\nbefore: true\na --long => a --short\nstatus: 3\nmask: [0-9]+\nprints: done\n-->\n```\na --long\n```").mark
        self.assertEqual((mark.before, mark.instead, mark.status, mark.masks, mark.prints),
                         (["true"], {"a --long": "a --short"}, 3, ["[0-9]+"], ["done"]))

    def test_other_comments_are_no_marks(self):
        self.assertIsNone(only_block("<!-- a table of numbers -->\n```\na\n```").mark)

    def test_mistakes_are_refused(self):
        for text, message in [
            ("```\na\n", "no end"),
            ("<!-- run\n", "no end"),
            ("<!-- run -->\ntext\n", "not followed by a block"),
            ("<!-- run: a -->\n```\na\n```", "has no text"),
            ("<!-- not run -->\n```\na\n```", "needs a text"),
            ("<!-- run\nsatus: 1\n-->\n```\na\n```", "'satus: 1' is no line of a mark"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(blocks.PageError, message):
                blocks.read("page.md", text)

    def test_unmarked_blocks_of_commands_are_listed(self):
        found = blocks.read("page.md", "```\na\n```\n```cpp\nint a;\n```\n```sh\na\n```\n<!-- run -->\n```\na\n```\n")
        self.assertEqual(blocks.unmarked(found), ["page.md:1", "page.md:7"])


class Steps(unittest.TestCase):
    @staticmethod
    def of(lines, mark="run"):
        return blocks.steps(only_block(f"<!-- {mark} -->\n```\n{lines}\n```"))

    def test_each_line_is_a_command_without_output(self):
        self.assertEqual([(s.command, s.expected) for s in self.of("a # why\n\nb")], [("a # why", None), ("b", None)])

    def test_lines_of_a_session_below_a_command_are_its_output(self):
        self.assertEqual([(s.command, s.expected, s.at) for s in self.of("$ a\n1\n2\n$ b\n3")],
                         [("a", ["1", "2"], 1), ("b", ["3"], 4)])

    def test_commands_go_on_behind_a_backslash_and_in_a_quotation(self):
        self.assertEqual([s.command for s in self.of("a \\\n  b\nX='1\n2'\nc")], ["a \\\n  b", "X='1\n2'", "c"])

    def test_output_of_a_command_in_the_mark(self):
        step, = self.of("$ 5\n6", "output of: price")
        self.assertEqual((step.command, step.expected, step.at), ("price", ["$ 5", "6"], 0))

    def test_replacement_of_a_command_that_is_not_there_is_refused(self):
        with self.assertRaisesRegex(blocks.PageError, "does not have: b"):
            self.of("a", "run\nb => c\n")

    def test_marks_name_commands_on_one_line_and_without_comment(self):
        self.assertEqual(blocks.without_comment("a  --x \\\n   --y   # a comment"), "a --x --y")


class Compare(unittest.TestCase):
    def test_lines_are_compared_in_full(self):
        self.assertTrue(compare.matches(["a", "b"], ["a", "b"]))
        self.assertFalse(compare.matches(["a", "b"], ["a"]))
        self.assertFalse(compare.matches(["a 12"], ["a 13"]))

    def test_three_points_are_any_lines(self):
        for actual, fits in [("abcd", True), ("ad", False), ("abd", True), ("axbyd", True), ("axbydz", False)]:
            self.assertEqual(compare.matches(["a", "...", "b", "...", "d"], [*actual]), fits, actual)
        self.assertTrue(compare.matches(["...", "b"], ["b"]))
        self.assertFalse(compare.matches(["a", "...", "a"], ["a"]))

    def test_times_rates_and_revisions_are_masked(self):
        for one, other in [("took 1.5 s", "took 22 s"), ("2 min", "31 min"), ("1.2 M warp instr./s", "9.8 M warp instr./s"),
                           ("version 0.1.0 (8fd10e5f01)", "version 0.1.0 (2654d6200a+)")]:
            self.assertTrue(compare.matches([one], [other]), one)
        for one, other in [("1.5 steps", "22 steps"), ("mask ffffffff ready", "mask aaaaaaaa ready"), ("12 cycles", "13 cycles")]:
            self.assertFalse(compare.matches([one], [other]), one)
        self.assertTrue(compare.matches(["port 12"], ["port 13"], [r"port \d+"]))

    def test_update_keeps_what_the_page_leaves_out(self):
        self.assertEqual(compare.updated(["a", "..."], ["1", "2", "3"]), ["1", "..."])
        self.assertEqual(compare.updated(["...", "a", "b"], ["1", "2", "3"]), ["...", "2", "3"])
        self.assertEqual(compare.updated(["a"], ["1", "2"]), ["1", "2"])
        self.assertEqual(compare.updated(["...", "a 1", "..."], ["x", "a 22", "y"]), ["...", "a 22", "..."])
        self.assertIsNone(compare.updated(["...", "a", "..."], ["1"]))


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source, before = pathlib.Path(folder.name), run_page.SOURCE
        run_page.SOURCE = self.source
        self.addCleanup(setattr, run_page, "SOURCE", before)
        (self.source / "docs").mkdir()

    def run_page(self, text, update=False):
        """The problems, and the page afterwards."""
        page = self.source / "docs" / "page.md"
        page.write_text(text)
        with contextlib.redirect_stdout(io.StringIO()):
            problems = run_page.PageRun("docs/page.md", pathlib.Path("/build/release/bin/heddle"), update).all()
        return problems, page.read_text()

    def test_page_that_is_right_has_no_problems(self):
        self.assertEqual(self.run_page("<!-- write: a -->\n```\n1\n2\n```\n"
                                       "<!-- run -->\n```\n$ cat a\n1\n2\n$ echo x >&2\nx\n```\n")[0], [])

    def test_stale_output_is_a_problem_with_the_difference(self):
        (problem,), _ = self.run_page("<!-- run -->\n```\n$ echo 2\n1\n```\n")
        self.assertTrue(problem.startswith("docs/page.md:2: `echo 2` prints something else"), problem)
        self.assertIn("-1\n+2", problem)

    def test_update_writes_outputs_in_place(self):
        before = "<!-- run -->\n```\n$ echo a\nold\n$ echo b\n\nold\n```\ntext\n"
        problems, after = self.run_page(before, update=True)
        self.assertEqual(problems, [])
        self.assertEqual(after, "<!-- run -->\n```\n$ echo a\na\n$ echo b\nb\n```\ntext\n")

    def test_failure_missing_text_and_missing_mark_are_problems(self):
        for text, message in [
            ("<!-- run -->\n```\nfalse\n```\n", "`false` ends with status 1, not 0"),
            ("<!-- run\nstatus: 1\n-->\n```\ntrue\n```\n", "`true` ends with status 0, not 1"),
            ("<!-- run\nprints: b\n-->\n```\necho a\n```\n", "lacks 'b'"),
            ("<!-- run\nbefore: false\n-->\n```\necho a\n```\n", "`false` of the mark ends with status 1"),
            ("<!-- write: a\nthen: grep 2 a\n-->\n```\n1\n```\n", "`grep 2 a` of the mark ends with status 1"),
            ("<!-- run -->\n```\nexit 1\necho a\n```\n", "`exit 1` was not reached, or ended the shell"),
            ("```\ntrue\n```\n", "docs/page.md:1: this block has no mark"),
        ]:
            with self.subTest(text):
                (problem,), _ = self.run_page(text)
                self.assertIn(message, problem)

    def test_commands_write_into_a_folder_of_their_own(self):
        self.run_page("<!-- run -->\n```\necho a > docs/b.md; echo a > c\n```\n")
        self.assertEqual([str(p.relative_to(self.source)) for p in self.source.rglob("*.md")], ["docs/page.md"])


if __name__ == "__main__":
    unittest.main()
