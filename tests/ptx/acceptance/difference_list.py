"""The list of differences (differences.list): where heddle and ptxas do not agree, and why.

A line is SIDE PATTERN -- REASON. SIDE is `heddle` (heddle accepts, ptxas refuses) or `ptxas` (the other way round).
PATTERN is a regular expression for the begin of an instruction. Lines that start with # are comments.
"""
import re
from collections import namedtuple

Entry = namedtuple("Entry", "side pattern reason number")
LINE = re.compile(r"(heddle|ptxas)\s+(\S.*?)\s+--\s+(\S.*)")


def read(path):
    entries = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        found = LINE.fullmatch(text.strip())
        if not found:
            raise ValueError(f"{path.name}:{number}: expected SIDE PATTERN -- REASON")
        entries.append(Entry(found[1], re.compile(found[2]), found[3], number))
    return entries


def sort_out(differences, entries):
    """(differences that no entry covers, entries that cover none). A difference is (side, line)."""
    used, strange = set(), []
    for side, line in differences:
        covering = [e for e in entries if e.side == side and e.pattern.match(line)]
        if covering:
            used.update(e.number for e in covering)
        else:
            strange.append((side, line))
    return strange, [e for e in entries if e.number not in used]
