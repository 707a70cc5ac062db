"""Machines and settings on the command line, and heddle describe."""
import re
import unittest

from case import COPY_PTX, SOURCE, Case


class Settings(Case):
    def refused(self, *words):
        copy = self.write("copy.ptx", COPY_PTX)
        return self.assert_refused(2, "ptx", copy, "--grid", "1", "--block", "1", *words)

    def test_unknown_key(self):
        self.assertIn("there is no parameter 'dcache.sise'; did you mean 'dcache.size'?", self.refused("-s", "dcache.sise=1"))

    def test_unknown_command(self):
        self.assertIn("there is no command 'comprae'; valid: run, compare, reproduce, work, collect, jobs, ptx, check, oracle, cost, report, profile, query, export, new, test-policy, describe, validate; did you mean 'compare'?",
                      self.assert_refused(2, "comprae", "--with", "core.formation=pdom"))

    def test_words_that_do_not_fit(self):
        for words, message in [
                ([], "A subcommand is required; `heddle --help` lists the commands"),
                (["run", "-m"], "--machine needs MACHINE; `heddle run --help` lists the options"),
                (["run", "--max-cycles", "1", "--max-cycles", "2", "--", "x"], "--max-cycles is given more than once; `heddle run"),
                (["compare", "--", "x"], "--with is required; `heddle compare --help` lists the options")]:
            self.assertEqual(self.assert_refused(2, *words).partition(message)[0], "heddle: error: ")

    def test_bad_size(self):
        message = self.refused("-s", "dcache.size=12abc")
        self.assertIn("dcache.size: '12abc' is not a size in bytes", message)
        self.assertIn("32KiB", message)

    def test_out_of_range(self):
        self.assertIn("core.stages: 1000 is out of range; valid: ", self.refused("-s", "core.stages=1000"))
        self.assertIn("dcache.size: 134217728 is out of range; valid: ", self.refused("-s", "dcache.size=128MiB"))

    def test_unknown_policies_list_the_valid_ones(self):
        self.assertRegex(self.refused("-s", "core.formation=pdm"), r"unknown formation 'pdm'; valid: .*pdom, serial.*did you mean")
        self.assertRegex(self.refused("-s", "core.scheduler=x"), r"unknown scheduler 'x'; valid: .*rr")
        self.assertRegex(self.refused("-s", "core.model=x"), r"core.model: unknown core model 'x'; valid: barrel, scoreboard")

    def test_all_problems_at_once(self):
        message = self.refused("-s", "core.stages=1000", "-s", "a.b=c", "-s", "nonsense")
        self.assertEqual(len(message.strip().splitlines()), 3, message)

    def test_parts_that_do_not_fit_together(self):
        self.assertIn("core.threads = 33 is not a multiple of core.width", self.refused("-s", "core.threads=33"))

    def test_optional_sections(self):
        self.assertNotIn("tcache", self.assert_succeeds("describe", "machines", "lwm11"))
        self.assertIn("tcache.ways", self.assert_succeeds("describe", "parameters", "tcache"))
        mine = self.write("mine.toml", 'base = "lwm11"\n[tcache]\nsize = "12KiB"\nways = 24\n')
        text = self.assert_succeeds("describe", "machines", mine)
        self.assertRegex(text, r"tcache.ways +24")
        self.assertRegex(text, r"tcache.line +128 .*default")
        bad = self.write("bad.toml", 'base = "lwm11"\n[tcache]\nsize = 1000\n')
        self.assertIn("tcache", self.assert_refused(2, "describe", "machines", bad))

    def test_machines(self):
        self.assertIn("unknown machine 'lwm1'; valid: a100, a6000, dwf07, gtx480-pro, gtx480, gv100, h100-1500, h100, h200-nvl, h200, lwm10, lwm11, maws-bulk, maws-coherent, rtx2060, rtx3080, v100", self.refused("-m", "lwm1"))
        self.assertIn("none.toml: there is no such machine file", self.refused("-m", "none.toml"))
        bad = self.write("bad.toml", "[core]\nwidth = 33\nwitdh = 32\n")
        message = self.refused("-m", bad)
        self.assertIn(f"{bad}:2: core.width: 33 is out of range", message)
        self.assertIn(f"{bad}:3: core.witdh: there is no parameter 'core.witdh'; did you mean 'core.width'?", message)

    def test_limits(self):
        self.assertIn("--kernels: '3-1' is not a range of launches", self.refused("--kernels", "3-1"))
        for option in "--max-cycles", "--max-instructions", "--host-threads":
            for text in "many", "-3", "1e6":
                self.assertIn(f"{option}: '{text}' is not a whole number; write decimal digits", self.refused(option, text))
            self.assertIn(f"{option}: '0' is too small; write 1 or more", self.refused(option, "0"))
            self.assertIn(f"{option}: '18446744073709551616' is too large; the largest whole number is 18446744073709551615",
                          self.refused(option, "18446744073709551616"))
        self.assertIn("--timeline-gap: '-1' is not a whole number", self.refused("--timeline-gap", "-1"))


class Describe(Case):
    def test_every_shipped_machine_sets_every_device_parameter(self):
        """A shipped file leaves nothing to defaults, but for the settings of policies that it does not name."""
        policies = {word for topic in ("formations", "schedulers")
                    for word in re.findall(r"^([a-z][\w-]*)", self.assert_succeeds("describe", topic), re.MULTILINE)}
        policies |= {"scoreboard", "pipe"}  # of the core model `scoreboard`
        policies.add("views")  # of the run
        for path in sorted((SOURCE / "machines").glob("*.toml")):
            text = self.assert_succeeds("describe", "machines", path.stem)
            for line in text.splitlines()[2:]:
                key, rest = line.split(None, 1)
                of_policy = re.search(r"[.](prefetch_(degree|distance)|bypass_rate)$", key)
                if key.split(".")[0] not in policies and not of_policy:
                    self.assertRegex(rest, r"machines/\S+\.toml:", f"{path.name} leaves {key} to its default")

    def test_machine_as_toml_reads_back(self):
        text = self.assert_succeeds("describe", "machines", "lwm11", "--toml")
        mine = self.write("mine.toml", text)
        self.assertEqual(self.assert_succeeds("describe", "machines", mine, "--toml"), text)

    def test_one_parameter(self):
        text = self.assert_succeeds("describe", "parameters", "core.width")
        self.assertIn("power of two 1..64", text)
        self.assertIn("core.width", self.assert_succeeds("describe", "parameters", "core"))

    def test_lists(self):
        self.assertIn("lwm11", self.assert_succeeds("describe", "machines"))
        self.assertIn("\npdom ", self.assert_succeeds("describe", "formations"))
        self.assertIn("\nrr ", self.assert_succeeds("describe", "schedulers"))
        self.assertIn("\nissued ", self.assert_succeeds("describe", "statistics"))
        self.assertIn("\nfma ", self.assert_succeeds("describe", "opcodes"))
        self.assertIn("\n| `fma` | ", self.assert_succeeds("describe", "ptx-isa"))
        self.assertIn("\nparameters ", self.assert_succeeds("describe"))

    def test_names_that_are_unknown(self):
        self.assertIn("there is no topic 'machine'; valid: machines, ", self.assert_refused(2, "describe", "machine"))
        self.assertIn("did you mean 'pdom'?", self.assert_refused(2, "describe", "formations", "pdmo"))
        self.assertRegex(self.assert_refused(2, "describe", "schedulers", "none"), r"valid: .*\brr\b")
        self.assertIn("did you mean 'core.width'?", self.assert_refused(2, "describe", "parameters", "core.widht"))
        self.assertIn("did you mean 'dcache'?", self.assert_refused(2, "describe", "statistics", "dcach"))
        self.assertIn("did you mean 'fma'?", self.assert_refused(2, "describe", "opcodes", "fmaa"))
        self.assertIn("unknown machine", self.assert_refused(2, "describe", "machines", "none"))
        self.assertIn("--toml", self.assert_refused(2, "describe", "formations", "--toml"))


class Program(Case):
    def test_version_and_help(self):
        self.assertRegex(self.assert_succeeds("--version"), r"^heddle \d+\.\d+\.\d+ \(.+\)\n$")
        for words in ([], ["run"], ["compare"], ["ptx"], ["oracle"], ["cost"], ["describe"]):
            self.assertIn("--help", self.assert_succeeds(*words, "--help"))

    def test_calls_that_are_wrong(self):
        self.assert_refused(2)
        self.assert_refused(2, "rum")
        self.assert_refused(2, "ptx")
        self.assert_refused(2, "describe", "--no-such-option")


if __name__ == "__main__":
    unittest.main()
