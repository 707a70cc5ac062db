"""Every opcode that the table calls executable must occur in a case that expects a result."""
import re
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import case_file  # noqa: E402

TABLE = HERE.parent.parent / "src" / "ir" / "isa" / "opcodes.def"
ROW = re.compile(r'^HEDDLE_OPCODE\((\w+),\s*"([^"]+)",\s*\w+,\s*\w+,\s*(true|false)', re.MULTILINE)
# Opcodes that PTX writes as a form of another instruction.
FORMS = {
    "MovSpecial": r"\bmov\.[bsu]\d+\s+[^,;]+,\s*%(tid|ntid|ctaid|laneid)",
    "Pack": r"\bmov\.b\d+\s+[^{;]+,\s*\{",
    "Unpack": r"\bmov\.b\d+\s+\{",
    "SuredAddress": r"\bsured\.[bp]\.",
    "TexLevel": r"\btex\.grad\.",
    "WarpBarrier": r"\bbar\.warp\.sync\b",
    "WmmaAddress": r"\bwmma\.(load|store)\b",
}


def pattern(enumerator, name):
    return FORMS.get(enumerator) or rf"(?:^|[\s;]){re.escape(name)}[.\s;]"


class Coverage(unittest.TestCase):
    def test_every_executable_opcode_has_a_case(self):
        rows = ROW.findall(TABLE.read_text())
        self.assertGreater(len(rows), 80)
        code = "\n".join(case.ptx() for file in sorted((HERE / "cases").glob("*.case"))
                         for case in case_file.read(file) if case.expectations or case.name.startswith("trap"))
        missing = [name for enumerator, name, executable in rows
                   if executable == "true" and not re.search(pattern(enumerator, name), code, re.MULTILINE)]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
