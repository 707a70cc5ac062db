"""Policies of a plug-in that answer what their contracts do not allow: a launch ends with one clear message."""
import json
import subprocess
import unittest

from case import COPY_PTX, HEDDLE, Case
from plugin_files import FOLDER, PREFIX, build, of_source, remove as tearDownModule  # noqa: F401

# Loads 256 lines of 128 bytes, more than the first level of gtx480 has (16 KiB).
LOADS_PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry loads(.param .u64 from)
{
  .reg .b64 %d<4>; .reg .b32 %r<6>; .reg .pred %p;
  ld.param.u64 %d1, [from];
  mov.u32 %r1, 0;
again:
  ld.global.u32 %r2, [%d1];
  add.u32 %r3, %r3, %r2;
  add.u64 %d1, %d1, 128;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p, %r1, 256;
  @%p bra again;
  st.global.u32 [%d1], %r3;
  ret;
}
"""


class Answers(Case):
    def refusal(self, plugin, *words):
        """What the fault says."""
        done = self.heddle("--plugin", plugin, "ptx", *words, "-o", "r.json")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("heddle: error: "), 1, done.stderr)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(result["status"], "failed")
        self.assertIn("heddle: error: " + result["error"], done.stderr)
        return result["error"]

    def copy(self, plugin, *words):
        return self.refusal(plugin, *words, self.write("copy.ptx", COPY_PTX), "--grid", "1", "--block", "32", "--arg", "buf:8",
                            "--arg", "buf:8", "--arg", "u32:2")

    def test_schedulers(self):
        for machine in ("lwm11", "gtx480", "maws-bulk"):  # the barrel core, the scoreboarded one and the WPU
            for name, answer in [("far-unit", "unit 60000"), ("not-offered", "unit 4")]:
                with self.subTest(machine=machine, name=name):
                    text = self.copy(of_source("wrong"), "-m", machine, "-s", f"core.scheduler={name}")
                    self.assertRegex(text, rf"^the scheduler '{name}' of the plug-in wrong: pick\(\) answers {answer} in cycle \d+; "
                                           r"allowed: a unit of can_issue, 0(, [1-3])*, or kNoUnit\n  heddle test-policy checks")

    def test_what_a_scheduler_considers(self):
        done = self.heddle("--plugin", of_source("wrong"), "ptx", "-m", "gtx480", "-s", "core.scheduler=small-set",
                           self.write("copy.ptx", COPY_PTX), "--grid", "1", "--block", "32", "--arg", "buf:8", "--arg", "buf:8",
                           "--arg", "u32:2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'small-set' of the plug-in wrong: considered() answers a set with room for 0 units; allowed: a set of "
                      "Share::units, which are 48, or null", done.stderr)

    def test_memory(self):
        for setting, text in [
                ("dcache.replacement=far-way", "the replacement policy 'far-way' of the plug-in wrong: victim() answers way 70 of set "),
                ("dram.scheduler=no-request", "the dram_scheduler 'no-request' of the plug-in wrong: serve() answers no request for bank "),
                ("dram.scheduler=far-bank", "the dram_scheduler 'far-bank' of the plug-in wrong: pick() answers bank 1000; "
                                            "allowed: a bank of columns or rows, "),
                ("interconnect.allocator=far-input", "with input 5000; allowed: a free input that requests the output and is in no other pair, "),
                ("interconnect.allocator=no-output", "; allowed: an output of requests.outputs, ")]:
            with self.subTest(setting):
                self.assertIn(text, self.refusal(of_source("wrong"), "-m", "gtx480", "-s", setting, self.write("loads.ptx", LOADS_PTX),
                                                 "--grid", "1", "--block", "1", "--arg", "buf:32772"))

    def test_formations(self):
        """The template's, with one line of form() that is wrong."""
        form = "form_row(u, warps_[u].running, group); // one group: all its threads"
        for name, line, text in [
                ("far-row", "group.part[0].row = 9999;", "form() makes a group of unit 0 with row 9999; allowed: a row below 32"),
                ("far-lanes", "group.part[0].lanes = 0xf00000000;",
                 "form() makes a group of unit 0 with lanes 0xf00000000 of row 0; allowed: one or more of the lanes of its threads, "
                 "0xffffffff"),
                ("far-pc", "group.pc = 99999999;", "form() makes a group of unit 0 at PC 99999999; allowed: a PC below "),
                ("many-parts", "group.parts = 60000;", "form() makes a group of unit 0 of 60000 parts; allowed: at most "),
                ("far-group", "group.unit = 40000;", "form() makes a group of unit 40000; allowed: a unit below 32"),
                ("few-threads", "group.threads = 5;", "form() makes a group of unit 0 of 5 threads; allowed: the 32 in its parts")]:
            with self.subTest(name):
                folder = FOLDER / name
                subprocess.run([str(HEDDLE), "new", "formation", name, "--folder", str(folder)], check=True, stdout=subprocess.DEVNULL)
                source = folder / f"{name.replace('-', '_')}.cpp"
                self.assertIn(form, source.read_text())
                source.write_text(source.read_text().replace(form, form + "\n        " + line))
                build(folder)
                said = self.copy(folder / f"build/{name.replace('-', '_')}.so", "-m", "lwm11", "-s", f"core.formation={name}")
                self.assertIn(f"the formation '{name}' of the plug-in {name}: {text}", said)

    def changed(self, kind, name, line, by):
        """The template's policy with one line in the place of another, as a shared object."""
        folder = FOLDER / name
        subprocess.run([str(HEDDLE), "new", kind, name, "--folder", str(folder)], check=True, stdout=subprocess.DEVNULL)
        source = folder / f"{name}.cpp"
        self.assertEqual(source.read_text().count(line), 1, line)
        source.write_text("#include <stdexcept>\n" + source.read_text().replace(line, by))
        build(folder)
        return folder / f"build/{name}.so"

    def test_exceptions(self):
        throws = self.changed("scheduler", "throws", "return best;", 'throw std::runtime_error("no unit is fair");')
        for threads in ("1", "2"):
            said = self.refusal(throws, "-m", "gtx480", "--host-threads", threads, "-s", "core.scheduler=throws",
                                self.write("copy.ptx", COPY_PTX), "--grid", "16", "--block", "32", "--arg", "buf:8", "--arg",
                                "buf:8", "--arg", "u32:2")
            self.assertRegex(said, r"^a policy of the plug-in throws: it throws an exception: no unit is fair; allowed: none but ")
        odd = self.changed("scheduler", "odd", "return best;", "throw 5;")
        self.assertIn("it throws an exception: an exception without a text; ", self.copy(odd, "-m", "lwm11", "-s", "core.scheduler=odd"))

    def test_exceptions_of_constructors(self):
        folder = FOLDER / "unmade"
        subprocess.run([str(HEDDLE), "new", "formation", "unmade", "--folder", str(folder)], check=True, stdout=subprocess.DEVNULL)
        source = folder / "unmade.cpp"
        source.write_text("#include <stdexcept>\n" + source.read_text().replace("warps_(shape.rows) {}",
                          'warps_(shape.rows) { throw std::runtime_error("no room"); }', 1))
        self.assertIn("no room", source.read_text())
        build(folder)
        done = self.heddle("--plugin", folder / "build/unmade.so", "ptx", "-m", "lwm11", "-s", "core.formation=unmade",
                           self.write("copy.ptx", COPY_PTX), "--grid", "1", "--block", "32", "--arg", "buf:8", "--arg", "buf:8",
                           "--arg", "u32:2")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("heddle: error: the formation 'unmade' of the plug-in unmade cannot be made: no room\n", done.stderr)

    def test_a_program_keeps_the_results_of_its_earlier_launches(self):
        """Two launches of one block: the second one fails, and the program goes on without looking at errors."""
        program = self.write("program.cu", "#include <cstdio>\n__global__ void k() {}\n"
                                           "int main() { k<<<1, 32>>>(); k<<<1, 32>>>(); cudaDeviceSynchronize(); std::puts(\"end\"); }\n")
        compiler = PREFIX / "bin/heddle-cc"
        if not compiler.exists():
            compiler = HEDDLE.parent.parent.parent.parent / "tools/heddle-cc"
        subprocess.run([str(compiler), "-o", str(self.folder / "program"), program], check=True)
        done = self.heddle("--plugin", of_source("wrong"), "run", "-m", "lwm11", "-s", "core.scheduler=later", "-o", "r.json", "--",
                           "./program")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("end", done.stdout)
        self.assertIn("heddle: the scheduler 'later' of the plug-in wrong: pick() answers unit 60000 in cycle ", done.stderr)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(result["status"], "failed")
        self.assertEqual(len(result["kernels"]), 2)
        self.assertGreater(result["kernels"][0]["cycles"], 0)


if __name__ == "__main__":
    unittest.main()
