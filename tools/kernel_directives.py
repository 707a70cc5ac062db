"""Directives of kernels for which clang has no attribute: __cluster_dims__, __maxnreg__ and the third number of
__launch_bounds__. The header makes annotations of them, which clang keeps in the LLVM IR with the numbers."""
import re

ENTRY = re.compile(r"bitcast \([^@]*@(?P<kernel>[\w$.]+|\"[^\"]+\") to i8\*\), i8\* getelementptr inbounds \(\[\d+ x i8\], \[\d+ x i8\]\* @(?P<word>[\w$.]+), "
                   r"i32 0, i32 0\), i8\* getelementptr[^}]*?, i32 \d+, i8\* bitcast \([^@]*@(?P<numbers>[\w$.]+) to i8\*\) }")
OF_OPAQUE = re.compile(r"{ ptr @(?P<kernel>[\w$.]+|\"[^\"]+\"), ptr @(?P<word>[\w$.]+), ptr @[\w$.]+, i32 \d+, ptr @(?P<numbers>[\w$.]+) }")
PTX = {"heddle.cluster": ".explicitcluster\n.reqnctapercluster ", "heddle.maxnreg": ".maxnreg ", "heddle.maxclusterrank": ".maxclusterrank "}


def of_kernels(ir):
    """By kernel, the lines of PTX."""
    found = re.search(r"^@llvm\.global\.annotations = .*$", ir, re.MULTILINE)
    words = dict(re.findall(r'^@([\w$.]+) = .*? c"(heddle\.\w+)\\00"', ir, re.MULTILINE))
    out = {}
    for entry in [*ENTRY.finditer(found[0]), *OF_OPAQUE.finditer(found[0])] if found else []:
        if entry["word"] not in words:
            continue
        numbers = re.search(rf"^@{re.escape(entry['numbers'])} = .*? {{[^}}]*}} {{([^}}]*)}}", ir, re.MULTILINE)
        values = [word.split()[-1] for word in numbers[1].split(",")]
        out.setdefault(entry["kernel"].strip('"'), []).append(PTX[words[entry["word"]]] + ", ".join(values))
    return out


def add(ptx, directives):
    for kernel, lines in directives.items():
        head = re.compile(rb"(\.entry\s+" + re.escape(kernel.encode()) + rb"\([^)]*\)\n)")
        ptx = head.sub(lambda m, lines=lines: m[1] + "".join(line + "\n" for line in lines).encode(), ptx)
    return ptx


def limit_registers(ptx, most):
    """-maxrregcount: of kernels without bounds of their own."""
    head = re.compile(rb"(\.entry\s+[\w$.]+\([^)]*\)\n)((?:\s*\.[\w., ]+\n)*)")
    limit = f".maxnreg {most}\n".encode()

    def limited(m):
        has_bounds = b".maxntid" in m[2] or b".maxnreg" in m[2] or b".reqntid" in m[2]
        return m[0] if has_bounds else m[1] + limit + m[2]
    return head.sub(limited, ptx)
