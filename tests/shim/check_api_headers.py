#!/usr/bin/env python3
"""Compares heddle's cuda.h, cuda_runtime.h and their headers for graphics with those of a CUDA toolkit.

Heddle's must have every name of the toolkit's. Each number (enumerators, macros) must be the same, each function must have
the same type, each structure the same size and the same fields at the same places. What differs on purpose is listed below,
because heddle's headers are those of CUDA 12.9. Exit status 77: there is no CUDA toolkit on this machine.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from headers import TYPE_WRITER, arguments, own_text, preprocessed, printed, toolkit, use_stand_ins

# Names whose meaning differs, and why.
DIFFERENT = {
    "CUDA_VERSION": "heddle's headers are CUDA 12.9's",
    "CUDART_VERSION": "heddle's headers are CUDA 12.9's",
    "cudaDeviceProp": "CUDA 13 has fewer fields",
    "cudaPointerAttributes": "CUDA 13 has more reserved bytes",
    "cudaResourceViewDesc": "CUDA 13 has more reserved bytes",
    "CUtensorMap": "CUDA 13 aligns it to 128 bytes instead of 64",
}
INNER = r"heddle\w*|HEDDLE\w*|_\w+|\w+_(st|enum|union)|CUDAEGL_H"
# Names that heddle alone has, and why.
ONLY_OURS = {
    r"CUDA_VERSION|CUDART\w*|CUDA_IPC_HANDLE_SIZE": "here cuda.h includes cuda_runtime_api.h, which has the version of both",
    r"cudaProfilerSt\w+": "of cuda_profiler_api.h, which has nothing else",
    r"cu(Ctx|Stream|da\w+)\w+_(v2|v3|ptsz)": "forms of CUDA 12.9, which CUDA 13 has under the plain name or not at all",
    r"cudaThread\w+|cudaSetDouble\w+|cuda(Cooperative)?Launch\w*(MultiDevice\w*|Params)": "gone in CUDA 13",
    r"cudaDevAttr(CooperativeMultiDeviceLaunch|TensorMapAccessSupported)": "attributes that CUDA 13 calls reserved",
    r"CU_TARGET_COMPUTE_101[AF]?": "CUDA 13 calls it 110",
    r"\w+(NvlinkUtilCentricScheduling|NVLINK_UTIL_CENTRIC_SCHEDULING|PreferredClusterDimension)":
        "the toolkit has the attribute for launches, and the name for nodes in one of both headers",
}


# The names of a header that are compared, and how many there are at the least
MANY = {"functions": 250, "numbers": 400, "structures": 40}
EGL = {"functions": 12, "numbers": 110, "structures": 1}
HEADERS = {
    "cuda_runtime.h": ("cuda[A-Z]|CUDA|CU_UUID|CUuuid", MANY),
    "cuda.h": ("cu[A-Z]|cuuint|CU|NVCL|CIG|cl_", MANY),
    "cudaEGL.h": (r"cu\w*E[Gg][Ll]|CU\w*E[Gg][Ll]|CUegl|MAX_PLANES", EGL),
    "cuda_egl_interop.h": (r"cuda\w*E[Gg][Ll]|CUDA_EGL", EGL),
    "cudaGL.h": ("cu(Graphics)?GL|CU_?GL", {"functions": 12, "numbers": 6}),
    "cuda_gl_interop.h": ("cuda(Graphics)?GL", {"functions": 11, "numbers": 6}),
    "cudaVDPAU.h": ("cu(Graphics)?VDPAU", {"functions": 4}),
    "cuda_vdpau_interop.h": ("cuda(Graphics)?VDPAU", {"functions": 4}),
}


def statements(text):
    """The declarations of a preprocessed header; those of functions with bodies, too."""
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)|__asm__\s*\([^()]*\)", "", text)
    text = re.sub(r"#[^\n]*", "", text)
    text = re.sub(r'extern\s+"C(?:\+\+)?"\s*\{', ";", text)
    depth, begin = 0, 0
    for at, sign in enumerate(text):
        if sign == "{":
            depth += 1
        elif sign == "}":
            if depth == 0:  # of extern "C"
                begin = at + 1
            else:
                depth -= 1
                if depth == 0 and re.search(r"\)[^;={}]*\{", text[begin:at]) and not re.match(r"\s*typedef\b", text[begin:]):
                    yield text[begin:at + 1].strip()  # a function
                    begin = at + 1
        elif sign == ";" and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1


def split_fields(body):
    """The declarations of fields in the body of a structure."""
    depth, begin = 0, 0
    for at, sign in enumerate(body):
        depth += (sign == "{") - (sign == "}")
        if sign == ";" and depth == 0:
            yield body[begin:at].strip()
            begin = at + 1


def fields(body):
    """Paths of the fields, also of structures within."""
    for field in split_fields(body):
        inner = re.match(r"(?:struct|union)\s*\w*\s*\{(.*)\}([^{}]*)$", field, re.S)
        if inner:
            names = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", inner[2]))
            below = list(fields(inner[1]))
            yield from (f"{name}.{path}" for name in names for path in below) if names else below
            yield from names
        else:
            for one in re.sub(r"\[[^\]]*\]", "", field).split(","):
                yield re.findall(r"\w+", one)[-1]


class Header:
    def __init__(self, compiler, include, name):
        self.enumerators, self.types, self.functions, self.structures, self.names = set(), set(), {}, {}, set()
        self.typedefs = set()  # names that C reads without `struct` and `enum`
        for text in statements(own_text(preprocessed(compiler, include, name), include)):
            self.read(re.sub(r"\s+", " ", text))
        macros = preprocessed(compiler, include, name, "-dM")
        self.macros = dict(re.findall(r"^#define (\w+) +(\S.*)$", macros, re.M))
        self.names |= {m for m in re.findall(r"^#define (\w+)", macros, re.M)}
        self.names |= self.enumerators | self.types | set(self.functions)
        self.names = {n for n in self.names if not re.fullmatch(INNER, n)}

    def read(self, text):
        if name := re.match(r"typedef .*?(\w+)(?:\[\w*\])?$", text):
            self.typedefs.add(name[1])
        body = re.search(r"\benum\b[^{;()]*\{(.*)\}", text, re.S)
        if body:
            self.enumerators |= set(re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", body[1].strip()))
        structure = re.match(r"(?:typedef )?(?:struct|union)\s*(\w*) ?\{(.*)\} ?(\w*)$", text)
        if structure:
            name = structure[3] or structure[1]
            self.structures[name] = list(fields(structure[2]))
            self.types.add(name)
        elif body and (name := re.match(r"(?:typedef )?enum ?(\w*) ?\{.*\} ?(\w*)$", text)):
            self.types |= {n for n in name.groups() if n}
        elif text.startswith("typedef "):
            self.types.add((re.search(r"\(\s*\*\s*(\w+)\s*\)", text) or re.search(r"(\w+)(?:\[\w*\])?$", text))[1])
        elif (function := re.match(r"(?:extern )?([\w* ]+?)\b(\w+) ?\((.*)\)$", text)) and "inline" not in text:
            self.functions[function[2]] = (function[1], re.sub(r" ?= ?[^,]+", "", function[3]))
        elif function := re.match(r"[^({]*?(\w+) ?\(", text):
            self.names.add(function[1])

    def number(self, name):
        """Whether the name stands for a number."""
        seen = set()
        while name in self.macros and name not in seen:
            seen.add(name)
            inner = self.macros[name].strip()
            if re.fullmatch(r"[\w() +*<|-]*\d[\w() +*<|-]*", inner) and not re.fullmatch(r"[a-zA-Z_]\w*", inner):
                return True
            name = inner
        return name in self.enumerators


WRITER = TYPE_WRITER + r"""
#include <cstddef>
template <class T> void number(const char* name, T value) { std::printf("%s\t%lld\n", name, (long long)value); }
"""


def program(header, own, wanted):
    """Prints what is asked for, one a line: name, a tab and what it is."""
    # The toolkit's headers for VDPAU do not include the first two.
    lines = ["#include <cuda.h>", "#include <vdpau/vdpau.h>", f"#include <{header}>", WRITER]
    body = [f'number("{n}", {n});' for n in wanted["numbers"]]
    body += [f'type<{n}>("{n}");' for n in wanted["types"]]
    for name in wanted["functions"]:
        result, parameters = own.functions[name]
        lines.append(f"typedef {result} type_of_{name}({parameters});")
        body.append(f'type<type_of_{name}>("{name}");')
    for name, paths in wanted["structures"]:
        body.append(f'number("sizeof {name}", sizeof({name})); number("alignof {name}", alignof({name}));')
        body += [f'number("{name}.{p}", offsetof({name}, {p}) * 1000 + sizeof((({name}*)0)->{p}));' for p in paths]
    return "\n".join([*lines, "int main() {", *body, "}", ""])


def compare(compiler, own_folder, their_folder, name, prefix, least):
    """The differences of the names that begin with the prefix; `least`: how many there are by kind, at the least."""
    own, theirs = (Header(compiler, folder, name) for folder in (own_folder, their_folder))
    ours = re.compile(prefix)
    problems = [f"{n}: not in heddle's {name}"
                for n in sorted(filter(ours.match, theirs.names - own.names))]
    problems += [f"{n}: in heddle's {name} alone, and not listed in this script"
                 for n in sorted(filter(ours.match, own.names - theirs.names))
                 if not any(re.fullmatch(pattern, n) for pattern in ONLY_OURS)]
    both = {n for n in own.names & theirs.names if ours.match(n) and n not in DIFFERENT}
    wanted = {
        "numbers": sorted(n for n in both if own.number(n) and theirs.number(n)),
        "types": sorted(own.types & theirs.types & both),
        "functions": sorted(set(own.functions) & set(theirs.functions) & both),
        "structures": [(n, [p for p in own.structures[n] if p in theirs.structures[n]])
                       for n in sorted(both & set(own.structures) & set(theirs.structures))],
    }
    for n, paths in wanted["structures"]:
        problems += [f"{n}.{p}: a field that only one of them has"
                     for p in sorted(set(own.structures[n]) ^ set(theirs.structures[n]))]
    with tempfile.TemporaryDirectory() as folder:
        told = []
        for label, header, include in (("own", own, own_folder), ("theirs", theirs, their_folder)):
            source = pathlib.Path(folder) / f"{label}.cpp"
            source.write_text(program(name, header, wanted))
            told.append(dict(line.split("\t") for line in printed(compiler, include, source, source.with_suffix(""))))
    # Types of the driver that are the runtime's under another name
    names = {n for n in wanted["types"] if re.fullmatch(r"\w+", told[0][n] + told[1][n])}
    shared = {told[0][n]: told[1][n] for n in names}
    shared |= {told[0][n]: told[1][n] for n in names if told[0][n] == told[1][n]}
    for key, value in told[0].items():
        if key in names:
            continue
        value = re.sub(r"\w+", lambda m: shared.get(m[0], m[0]), value)
        if value != told[1][key]:
            problems.append(f"{key}: {value} in heddle's {name}, {told[1][key]} in the toolkit's")
    counts = ", ".join(f"{len(wanted[w])} {w}" for w in wanted)
    print(f"{name}: {counts} compared, {len(problems)} problems")
    if any(len(wanted[kind]) < count for kind, count in least.items()):
        problems.append(f"too little was found in {name}: its form has changed")
    return problems


def read_by_c(compiler, own_folder, their_folder, name, prefix):
    """What C says of heddle's header, in a program that has a variable of each type that the toolkit has a name for."""
    theirs = Header(compiler, their_folder, name)
    types = sorted(t for t in theirs.typedefs & theirs.names if re.match(prefix, t))
    text = "\n".join([f"#include <{name}>", *(f"{t}* a_{t};" for t in types)])
    told = subprocess.run([compiler, "-x", "c", "-fsyntax-only", "-w", f"-I{own_folder}", "-"], input=text,
                          capture_output=True, text=True)
    print(f"{name} in C: {len(types)} types")
    return [line for line in told.stderr.splitlines() if "error" in line]


def main():
    options = arguments()
    theirs = toolkit()
    if not (theirs / "cuda.h").exists():
        print("skipped: no CUDA toolkit on this machine")
        sys.exit(77)
    use_stand_ins()
    problems = []
    for name, (prefix, least) in HEADERS.items():
        if (theirs / name).exists():
            problems += compare(options.compiler, options.include, theirs, name, prefix, least)
            problems += read_by_c(options.compiler, options.include, theirs, name, prefix)
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
