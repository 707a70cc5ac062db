"""heddle cost: what a machine's formation and scheduler need in hardware."""
import json
import re
import subprocess
import unittest

from case import SOURCE, Case


class Cost(Case):
    def cost(self, *words):
        self.assert_succeeds("cost", *words, "-o", "cost.json")
        return json.loads((self.folder / "cost.json").read_text())

    def structures(self, cost, role):
        part, = [p for p in cost["parts"] if p["role"] == role]
        return {s["structure"]: s for s in part["structures"]}

    def test_stack_of_a_machine(self):
        """lwm11 has 32 warps of 32: an entry has two PCs of 32 bits and 32 lanes, and 2 x 31 of them are a warp's worst case."""
        cost = self.cost("-m", "lwm11")
        self.assertEqual(cost["machine"], "lwm11")
        stack = self.structures(cost, "formation")["divergence stack"]
        self.assertEqual((stack["entries"], stack["bits_per_entry"]), (32 * 62, 96))
        self.assertTrue(stack["assumed"])
        self.assertEqual(self.structures(cost, "formation")["active mask"]["bits"], 1024)
        self.assertEqual(cost["sm_total"]["bits"], 32 * 62 * 96 + 1024)

    def test_settings_and_sms_count(self):
        cost = self.cost("-m", "dwf07", "-s", "core.formation=pdom", "-s", "core.threads=64")
        # 4 warps of 16: 4 x 30 entries of 80 bits and 4 masks of 16, on each of 8 SMs.
        self.assertEqual(cost["sm_total"]["bits"], 4 * 30 * 80 + 4 * 16)
        self.assertEqual(cost["machine_total"]["bits"], 8 * (4 * 30 * 80 + 4 * 16))
        self.assertEqual(cost["config"]["core.threads"], {"value": 64, "origin": "command line"})

    def test_two_level_needs_no_storage(self):
        """LWM11 3.4: "does not require any additional storage cost"."""
        cost = self.cost("-s", "core.scheduler=two-level")
        groups = self.structures(cost, "scheduler")["fetch groups"]
        self.assertEqual(groups["bits"], 0)
        self.assertIn("LWM11 3.4", groups["source"])

    def test_dynamic_warp_formation_costs_what_the_paper_says(self):
        """DWF07 Table 1 and 4.4: 48464 bits and 2.471 mm2 for an SM of 256 threads, 0.328 more for the register file's
        decoders, and 22.39 mm2 for the 8 SMs."""
        cost = self.cost("-m", "dwf07", "-s", "core.formation=dwf", "-s", "core.scheduler=dmaj", "-s", "core.threads=256")
        bits = {name: s["bits"] for role in ("formation", "scheduler")
                for name, s in self.structures(cost, role).items() if s["bits"] and not s["compared"]}
        self.assertEqual(bits, {"warp update registers": 336, "PC-warp LUT": 1792, "warp pool": 43008,
                                "warp allocator": 2048, "issue logic (majority)": 1280})
        self.assertEqual(cost["sm_total"]["bits"], 48464)
        self.assertFalse(cost["sm_total"]["mm2_scaled"])
        self.assertAlmostEqual(cost["sm_total"]["mm2"], 2.799, places=3)
        self.assertAlmostEqual(cost["machine_total"]["mm2"], 22.39, places=2)

    def test_register_file_is_shown_and_not_counted(self):
        """DWF07 4.4: 8192 registers of 32 bits, 5.7085 mm2 with one decoder, 16 x 0.3773 with a decoder a lane."""
        words = ("-m", "dwf07", "-s", "core.formation=dwf", "-s", "core.scheduler=dmaj")
        file = {name: s for name, s in self.structures(self.cost(*words), "formation").items() if s["compared"]}
        self.assertEqual({name: (s["bits"], round(s["mm2"], 4), s["mm2_scaled"]) for name, s in file.items()},
                         {"register file, one decoder": (262144, 5.7085, False),
                          "register file, a decoder a lane": (262144, 6.0368, False)})
        out = self.assert_succeeds("cost", *words)
        self.assertRegex(out, r"register file, one decoder .*\(262,144\) .*\(5\.7(08|09)\)")
        self.assertIn("(): the core has it anyhow; no total counts it", out)
        half = self.structures(self.cost(*words, "-s", "core.threads=128"), "formation")["register file, one decoder"]
        self.assertEqual((half["bits"], half["mm2"], half["mm2_scaled"]), (131072, 5.7085 / 2, True))
        self.assertNotIn("():", self.assert_succeeds("cost"))

    def test_progress_costs_what_the_paper_says(self):
        """PRO III.E: 4 W + 4 T + T + T = 240 bytes for 48 warps and 8 blocks."""
        cost = self.cost("-s", "core.scheduler=pro", "-s", "core.threads=1536", "-s", "core.blocks=8")
        rows = self.structures(cost, "scheduler")
        self.assertEqual([s["bits"] for s in rows.values()], [48 * 32, 8 * 32, 8 * 8, 8 * 8])
        self.assertEqual(sum(s["bits"] for s in rows.values()), 240 * 8)

    def test_large_warps_cost_what_the_papers_say(self):
        """LWM11 3.4: 224 bytes; LWM10 3.3, without interlock: 96."""
        self.assertEqual(self.cost("-m", "lwm11", "-s", "core.formation=lwm", "-s", "lwm.miss=warp")["sm_total"]["bits"], 224 * 8)
        self.assertEqual(self.cost("-m", "lwm11", "-s", "core.formation=lwm", "-s", "lwm.refetch=all")["sm_total"]["bits"], 96 * 8)

    def test_a_policy_without_numbers_says_so(self):
        out = self.assert_succeeds("cost", "-s", "core.formation=serial", "-s", "core.scheduler=rr")
        self.assertRegex(out, r"(?m)^formation serial +none counted$")
        self.assertRegex(out, r"(?m)^scheduler rr +none counted$")

    def test_every_policy_has_a_cost_that_adds_up(self):
        counted = 0
        for topic in ("formations", "schedulers"):
            for name in re.findall(r"^([a-z][\w-]*)", self.assert_succeeds("describe", topic), re.MULTILINE):
                result = self.heddle("cost", "-s", f"core.{topic[:-1]}={name}", "-o", "cost.json")
                if result.returncode != 0:  # a policy that lwm11's others or its shape cannot go with, told as such
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn(f"core.{topic[:-1]}", result.stderr)
                    continue
                cost = json.loads((self.folder / "cost.json").read_text())
                structures = [s for p in cost["parts"] for s in p["structures"]]
                for s in structures:
                    self.assertEqual(s["bits"], s["entries"] * s["bits_per_entry"], s)
                self.assertEqual(cost["sm_total"]["bits"], sum(s["bits"] for s in structures if not s["compared"]))
                self.check_schema("cost.json")
                counted += 1
        self.assertGreaterEqual(counted, 6)  # pdom, serial, rr, srr, gto, two-level

    def check_schema(self, name):
        checked = subprocess.run(["python3", SOURCE / "tests/cli/check_schema.py", SOURCE / "schema/cost.schema.json",
                                  self.folder / name], capture_output=True, text=True)
        if checked.returncode == 2:
            self.skipTest("python3-jsonschema is not installed: the schema is not checked")
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_calls_that_are_wrong(self):
        self.assertIn("unknown machine 'lwm1'; valid: ", self.assert_refused(2, "cost", "-m", "lwm1"))
        self.assertIn("did you mean 'core.formation'?", self.assert_refused(2, "cost", "-s", "core.formatoin=pdom"))
        self.assertIn("unknown formation 'pdm'", self.assert_refused(2, "cost", "-s", "core.formation=pdm"))
        self.assertIn("there is no folder", self.assert_refused(2, "cost", "-o", "none/cost.json"))
        self.assertIn("a folder", self.assert_refused(2, "cost", "-o", "."))
        self.assert_refused(2, "cost", "lwm11")
        self.assert_refused(2, "cost", "--no-such-option")


if __name__ == "__main__":
    unittest.main()
