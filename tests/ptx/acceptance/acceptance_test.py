"""ptxas and heddle accept the same instructions, but for the differences in differences.list.

usage: acceptance_test.py [--show]    HEDDLE: the command; PTXAS: the assembler (default: of /usr/local/cuda, or of PATH)

--show prints every difference with the message of the side that refuses, and checks nothing.
"""
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import difference_list  # noqa: E402
import lines  # noqa: E402
from assemblers import heddle_verdicts, ptxas_verdicts  # noqa: E402

TABLE = HERE.parent.parent.parent / "src" / "ir" / "isa" / "opcodes.def"
LIST = HERE / "differences.list"
LEAST_LINES = 20000


def find_ptxas():
    """The assembler that the list is made for: of CUDA 13.0; None where there is none."""
    for path in (os.environ.get("PTXAS"), "/usr/local/cuda/bin/ptxas", shutil.which("ptxas")):
        if path and os.access(path, os.X_OK):
            return path
    return None


class Comparison:
    """The verdicts of both sides on every line."""

    def __init__(self, ptxas, heddle):
        self.by_ptxas, self.by_heddle = {}, {}  # line: message, of refused lines
        with tempfile.TemporaryDirectory() as folder:
            self.ptxas, self.heddle, self.folder = ptxas, heddle, Path(folder)
            self.lines = []
            self.compare_rows(lines.ROWS, lines.EXPRESSIONS, "sm_90a")
            self.compare_rows(lines.ROWS_OF_100, [], "sm_100a")

    def compare_rows(self, rows, more, target):
        """Every form of the rows, then accepted ones with other operands, and more lines."""
        forms = list(lines.plain_lines(rows))
        self.compare((form[0] for form in forms), target)
        by_opcode = {}
        for form in forms:
            if form[0] not in self.by_ptxas and form[0] not in self.by_heddle:
                by_opcode.setdefault(form[1], []).append(form)
        varied = [line for forms in by_opcode.values() for form in lines.chosen(forms)
                  for line in lines.varied(*form[1:])]
        self.compare(varied + more, target)

    def compare(self, some, target):
        # ptxas looks for labels after all other errors of a text, and not when these have ended its run.
        left_out = set(self.lines) | {"bra nowhere;", "bra.uni nowhere;"}
        some = [line for line in dict.fromkeys(some) if line not in left_out]
        self.by_ptxas.update(ptxas_verdicts(self.ptxas, some, self.folder, target))
        self.by_heddle.update(heddle_verdicts(self.heddle, some, self.folder, target))
        self.lines += some

    def differences(self):
        return [("heddle" if line in self.by_ptxas else "ptxas", line) for line in self.lines
                if (line in self.by_ptxas) != (line in self.by_heddle)]


class Acceptance(unittest.TestCase):
    def test_both_accept_or_both_refuse(self):
        ptxas = find_ptxas()
        if ptxas is None:
            self.skipTest("there is no ptxas on this machine")
        comparison = Comparison(ptxas, str(Path(os.environ["HEDDLE"]).resolve()))
        self.assertGreater(len(comparison.lines), LEAST_LINES)
        strange, unused = difference_list.sort_out(comparison.differences(), difference_list.read(LIST))
        shown = [f"{side} alone accepts: {line}    ({(comparison.by_ptxas | comparison.by_heddle)[line]})"
                 for side, line in strange]
        self.assertEqual(shown[:40], [], f"{len(strange)} differences are not in {LIST.name}")
        self.assertEqual([f"{LIST.name}:{e.number}: {e.pattern.pattern}" for e in unused], [],
                         "entries without a difference")

    def test_every_opcode_of_the_table_is_in_the_grammar(self):
        names = lines.opcode_names()
        missing = [name for name in lines.names_in_table(TABLE.read_text()) if name not in names]
        self.assertEqual(missing, [])


def show():
    comparison = Comparison(find_ptxas(), str(Path(os.environ["HEDDLE"]).resolve()))
    differences = comparison.differences()
    for side, line in differences:
        print(f"{side}\t{line}\t{(comparison.by_ptxas | comparison.by_heddle)[line]}")
    accepted = sum(1 for line in comparison.lines
                   if line not in comparison.by_ptxas and line not in comparison.by_heddle)
    print(f"{len(comparison.lines)} lines, {accepted} accepted by both, {len(differences)} differences")


if __name__ == "__main__":
    if sys.argv[1:] == ["--show"]:
        show()
    else:
        unittest.main()
