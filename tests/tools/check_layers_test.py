"""tools/check-layers must catch what it is there to catch."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent.parent / "tools" / "check-layers"


def check(files):
    """Runs the tool over a tree made of {path: text}; returns (exit status, error output)."""
    with tempfile.TemporaryDirectory() as tree:
        for path, text in files.items():
            target = Path(tree) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        run = subprocess.run([sys.executable, TOOL, tree], capture_output=True, text=True)
        return run.returncode, run.stderr


class CheckLayers(unittest.TestCase):
    def refused(self, path, text, *fragments):
        status, errors = check({path: text})
        self.assertNotEqual(status, 0, f"{path}: {text!r} was let through")
        for fragment in fragments:
            self.assertIn(fragment, errors)

    def accepted(self, path, text):
        status, errors = check({path: text})
        self.assertEqual(status, 0, errors)

    def test_downward_includes_pass(self):
        self.accepted("src/sm/frame/core.cpp", '#include "sched/scheduler.h"\n#include "base/types.h"\n#include <vector>\n')
        self.accepted("src/runtime/device.cpp", '#include "report/json.h"\n#include "ptx/parser.h"\n')

    def test_upward_include_is_named_with_its_line(self):
        self.refused("src/ptx/parser.cpp", '#include "ptx/parser.h"\n#include "ir/lower.h"\n', "src/ptx/parser.cpp:2:",
                     "ptx must not include ir/lower.h")

    def test_siblings_and_sm_are_out_of_reach(self):
        for layer in ["formation", "sched", "mem"]:
            for other in ["formation", "sched", "mem", "sm"]:
                text = f'#include "{other}/x.h"\n'
                if layer == other:
                    self.accepted(f"src/{layer}/x.cpp", text)
                else:
                    self.refused(f"src/{layer}/x.cpp", text, f"{layer} must not include {other}/x.h")

    def test_schedulers_read_what_formations_say_of_their_units(self):
        self.accepted("src/sched/swf.cpp", '#include "formation/maws_units.h"\n')
        self.refused("src/mem/x.cpp", '#include "formation/maws_units.h"\n', "mem must not include")

    def test_report_sees_no_simulation(self):
        self.accepted("src/report/json.cpp", '#include "stats/tree.h"\n')
        self.refused("src/report/json.cpp", '#include "exec/executor.h"\n', "report must not include exec")

    def test_shim_stands_on_the_api_alone(self):
        self.accepted("shim/cudart/a.cpp", '#include "runtime/device.h"\n#include "config/parameter.h"\n#include "b.h"\n')
        self.refused("shim/cudart/a.cpp", '#include "config/other.h"\n', "shim must not include config/other.h")
        self.refused("shim/cudart/a.cpp", '#include "gpu/loop.h"\n', "shim must not include gpu/loop.h")

    def test_workloads_see_nothing_of_the_simulator(self):
        self.refused("workloads/x/x.cu", '#include "base/types.h"\n', "workloads must not include")

    def test_includes_are_written_from_the_root(self):
        self.refused("src/ir/a.cpp", '#include "b.h"\n', "does not start with a layer")

    def test_angle_brackets_do_not_hide_an_include(self):
        status, errors = check({"src/base/a.h": "#include <ir/x.h>\n", "src/ir/x.h": "\n"})
        self.assertNotEqual(status, 0)
        self.assertIn("base must not include ir/x.h", errors)

    def test_unknown_layer_is_refused(self):
        self.refused("src/misc/a.cpp", "\n", "src/misc is no layer")

    def test_upward_link_is_refused(self):
        status, errors = check({"src/ir/a.cpp": "", "src/ir/layer.cmake": "heddle_layer(ir\n  DEPENDS ptx exec SOURCES a.cpp)\n"})
        self.assertNotEqual(status, 0)
        self.assertIn("ir must not depend on exec", errors)

    def test_empty_tree_is_no_success(self):
        status, _ = check({})
        self.assertNotEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
