"""Reads case files (see README.md) and makes the PTX text of their cases."""
import copy
import re
import shlex
from dataclasses import dataclass, field, replace

from values import FORMATS, BadValue, expand, matches, pack, parse_bits, size

HEADER = ".version 7.8\n.target sm_86\n.address_size 64\n"
# Registers that every `body` finds declared.
REGISTERS = """    .reg .pred %p<16>;
    .reg .b16 %h<16>;
    .reg .b32 %r<32>;
    .reg .b64 %d<32>;
    .reg .f32 %f<16>;
    .reg .f64 %g<16>;
"""
FULL_WARP = 32


class CaseError(Exception):
    """A case file says what the format does not allow."""


@dataclass
class Argument:
    name: str
    spec: str  # as heddle ptx reads it

    def parameter(self):
        """Its declaration in the kernel's parameter list."""
        kind, _, value = self.spec.partition(":")
        if kind in ("buf", "tex", "surf"):
            return f".param .u64 p_{self.name}"
        if kind == "bytes":
            return f".param .align 8 .b8 p_{self.name}[{len(value) // 2}]"
        return f".param .{kind} p_{self.name}"

    def prologue(self):
        """Loads it into a register of its name; a buffer becomes a global address."""
        kind = self.spec.partition(":")[0]
        if kind == "bytes":
            return ""
        if kind == "buf":
            return (f"    .reg .u64 {self.name};\n    ld.param.u64 {self.name}, [p_{self.name}];\n"
                    f"    cvta.to.global.u64 {self.name}, {self.name};\n")
        if kind in ("tex", "surf"):
            return f"    .reg .u64 {self.name};\n    ld.param.u64 {self.name}, [p_{self.name}];\n"
        register = "u16" if kind in ("u8", "s8") else kind
        return f"    .reg .{register} {self.name};\n    ld.param.{kind} {self.name}, [p_{self.name}];\n"


@dataclass
class Expectation:
    argument: str
    kind: str
    words: list
    line: int
    offset: int = 0
    labels: list = None  # what to call each word in messages


@dataclass
class Error:
    text: str
    pattern: str


@dataclass
class Column:
    name: str
    kind: str

    def declaration(self):
        return f"    .reg .{'b16' if self.kind[1:] == '8' else self.kind} {self.name};\n"

    def memory_kind(self):
        return "b16" if self.kind == "f16" else self.kind  # ld and st have no .f16

    def load(self):
        """Code that reads the row's value; `row` and the column's address register are set up by the caller."""
        address = f"    mad.wide.u32 cell, row, {size(self.kind)}, p_{self.name};\n"
        if self.kind == "pred":
            return address + f"    ld.global.u32 word, [cell];\n    setp.ne.u32 {self.name}, word, 0;\n"
        return address + f"    ld.global.{self.memory_kind()} {self.name}, [cell];\n"

    def store(self):
        address = f"    mad.wide.u32 cell, row, {size(self.kind)}, p_{self.name};\n"
        if self.kind == "pred":
            return address + f"    selp.u32 word, 1, 0, {self.name};\n    st.global.u32 [cell], word;\n"
        return address + f"    st.global.{self.memory_kind()} [cell], {self.name};\n"


@dataclass
class Case:
    name: str
    line: int
    grid: str = "1"
    block: str = "1"
    cluster: str = ""
    entry: str = ""
    shared: str = ""
    machine: str = ""
    settings: list = field(default_factory=list)
    formations: list = field(default_factory=list)
    options: list = field(default_factory=list)
    timeout: int = 60
    arguments: list = field(default_factory=list)
    expectations: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    fails: bool = False
    results: list = field(default_factory=list)
    module: str = ""  # text before the kernel
    body: str = ""    # of a kernel that the runner wraps
    text: str = ""    # a whole PTX file
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    rows: list = field(default_factory=list)

    def index_of(self, argument):
        for index, candidate in enumerate(self.arguments):
            if candidate.name == argument:
                return index
        raise CaseError(f"line {self.line}: no argument is called {argument}")

    def ptx(self):
        if self.text:
            return self.text
        parameters = ", ".join(argument.parameter() for argument in self.arguments)
        return (f"{HEADER}{self.module}.visible .entry kernel({parameters})\n{{\n{self.prologue()}{self.body}"
                f"{self.epilogue()}}}\n")

    def prologue(self):
        loads = "".join(argument.prologue() for argument in self.arguments)
        if self.outputs:
            columns = {column.name: column for column in [*self.inputs, *self.outputs]}.values()
            return ("    .reg .u32 row, threads, block, word;\n    .reg .u64 cell;\n"
                    + "".join(column.declaration() for column in columns) + loads
                    + "    mov.u32 row, %tid.x;\n    mov.u32 threads, %ntid.x;\n    mov.u32 block, %ctaid.x;\n"
                    + "    mad.lo.u32 row, block, threads, row;\n" + "".join(c.load() for c in self.inputs))
        text = REGISTERS + loads + "    .reg .u32 tid, threads, block;\n    mov.u32 tid, %tid.x;\n"
        text += "    mov.u32 threads, %ntid.x;\n    mov.u32 block, %ctaid.x;\n    mad.lo.u32 tid, block, threads, tid;\n"
        if any(argument.name == "out" for argument in self.arguments):
            text += "    .reg .u64 slot, slot8;\n    mad.wide.u32 slot, tid, 4, out;\n    mad.wide.u32 slot8, tid, 8, out;\n"
        return text

    def epilogue(self):
        return "".join(column.store() for column in self.outputs) + "    ret;\n"

    def finish_table(self):
        """Lays the rows out over threads: full warps first (the fast path), then a part of a warp."""
        full = -(-len(self.rows) // FULL_WARP) * FULL_WARP
        threads = full + min(len(self.rows), FULL_WARP - 1)
        chosen = [self.rows[i % len(self.rows)] for i in range(threads)]
        self.block = str(threads)
        for i, column in enumerate(self.inputs):
            texts = [inputs[i] for _, inputs, _ in chosen]
            self.arguments.append(Argument("p_" + column.name, "buf:hex=" + pack(column.kind, texts).hex()))
        for i, column in enumerate(self.outputs):
            name = "p_" + column.name
            self.arguments.append(Argument(name, f"buf:{size(column.kind) * threads}"))
            labels = [f"thread {t}, line {line} ({' '.join(inputs)})" for t, (line, inputs, _) in enumerate(chosen)]
            words = [outputs[i] for _, _, outputs in chosen]
            self.expectations.append(Expectation(name, column.kind, words, self.line, 0, labels))


class Reader:
    def __init__(self, path):
        self.path = path
        self.lines = path.read_text().splitlines()
        self.at = 0
        self.case = None
        self.cases = []

    def fail(self, message):
        raise CaseError(f"{self.path}:{self.at}: {message}")

    def read(self):
        while self.at < len(self.lines):
            line = self.lines[self.at].strip()
            self.at += 1
            if not line or line.startswith("#"):
                continue
            word, _, rest = line.partition(" ")
            rest = rest.strip()
            if word == "case":
                self.case = Case(rest, self.at)
                self.cases.append(self.case)
                continue
            if self.case is None or not hasattr(self, "do_" + word):
                self.fail(f"'{word}' does not belong here")
            try:
                getattr(self, "do_" + word)(rest)
            except (BadValue, ValueError) as error:
                self.fail(str(error))
        for case in self.cases:
            if case.outputs:
                case.finish_table()
            if not (case.body or case.text):
                raise CaseError(f"{self.path}:{case.line}: the case has no code")
            if not (case.expectations or case.fails or case.results):
                raise CaseError(f"{self.path}:{case.line}: the case expects nothing")
            for expectation in case.expectations:
                case.index_of(expectation.argument)
        return self.cases

    def find(self, name):
        for case in self.cases[:-1]:
            if case.name == name:
                return case
        self.fail(f"no case before this one is called '{name}'")

    def block(self):
        """The lines up to one that says `end`."""
        begin = self.at
        while self.at < len(self.lines):
            self.at += 1
            if self.lines[self.at - 1].strip() == "end":
                return "".join(line + "\n" for line in self.lines[begin : self.at - 1])
        self.fail("no line 'end' follows")

    def do_like(self, rest):
        self.case = replace(copy.deepcopy(self.find(rest)), name=self.case.name, line=self.case.line)
        self.cases[-1] = self.case

    def do_grid(self, rest):
        self.case.grid = rest

    def do_cluster(self, rest):
        self.case.cluster = rest

    def do_block(self, rest):
        self.case.block = rest

    def do_entry(self, rest):
        self.case.entry = rest

    def do_shared(self, rest):
        self.case.shared = rest

    def do_machine(self, rest):
        self.case.machine = rest

    def do_set(self, rest):
        self.case.settings.append(rest)

    def do_formations(self, rest):
        self.case.formations = rest.split()

    def do_option(self, rest):
        self.case.options += shlex.split(rest)

    def do_timeout(self, rest):
        self.case.timeout = int(rest)

    def do_arg(self, rest):
        name, spec, *values = rest.split()
        if spec == "buf":
            spec = "buf:hex=" + pack(values[0], expand(values[1:])).hex()
        elif values:  # of a texture or surface
            spec += ":hex=" + pack(values[0], expand(values[1:])).hex()
        self.case.arguments.append(Argument(name, spec))

    def do_module(self, _):
        self.case.module = self.block()

    def do_body(self, _):
        self.case.body = self.block()

    def do_ptx(self, _):
        self.case.text = self.block()

    def do_expect(self, rest):
        argument, *words = rest.split()
        offset = int(words.pop(0)[1:], 0) if words[0].startswith("+") else 0
        kind, *values = words
        if kind not in FORMATS:
            self.fail(f"'{kind}' is no type")
        texts = expand(values)
        for text in texts:
            matches(kind, bytes(size(kind)), text)  # complains about what is no value
        self.case.expectations.append(Expectation(argument, kind, texts, self.at, offset))

    def do_fails(self, _):
        self.case.fails = True

    def do_error(self, rest):
        self.case.fails = True
        is_pattern = rest.startswith("~ ")
        self.case.errors.append(Error(rest, rest[2:] if is_pattern else re.escape(rest)))

    def do_result(self, rest):
        path, relation, value = rest.split()
        if relation not in ("=", "<", ">", "<=", ">="):
            self.fail(f"'{relation}' compares nothing")
        self.case.results.append((path, relation, float(value) if "." in value else int(value)))

    def do_table(self, rest):
        before, arrow, after = rest.partition("->")
        if not arrow:
            self.fail("a table says: inputs -> outputs")
        columns = [[Column(*word.split(":")) for word in side.split()] for side in (before, after)]
        for column in columns[0] + columns[1]:
            if column.kind not in FORMATS:
                self.fail(f"'{column.kind}' is no type")
        self.case.inputs, self.case.outputs = columns
        begin = self.at
        while self.at < len(self.lines) and self.lines[self.at].strip() != "rows":
            self.at += 1
        self.case.body = "".join(line + "\n" for line in self.lines[begin : self.at])
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at].partition("#")[0].strip()
            if line.startswith("case ") or line.startswith("set "):
                break
            self.at += 1
            if line:
                self.row(line)

    def row(self, line):
        before, _, after = line.partition("->")
        inputs, outputs = before.split(), after.split()
        if len(inputs) != len(self.case.inputs) or len(outputs) != len(self.case.outputs):
            self.fail("the row has not as many values as the table has columns")
        for column, text in zip(self.case.inputs, inputs):
            parse_bits(column.kind, text)
        for column, text in zip(self.case.outputs, outputs):
            matches(column.kind, bytes(size(column.kind)), text)
        self.case.rows.append((self.at, inputs, outputs))


def read(path):
    """All cases of a file. Raises CaseError."""
    return Reader(path).read()
