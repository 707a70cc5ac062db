"""A plug-in with a set of workloads: written by `heddle new`, named by `run`, `compare` and experiments."""
import json
import shutil
import unittest

from case import Case
from plugin_files import mark, plugin, project, remove as tearDownModule  # noqa: F401


def set_of(name, programs, registered=None):
    """A plug-in with a set of these programs, initialisers of C++."""
    return project(name, '#include "experiment/workload_set.h"\n' + mark(name) + "namespace {\nusing namespace heddle;\n"
                   f"struct S final : experiment::WorkloadSet {{ S() {{ programs = {{{programs}}}; }} }};\n"
                   f'HEDDLE_WORKLOADS(S, "{registered or name}", "a set", "test");\n}}\n')


class Workloads(Case):
    def test_the_template(self):
        file = plugin("workloads")
        listed = self.assert_succeeds("--plugin", file, "describe", "workloads")
        self.assertRegex(listed, r"lwm +12 +programs.toml")  # the programs of LWM11's Table 2
        self.assertRegex(listed, r"my-workloads +2 +y = a x \+ y of two sizes; example \(plug-in my-workloads\)")
        self.assertNotIn("my-workloads", self.assert_succeeds("describe", "workloads"))
        rows = self.assert_succeeds("--plugin", file, "describe", "workloads", "my-workloads")
        self.assertRegex(rows, rf"my-workloads.large +{file.parent}/workloads/saxpy +16384\n")
        self.assertIn("1 of 1 checks passed", self.assert_succeeds("test-policy", file))

    def test_run_and_compare(self):
        """The arguments of the set come first: the program goes by its last one. 256 threads are 8 warps; 1024 are 32."""
        file = plugin("workloads")
        for words, blocks in [(["my-workloads.small"], 2), (["my-workloads.small", "1024"], 8)]:
            self.assertIn("PASS", self.assert_succeeds("--plugin", file, "run", "-m", "lwm11", "-o", "r.json", "--", *words))
            result = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(result["kernels"][0]["grid"], [blocks, 1, 1])
            self.assertEqual([p["name"] for p in result["plugins"]], ["my-workloads"])
        table = self.assert_succeeds("--plugin", file, "compare", "-m", "lwm11", "--with", "core.scheduler=rr", "--with", "core.scheduler=gto",
                                     "--", "my-workloads.small")
        self.assertRegex(table, r"core.scheduler=gto +2 ")

    def test_sets_of_heddle_itself(self):
        out = self.assert_succeeds("run", "-m", "lwm11", "--max-instructions", "1000", "--limit-status", "0", "-o", "r.json", "--", "dwf.fft",
                                   "--size", "64")
        self.assertNotIn("error", out)

    def test_names_that_are_wrong(self):
        file = plugin("workloads")
        self.assertIn("the set 'my-workloads' has no program 'smal'; there are: small, large; did you mean 'small'?",
                      self.assert_refused(2, "--plugin", file, "run", "--", "my-workloads.smal"))
        self.assertIn("my-workloads.small: there is no such program", self.assert_refused(2, "run", "--", "my-workloads.small"))
        self.assertIn("there is no workload set 'lw'; valid: ", self.assert_refused(2, "describe", "workloads", "lw"))

    def test_experiments(self):
        """The set of the experiment's own plug-in; it is part of the keys of its runs, and so is the program."""
        shutil.copytree(plugin("workloads").parent, self.folder / "built")
        text = ('title = "T"\nkind = "table"\nvalue = "totals.warp_instructions"\nmachine = "lwm11"\n{}programs = ["my-workloads"]\n')
        self.write("e.toml", text.format('plugins = ["built/my_workloads.so"]\n'))

        def runs():
            self.assert_succeeds("reproduce", "e.toml", "--plan", "e.plan")
            return [json.loads(line) for line in (self.folder / "e.plan").read_text().splitlines() if '"key"' in line]

        before = runs()
        self.assertEqual([run["arguments"] for run in before], [["256"], ["16384"]])
        self.assertEqual(before[0]["plugins"], [str(self.folder / "built/my_workloads.so")])
        program = self.folder / "built/workloads/saxpy"
        program.write_bytes(program.read_bytes() + b"\0")
        self.assertNotEqual(runs()[0]["key"], before[0]["key"])
        self.assert_succeeds("reproduce", "e.toml", "--quick", "-o", "out")
        self.write("without.toml", text.format(""))
        self.assertIn("programs: there is no set 'my-workloads'; valid: ", self.assert_refused(2, "reproduce", "without.toml", "--dry-run"))
        # Of a plug-in of the command line, too.
        self.assert_succeeds("--plugin", self.folder / "built/my_workloads.so", "reproduce", "without.toml", "--dry-run")

    def test_arguments_that_name_files(self):
        """Beside the plug-in's file, wherever `run` is started."""
        file = set_of("reads", '{.name = "cat", .run = "./show.sh", .arguments = {"text.txt", "no-file"}}')
        (file.parent / "text.txt").write_text("the text\n")
        script = file.parent / "show.sh"
        script.write_text("#!/bin/sh\ncat $1\necho $2\n")
        script.chmod(0o755)
        self.assertIn("the text\nno-file\n", self.heddle("--plugin", file, "run", "--", "reads.cat").stdout)

    def test_sets_that_cannot_be_used(self):
        for name, programs, registered, reason in [
                ("taken", '{.name = "a", .run = "./a"}', "lwm", "the workload set 'lwm' of the plug-in taken: there is a set of this name already"),
                ("empty", "", None, "the workload set 'empty' of the plug-in empty: it has no programs"),
                ("twice", '{.name = "a", .run = "./a"}, {.name = "a", .run = "./b"}', None, "two programs are called 'a'"),
                ("nothing", '{.name = "a"}', None, "the program 'a' has no 'run'"),
                ("dots", '{.run = "./a"}', "x.y", "its name must not have '.'")]:
            with self.subTest(name):
                done = self.heddle("--plugin", set_of(name, programs, registered), "describe", "workloads")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(reason, done.stderr)
                self.assertTrue(done.stderr.startswith("heddle: error: "), done.stderr)

    def test_a_program_that_is_not_there(self):
        done = self.heddle("test-policy", set_of("absent", '{.name = "a", .run = "./none"}'))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"workload set absent\n  FAILED  each program is there and can be simulated: .*/none: there is no such program")


if __name__ == "__main__":
    unittest.main()
