"""Plug-ins: written by `heddle new`, built outside the tree, and used by the commands."""
import json
import os
import pathlib
import shutil
import unittest

from case import COPY_PTX, SOURCE, Case
from plugin_files import PREFIX, mark, of_source, plugin, project, remove as tearDownModule  # noqa: F401

WORKLOADS = next(folder for folder in (PREFIX / "lib/heddle/workloads", PREFIX / "workloads") if folder.exists())
KINDS = {"scheduler": "core.scheduler", "formation": "core.formation", "replacement": "dcache.replacement",
         "prefetcher": "dcache.prefetch"}

# Files of heddle's own policies: what selects them, and on which machine.
COPIES = {"sched/gto": ("core.scheduler", "gtx480"), "formation/pdom": ("core.formation", "gtx480"),
          "mem/cache/replacements/srrip": ("dcache.replacement", "gtx480"),
          "mem/cache/prefetchers/stride": ("dcache.prefetch", "gtx480"), "mem/cache/bypasses/local": ("dcache.bypass", "gtx480"),
          "mem/dram/schedulers/frfcfs": ("dram.scheduler", "gtx480"), "mem/network/allocators/islip": ("interconnect.allocator", "gtx480")}


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

    def test_run_compare_and_reproduce(self):
        """A program under all four at once; the results of the stored run are used again."""
        files = [plugin(kind) for kind in KINDS]
        settings = {key: f"my-{kind}" for kind, key in KINDS.items()}
        workload = WORKLOADS / "bfs"
        options = [word for file in files for word in ("--plugin", file)]
        changes = [word for item in settings.items() for word in ("-s", "=".join(item))]
        self.assertIn("PASS", self.assert_succeeds("run", *options, *changes, "-o", "r.json", "--", workload, "--quick"))
        made = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([p["name"] for p in made["plugins"]], [f"my-{kind}" for kind in KINDS])
        table = self.assert_succeeds("compare", *options, "--with", "core.scheduler=rr", "--with", "core.scheduler=my-scheduler",
                                     "--", workload, "--quick")
        self.assertRegex(table, r"core.scheduler=my-scheduler +2 ")
        names = ", ".join(f'"{file}"' for file in files)
        chosen = ", ".join(f'{key} = "{name}"' for key, name in settings.items())
        self.write("e.toml", f'title = "T"\nkind = "table"\nvalue = "totals.cycles"\nplugins = [{names}]\nmachine = "gtx480"\n'
                             f'[[program]]\nname = "p"\nrun = "{workload}"\narguments = ["--quick"]\n'
                             f'[[setting]]\nname = "mine"\nset = {{ {chosen} }}\n')
        self.assert_succeeds("reproduce", "e.toml", "-o", "out")
        self.assertIn(f"{made['totals']['cycles']:,}", self.assert_succeeds("reproduce", "e.toml", "-o", "out"))

    def test_a_plan_whose_plugin_has_changed_is_refused(self):
        shutil.copy(plugin("scheduler"), self.folder / "mine.so")
        program = self.write("program", "#!/bin/sh\nexit 0\n", executable=True)
        self.write("e.toml", 'title = "t"\nkind = "table"\nvalue = "totals.cycles"\nplugins = ["mine.so"]\n[[program]]\n'
                             f'name = "p"\nrun = "{program}"\n')
        self.assert_succeeds("reproduce", "e.toml", "--plan", "e.plan")
        shutil.copy(plugin("prefetcher"), self.folder / "mine.so")
        self.assert_succeeds("work", "e.plan")
        self.assert_succeeds("collect", "e.plan.results", "--store", "runs.sqlite")
        self.assertIn("mine.so: the file has changed since the run was planned",
                      self.assert_succeeds("query", "SELECT failure FROM runs", "--store", "runs.sqlite"))

    def test_copies_of_own_policies_take_the_same_cycles(self):
        code = ""
        for file in COPIES:
            name = pathlib.Path(file).name
            code += f"// {file}\n" + (SOURCE / "src" / f"{file}.cpp").read_text().replace(f'"{name}"', f'"copy-{name}"')
        file = project("copies", code + mark("copies"))
        workload = ["--", WORKLOADS / "micro-random", "--quick"]
        for source, (key, machine) in COPIES.items():
            with self.subTest(source):
                cycles = []
                for name in (pathlib.Path(source).name, f"copy-{pathlib.Path(source).name}"):
                    self.assert_succeeds("--plugin", file, "run", "-m", machine, "-s", f"{key}={name}", "-o", "r.json", *workload)
                    result = json.loads((self.folder / "r.json").read_text())
                    self.assertEqual(result["config"][key]["value"], name)
                    cycles.append(result["totals"]["cycles"])
                self.assertEqual(cycles[0], cycles[1])

    def test_statistics_hardware_and_core_models(self):
        file = of_source("counts")
        options = ("--plugin", file, "ptx", "-m", "lwm11")
        made = self.copy(*options, "-s", "core.scheduler=counted")
        # A unit whose instruction is not in the cache is picked again.
        self.assertGreaterEqual(made["stats"]["counted"]["picks"], made["totals"]["warp_instructions"])
        self.assertIn("units that were picked", self.assert_succeeds("--plugin", file, "describe", "statistics", "counted"))
        self.assertRegex(self.assert_succeeds("--plugin", file, "cost", "-m", "lwm11", "-s", "core.scheduler=counted"),
                         r"pick counter +1 +40")
        self.assertEqual(self.copy(*options, "-s", "core.model=around")["totals"], self.copy(*options)["totals"])
        self.assertIn("8 of 8 checks passed", self.assert_succeeds("test-policy", file))  # 5 of schedulers, 3 of core models

    def test_a_core_model_of_parts(self):
        """Its instructions are those of another core, every slot has a cause, and results are right. A load of 32 words of a
        cache line and the store of another are two misses at least."""
        file = of_source("each_cycle")
        made = self.copy("--plugin", file, "ptx", "-m", "lwm11", "-s", "core.model=each-cycle")
        self.assertEqual(made["config"]["core.model"]["value"], "each-cycle")
        for total in ("warp_instructions", "thread_instructions"):
            self.assertEqual(made["totals"][total], self.copy("ptx", "-m", "lwm11")["totals"][total])
        self.assertEqual(sum(made["stalls"].values()), made["totals"]["cycles"])
        for machine, formation in (("lwm11", "pdom"), ("lwm11", "serial"), ("maws-bulk", "pdom")):
            out = self.assert_succeeds("--plugin", file, "run", "-m", machine, "-s", "core.model=each-cycle", "-s", f"core.formation={formation}",
                                       "--", WORKLOADS / "bfs", "--quick")
            self.assertIn("PASS", out)
        self.assertIn("core.model = 'each-cycle' cannot run core.formation = 'lwm': a unit issues one group",
                      self.assert_refused(2, "--plugin", file, "describe", "machines", self.write(
                          "m.toml", 'base = "lwm11"\n[core]\nmodel = "each-cycle"\nformation = "lwm"\n')))

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
