"""Files that are no plug-ins or do not fit, names that are taken, and policies that are broken: one clear message each."""
import re
import shutil
import subprocess
import unittest

from case import COPY_PTX, HEDDLE, Case
from plugin_files import FOLDER, PREFIX, build, mark, of_source, plugin, project, remove as tearDownModule  # noqa: F401


def marked(name, abi, code=""):
    """A shared object with a mark of this ABI."""
    source = FOLDER / f"{name}.c"
    text = f"\\x7fheddle plug-in\\n{abi}\\n{name}\\ntest\\n".replace("\\x7fh", "\\x7f\" \"h")
    source.write_text(f'const char heddle_plugin[] = "{text}";\n{code}\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", FOLDER / f"{name}.so", source], check=True)
    return FOLDER / f"{name}.so"


class Misuse(Case):
    def test_what_is_no_plugin(self):
        text = self.write("text.so", "no shared object")
        for file, message in [(self.folder / "none.so", "there is no such plug-in"), (self.folder, "not a file"),
                              (text, "it is no shared object"), (HEDDLE, "not a plug-in of heddle"),
                              (PREFIX / "lib/libheddle.so.0", "not a plug-in of heddle")]:
            message = f"heddle: error: {file}: {message}" if "shared" not in message else message
            self.assertIn(message, self.assert_refused(2, "--plugin", file, "describe"))
        self.assertIn("--plugin needs a file", self.assert_refused(2, "describe", "--plugin"))

    def test_a_file_that_ends_early(self):
        whole = plugin("scheduler").read_bytes()
        cut = self.folder / "cut.so"
        for length in (20, 100, 6000, len(whole) // 2, len(whole) - 1):
            cut.write_bytes(whole[:length])
            self.assertIn(f"the file ends early, after {length} bytes", self.assert_refused(2, "--plugin", cut, "describe"))

    def test_shared_objects_of_other_computers(self):
        """The bytes of the header that say so: 4 is the class, 18 and 19 the machine (ELF specification)."""
        foreign = bytearray(plugin("scheduler").read_bytes())
        file = self.folder / "foreign.so"
        foreign[18:20] = (183).to_bytes(2, "little")  # EM_AARCH64
        file.write_bytes(foreign)
        self.assertIn("for another kind of processor", self.assert_refused(2, "--plugin", file, "describe"))
        foreign[4], foreign[18] = 1, 3  # ELFCLASS32, EM_386
        file.write_bytes(foreign)
        self.assertIn("a 32-bit shared object", self.assert_refused(2, "--plugin", file, "describe"))

    def test_plugins_of_one_name(self):
        other = project("my-scheduler", mark("my-scheduler"))
        message = self.assert_refused(2, "--plugin", plugin("scheduler"), "--plugin", other, "describe")
        self.assertIn(f"{other}: another plug-in 'my-scheduler' is loaded, {plugin('scheduler')}", message)
        # The same content under another name is the same plug-in.
        shutil.copy(plugin("scheduler"), self.folder / "copy.so")
        self.assert_succeeds("--plugin", plugin("scheduler"), "--plugin", "copy.so", "describe", "plugins")

    def test_an_exception_while_it_is_loaded(self):
        file = project("throwing", '#include <stdexcept>\nstruct T { T() { throw std::runtime_error("no table"); } } t;\n'
                       + mark("throwing"))
        self.assertEqual(self.assert_refused(2, "--plugin", file, "describe"),
                         f"heddle: error: {file}: cannot be loaded: an object at file scope throws: no table\n")

    def test_a_machine_file_with_a_wrong_path(self):
        machine = self.write("m.toml", 'base = "lwm11"\nplugins = ["sub/none.so"]\n')
        message = self.assert_refused(2, "describe", "machines", machine)
        self.assertIn(f"m.toml:2: plugins: {self.folder}/sub/none.so: there is no such plug-in", message)
        self.write("m.toml", 'base = "lwm11"\nplugins = "none.so"\n')
        self.assertIn('plugins: expected a list of files, ["FILE.so"], found a text', self.assert_refused(2, "describe", "machines", machine))
        self.write("m.toml", 'base = "lwm11"\nplugins = [7]\n')
        self.assertIn("plugins: expected a text in quotes, found a whole number", self.assert_refused(2, "describe", "machines", machine))

    def test_broken_policies(self):
        """Each way to fail is one line of its check; the checks of the others still run."""
        done = self.heddle("test-policy", of_source("broken"), "--limit", 1)
        self.assertEqual(done.returncode, 1)
        policies = dict(zip(re.findall(r"^(?:scheduler|formation) (\S+)$", done.stdout, re.M),
                            re.split(r"^(?:scheduler|formation) \S+$", done.stdout, flags=re.M)[1:]))
        for policy, reason in [("endless", "it does not end: stopped after 1 s of processor time"),
                               ("null", "it has crashed: signal 11 (Segmentation fault)"),
                               ("outside", "pick() names a unit that is not in can_issue"),
                               ("quits", "it has ended the process, with exit status 0"),
                               ("throws", "no room for the table"),
                               ("none", "the factory of the formation 'none' returns no object")]:
            self.assertIn(f"FAILED  picks a unit that can issue: {reason}\n" if policy != "none" else reason, policies[policy])
            self.assertNotIn("  passed", policies[policy])
        self.assertIn("0 of 29 checks passed", done.stdout)

    def test_policies_that_cannot_be_made(self):
        """In a simulation: one message, not a crash."""
        copy = self.write("copy.ptx", COPY_PTX)
        for setting, reason in [("core.scheduler=throws", "no room for the table"),
                                ("core.formation=none", "the factory of the formation 'none' returns no object")]:
            done = self.heddle("--plugin", of_source("broken"), "ptx", "-s", setting, copy, "--grid", "1", "--block", "32",
                               "--arg", "buf:8", "--arg", "buf:8", "--arg", "u32:2")
            self.assertIn(done.returncode, (1, 2))
            self.assertRegex(done.stderr, rf"^heddle: error: .*{re.escape(reason)}")

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
        self.assertIn("there is a scheduler 'rr' already, in heddle itself",
                      self.assert_refused(2, "--plugin", other / "build/other.so", "describe"))

    def test_new_is_careful(self):
        self.assertIn("there is no template for a schedler; valid: formation, prefetcher, replacement, scheduler, workloads; did you mean",
                      self.assert_refused(2, "new", "schedler", "x"))
        self.assertIn("is not a name for a scheduler", self.assert_refused(2, "new", "scheduler", "A b"))
        (self.folder / "there").mkdir()
        self.assertIn("there already", self.assert_refused(2, "new", "scheduler", "there"))
        self.assertIn("there is a section [lwm] of settings already", self.assert_refused(2, "new", "scheduler", "lwm"))
        self.assertIn("'test' is the name of a target of CMake", self.assert_refused(2, "new", "scheduler", "test"))

    def test_a_broken_policy_fails_its_checks(self):
        folder = self.folder / "broken"
        self.assert_succeeds("new", "replacement", "broken", "--folder", folder)
        source = folder / "broken.cpp"
        source.write_text(source.read_text().replace("        return best;", "        return best + 1;"))
        build(folder)
        done = self.heddle("test-policy", folder / "build/broken.so")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED  victim() names the only candidate: victim() does not name the only candidate", done.stdout)


if __name__ == "__main__":
    unittest.main()
