"""Plug-ins: written by `heddle new`, built outside the tree, and used by the commands.

With HEDDLE_PREFIX, the plug-ins are built against the heddle that is installed there.
"""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from case import COPY_PTX, HEDDLE, Case

PREFIX = pathlib.Path(os.environ.get("HEDDLE_PREFIX", HEDDLE.parent.parent))
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="heddle-plugins-"))
KINDS = {"scheduler": "core.scheduler", "formation": "core.formation", "replacement": "dcache.replacement",
         "prefetcher": "dcache.prefetch"}


def tearDownModule():
    shutil.rmtree(FOLDER, ignore_errors=True)


def build(folder):
    commands = [["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}"],
                ["cmake", "--build", folder / "build", "-j1"]]
    for command in commands:
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stdout)


@functools.cache
def plugin(kind):
    """The plug-in that `heddle new KIND my-KIND` writes, built."""
    folder = FOLDER / kind
    subprocess.run([str(HEDDLE), "new", kind, f"my-{kind}", "--folder", str(folder)], check=True, stdout=subprocess.DEVNULL)
    build(folder)
    return folder / "build" / f"my_{kind}.so"


def marked(name, abi, code=""):
    """A shared object with a mark of this ABI."""
    source = FOLDER / f"{name}.c"
    text = f"\\x7fheddle plug-in\\n{abi}\\n{name}\\ntest\\n".replace("\\x7fh", "\\x7f\" \"h")
    source.write_text(f'const char heddle_plugin[] = "{text}";\n{code}\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", FOLDER / f"{name}.so", source], check=True)
    return FOLDER / f"{name}.so"


class Plugins(Case):
    def copy(self, *words):
        """The result of a kernel that copies two words; they must be right."""
        ptx, result = self.write("copy.ptx", COPY_PTX), self.folder / "result.json"
        out = self.assert_succeeds(*words, ptx, "--grid", "1", "--block", "32", "--arg", "buf:8", "--arg",
                                   "buf:hex=0100000002000000", "--arg", "u32:2", "--dump", "0", "-o", result)
        self.assertIn("dump 0: 0100000002000000\n", out)
        return json.loads(result.read_text())

    def test_every_kind_is_described_checked_and_used(self):
        for kind, key in KINDS.items():
            with self.subTest(kind):
                file, name = plugin(kind), f"my-{kind}"
                self.assertIn(f"(plug-in {name})", self.assert_succeeds("--plugin", file, "describe", f"{kind}s", name))
                self.assertIn(name, self.assert_succeeds("describe", "plugins", "--plugin", file))
                self.assertRegex(self.assert_succeeds("test-policy", file), r"(\d+) of \1 checks passed")
                machine = self.write("mine.toml", f'base = "lwm11"\nplugins = ["{file}"]\n'
                                     + '[{}]\n{} = "{}"\n'.format(*key.split("."), name))
                made = self.copy("ptx", "-m", machine)
                self.assertEqual([p["name"] for p in made["plugins"]], [name])
                self.assertEqual(made["config"][key]["value"], name)

    def test_settings(self):
        file = plugin("scheduler")
        self.assertIn("my_scheduler.at_least", self.assert_succeeds("--plugin", file, "describe", "parameters", "my_scheduler"))
        message = self.assert_refused(2, "--plugin", file, "describe", "machines", self.write(
            "bad.toml", 'base = "lwm11"\n[my_scheduler]\nat_least = 65\n'))
        self.assertIn("my_scheduler.at_least: 65 is out of range; valid: 1..64", message)

    def test_a_machine_file_names_its_plugins(self):
        shutil.copy(plugin("scheduler"), self.folder / "mine.so")
        machine = self.write("mine.toml", 'base = "lwm11"\nplugins = ["mine.so"]\n[core]\nscheduler = "my-scheduler"\n'
                                          '[my_scheduler]\nat_least = 4\n')
        text = self.assert_succeeds("describe", "machines", machine)
        self.assertRegex(text, r"core.scheduler +my-scheduler")
        self.assertRegex(text, r"my_scheduler.at_least +4 ")
        # A machine that is based on it has them too, from another folder.
        (self.folder / "sub").mkdir()
        sub = self.write("sub/other.toml", 'base = "../mine.toml"\n')
        self.assertRegex(self.assert_succeeds("describe", "machines", sub), r"core.scheduler +my-scheduler")

    def test_settings_of_a_plugin_are_in_no_machine_that_does_not_set_them(self):
        self.assertNotIn("my_scheduler", self.assert_succeeds("--plugin", plugin("scheduler"), "describe", "machines", "lwm11"))

    def test_by_the_environment(self):
        environment = dict(os.environ, HEDDLE_PLUGINS=f"{plugin('scheduler')}:{plugin('prefetcher')}")
        done = self.heddle("describe", "plugins", env=environment)
        self.assertIn("my-scheduler", done.stdout)
        self.assertIn("my-prefetcher", done.stdout)

    def test_what_is_no_plugin(self):
        text = self.write("text.so", "no shared object")
        for file, message in [(self.folder / "none.so", "there is no such plug-in"), (self.folder, "not a file"),
                              (text, "it is no shared object"), (HEDDLE, "not a plug-in of heddle")]:
            self.assertIn(message, self.assert_refused(2, "--plugin", file, "describe"))
        self.assertIn("--plugin needs a file", self.assert_refused(2, "describe", "--plugin"))
        cut = self.folder / "cut.so"
        cut.write_bytes(plugin("scheduler").read_bytes()[:6000])
        self.assert_refused(2, "--plugin", cut, "describe")

    def test_built_for_another_heddle(self):
        message = self.assert_refused(2, "--plugin", marked("old", "heddle 0.0.1, headers 0123456789ab, libstdc++"), "describe")
        self.assertIn("built for another heddle; build it again with this one", message)
        self.assertIn("plug-in: heddle 0.0.1, headers 0123456789ab", message)

    def test_missing_symbol(self):
        abi = plugin("scheduler").read_bytes().partition(b"\x7fheddle plug-in\n")[2].partition(b"\n")[0].decode()
        file = marked("missing", abi, "extern void _ZN6heddle2sm3Wpu3runEv(void);\n"
                                      "void call(void) { _ZN6heddle2sm3Wpu3runEv(); }")
        self.assertIn("it needs heddle::sm::Wpu::run(), which heddle does not offer to plug-ins",
                      self.assert_refused(2, "--plugin", file, "describe"))

    def test_a_name_that_is_taken(self):
        self.assertIn("there is a scheduler 'rr' already", self.assert_refused(2, "new", "scheduler", "rr"))
        other = self.folder / "other"
        self.assert_succeeds("new", "scheduler", "other", "--folder", other)
        source = other / "other.cpp"
        source.write_text(source.read_text().replace('"other", "the unit', '"rr", "the unit'))
        build(other)
        self.assertIn("two implementations of scheduler 'rr' are registered",
                      self.assert_refused(2, "--plugin", other / "build/other.so", "describe"))

    def test_new_is_careful(self):
        self.assertIn("there is no template for a schedler; valid: formation, prefetcher, replacement, scheduler; did you mean",
                      self.assert_refused(2, "new", "schedler", "x"))
        self.assertIn("is not a name for a policy", self.assert_refused(2, "new", "scheduler", "A b"))
        (self.folder / "there").mkdir()
        self.assertIn("there already", self.assert_refused(2, "new", "scheduler", "there"))

    def test_a_broken_policy_fails_its_checks(self):
        folder = self.folder / "broken"
        self.assert_succeeds("new", "replacement", "broken", "--folder", folder)
        source = folder / "broken.cpp"
        source.write_text(source.read_text().replace("        return best;", "        return best + 1;"))
        build(folder)
        done = self.heddle("test-policy", folder / "build/broken.so")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED  victim() names the only candidate: victim() does not name the only candidate", done.stdout)

    def test_reproduce_keeps_results_by_content(self):
        """The same plug-in: the stored result is used. Another content: another run. Without plug-ins: the old key."""
        shutil.copy(plugin("scheduler"), self.folder / "mine.so")
        program = self.write("program", "#!/bin/sh\nexit 0\n", executable=True)
        text = ('title = "t"\nkind = "table"\nvalue = "totals.cycles"\n{plugins}[[program]]\nname = "p"\nrun = "' + program + '"\n')
        keys = {}
        for name, plugins in [("without", ""), ("with", 'plugins = ["mine.so"]\n'), ("again", 'plugins = ["mine.so"]\n')]:
            file = self.write(f"{name}.toml", text.format(plugins=plugins))
            plan = self.folder / f"{name}.plan"
            self.assert_succeeds("reproduce", file, "--plan", plan)
            keys[name] = [json.loads(line) for line in plan.read_text().splitlines()]
        self.assertEqual(keys["with"][0]["key"], keys["again"][0]["key"])
        self.assertNotEqual(keys["with"][0]["key"], keys["without"][0]["key"])
        self.assertNotIn("plugins", keys["without"][0])
        self.assertEqual(keys["with"][0]["plugins"], [str(self.folder / "mine.so")])


if __name__ == "__main__":
    unittest.main()
