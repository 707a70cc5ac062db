"""Random PTX programs with arbitrary control flow against a reference that runs one thread after the other.

Each program has loops, branches forwards and backwards between any two places, early exits, guarded instructions and
calls (early returns, recursion). Every formation must leave the same memory as the reference and count the same
thread instructions. A failure names the seed that makes the program again.
"""
import functools
import json
import random
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

from tools import run

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "ptx"))
from run_cases import dumps, formations  # noqa: E402 (its folder has just been named)

MASK = 0xFFFFFFFF
DATA = ["%r0", "%r1", "%r2", "%r3"]  # what the program computes with
WIDE = ["%w0", "%w1"]                # the same, 64 bits
BINS = 16                            # counters that all threads update
HEADER = ".version 7.5\n.target sm_75\n.address_size 64\n"


@dataclass
class Instruction:
    text: str
    effect: object           # state -> None, or where to go: a label, EXIT or RETURN
    guard: tuple = None      # (register, negated)
    callee: str = None       # of a call

    def line(self):
        prefix = f"@{'!' if self.guard[1] else ''}{self.guard[0]} " if self.guard else ""
        return f"    {prefix}{self.text};\n"


EXIT, RETURN = object(), object()
REGISTERS = """    .reg .pred %p<3>;
    .reg .b32 %r<4>, %t<2>, %fuel, %tid_;
    .reg .b64 %d<3>, %w<2>, %bins, %out;
"""


def nothing(_):
    """The effect of an instruction that only prepares an address or hands a value on."""


BINARY = {
    "add.u32": lambda a, b: a + b,
    "sub.u32": lambda a, b: a - b,
    "mul.lo.u32": lambda a, b: a * b,
    "xor.b32": lambda a, b: a ^ b,
    "and.b32": lambda a, b: a & b,
    "or.b32": lambda a, b: a | b,
    "min.u32": min,
    "max.u32": max,
    "shr.u32": lambda a, b: a >> min(b, 32),
}
COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "ge": lambda a, b: a >= b,
}


class Generator:
    """Makes one function: blocks of code with jumps between them, as a list of labels and instructions."""

    def __init__(self, rng, name, callees):
        self.rng, self.name, self.callees = rng, name, callees
        self.items = []

    def emit(self, text, effect, guard=None, callee=None):
        self.items.append(Instruction(text, effect, guard, callee))

    def set(self, opcode, target, function, *sources, guard=None):
        """target = function(sources): a source is a register or a number."""
        def effect(state):
            values = [state[s] if isinstance(s, str) else s for s in sources]
            state[target] = int(function(*values)) & MASK
        self.emit(f"{opcode} {', '.join(map(str, [target, *sources]))}", effect, guard)

    def data(self):
        return self.rng.choice(DATA)

    def guard(self):
        return (self.rng.choice(["%p1", "%p2"]), self.rng.random() < 0.5) if self.rng.random() < 0.25 else None

    def straight(self):
        """A few instructions without jumps."""
        for _ in range(self.rng.randint(1, 4)):
            kind = self.rng.random()
            if kind < 0.1:
                self.widen()
            elif kind < 0.65:
                opcode = self.rng.choice(list(BINARY))
                second = self.rng.choice([self.data(), self.rng.randint(0, 40), "%tid_"])
                self.set(opcode, self.data(), BINARY[opcode], self.data(), second, guard=self.guard())
            elif kind < 0.85:
                self.test(self.rng.choice(["%p1", "%p2"]))
            elif kind < 0.93:
                self.count()
            elif self.callees:
                self.call(self.rng.choice(self.callees))

    def test(self, predicate):
        relation = self.rng.choice(list(COMPARE))
        register = self.data()
        bits = self.rng.choice([1, 3, 7])
        value = self.rng.randint(0, bits)
        self.set("and.b32", "%t0", BINARY["and.b32"], register, bits)
        self.set(f"setp.{relation}.u32", predicate, COMPARE[relation], "%t0", value)

    def widen(self):
        """Computes with a 64-bit register, and at times hands its upper half to a narrow one."""
        wide, guard = self.rng.choice(WIDE), self.guard()
        first, second = self.data(), self.data()

        def multiply(state):
            state[wide] = state[first] * state[second] + state[wide] & 0xFFFFFFFFFFFFFFFF
        self.emit(f"mad.wide.u32 {wide}, {first}, {second}, {wide}", multiply, guard)
        if self.rng.random() < 0.5:
            target = self.data()
            self.emit(f"mov.b64 {{_, {target}}}, {wide}", lambda state: state.update({target: state[wide] >> 32}), guard)

    def count(self):
        """Adds to a counter that all threads share; the order does not matter."""
        register = self.data()
        self.set("and.b32", "%t0", BINARY["and.b32"], register, BINS - 1)
        self.emit("mad.wide.u32 %d2, %t0, 4, %bins", nothing)

        def effect(state):
            state["bins"][state["%t0"]] = (state["bins"][state["%t0"]] + state[register]) & MASK
        self.emit(f"red.global.add.u32 [%d2], {register}", effect, self.guard())

    def call(self, callee):
        argument, result = self.data(), self.data()

        def enter(state):
            state["argument"] = state[argument]

        def leave(state):
            state[result] = state["result"]
        self.items.append("    {\n    .param .b32 a;\n    .param .b32 b;\n    .param .align 4 .b8 c[8];")
        self.emit(f"st.param.b32 [a], {argument}", enter)
        self.emit("st.param.b32 [b], %fuel", nothing)
        self.emit(f"call (c), {callee}, (a, b)", nothing, callee=callee)
        self.emit(f"ld.param.b32 {result}, [c]", leave)
        self.emit("ld.param.b32 %fuel, [c+4]", nothing)
        self.items.append("    }")

    def jump(self, here, blocks):
        """Ends a block: on to the next, or somewhere else; going back costs fuel, so that every loop ends."""
        to = self.rng.randrange(blocks)
        label = f"{self.name}_{to}"
        kind = self.rng.random()
        if to <= here:
            self.set("sub.u32", "%fuel", BINARY["sub.u32"], "%fuel", 1)
            self.set("setp.gt.s32", "%p0", lambda a, b: 0 < a < 1 << 31, "%fuel", 0)
            if kind < 0.8:
                predicate = self.rng.choice(["%p1", "%p2"])
                self.set("and.pred", "%p0", BINARY["and.b32"], "%p0", predicate)
            self.emit(f"bra {label}", lambda state: label, ("%p0", False))
        elif kind < 0.75:
            self.emit(f"bra {label}", lambda state: label,
                      (self.rng.choice(["%p1", "%p2"]), self.rng.random() < 0.5))
        else:
            self.emit(f"bra {label}", lambda state: label)

    def leave(self):
        """An early end of a function or of the thread."""
        if self.rng.random() < 0.85:
            return
        guard = (self.rng.choice(["%p1", "%p2"]), self.rng.random() < 0.5)
        if self.name == "main":
            self.emit("exit", lambda state: EXIT, guard)
        else:
            self.finish(guard)

    def finish(self, guard=None):
        """Writes a function's results and returns. Unguarded stores: a later pass writes them again."""
        def store(state):
            state["result"] = state["%r0"]
        self.emit("st.param.b32 [result], %r0", store)
        self.emit("st.param.b32 [result+4], %fuel", nothing)
        self.emit("ret", lambda state: RETURN, guard)

    def blocks(self):
        number = self.rng.randint(3, 9)
        for here in range(number):
            self.items.append(f"{self.name}_{here}:")
            self.straight()
            self.leave()
            if self.rng.random() < 0.85:
                self.jump(here, number)
        return self


    def start_values(self):
        """Every register begins with a value that differs from thread to thread."""
        for i, register in enumerate(DATA):
            factor = self.rng.randint(1, 1 << 20) * 2 + 1
            self.set("mad.lo.u32", register, lambda a, b, c: a * b + c, "%tid_", factor, i)
        for predicate in ["%p1", "%p2"]:
            self.test(predicate)
        for wide in WIDE:
            self.emit(f"cvt.u64.u32 {wide}, %r0", lambda state, wide=wide: state.update({wide: state["%r0"]}))

    def main(self):
        self.emit("mov.u32 %t0, %ctaid.x", nothing)
        self.emit("mov.u32 %t1, %ntid.x", nothing)
        self.emit("mov.u32 %tid_, %tid.x", nothing)
        self.emit("mad.lo.u32 %tid_, %t0, %t1, %tid_", nothing)
        self.emit("ld.param.u64 %out, [out]", nothing)
        self.emit("ld.param.u64 %bins, [bins]", nothing)
        self.emit("st.global.u64 [bins_address], %bins", nothing)
        self.set("mov.u32", "%fuel", lambda a: a, self.rng.randint(3, 12))
        self.start_values()
        self.blocks()

        def store(state):
            state["out"][:] = [state[register] for register in DATA] + [state[wide] >> shift & MASK for wide in WIDE
                                                                        for shift in (0, 32)]
        self.emit("mad.wide.u32 %d0, %tid_, 32, %out", nothing)
        self.emit("st.global.v4.u32 [%d0], {%r0, %r1, %r2, %r3}", store)
        self.emit("st.global.v2.u64 [%d0+16], {%w0, %w1}", nothing)
        self.emit("ret", lambda state: EXIT)
        return self.items

    def function(self):
        """It gets an argument, pays a unit of fuel and returns at once when there is none left."""
        self.set("ld.param.b32", "%tid_", lambda _: 0, "[x]")
        self.items[-1].effect = lambda state: state.update({"%tid_": state["argument"]})
        self.emit("ld.param.b32 %fuel, [fuel]", nothing)
        self.emit("ld.global.u64 %bins, [bins_address]", nothing)
        self.start_values()
        self.set("sub.u32", "%fuel", BINARY["sub.u32"], "%fuel", 1)
        self.set("setp.le.s32", "%p0", lambda a, b: not 0 < a < 1 << 31, "%fuel", 0)
        self.finish(("%p0", False))
        self.blocks()
        self.finish()
        return self.items


class Program:
    """The fuel that is handed on and back ends loops and recursion.

    `main`, `f`, `g`: functions that main, f and g call.
    """

    def __init__(self, seed, main=("f", "g"), f=("f", "g"), g=()):
        rng = random.Random(seed)
        self.functions = {
            "g": Generator(rng, "g", list(g)).function(),
            "f": Generator(rng, "f", list(f)).function(),
            "main": Generator(rng, "main", list(main)).main(),
        }
        self.block = rng.randint(1, 80)
        self.grid = rng.randint(1, 3)

    def ptx(self):
        signature = ".func (.param .align 4 .b8 result[8]) {}(.param .b32 x, .param .b32 fuel)"
        text = HEADER + ".global .align 8 .u64 bins_address;\n"
        for name, items in self.functions.items():
            entry = ".visible .entry main(.param .u64 out, .param .u64 bins)"
            text += (entry if name == "main" else signature.format(name)) + "\n{\n" + REGISTERS
            text += "".join(item.line() if isinstance(item, Instruction) else item + "\n" for item in items) + "}\n"
        return text

    def run(self):
        """The reference: (words of out, words of bins, thread instructions), one thread after the other."""
        bins, words, count = [0] * BINS, [], 0
        for tid in range(self.block * self.grid):
            out = [0] * (len(DATA) + 2 * len(WIDE))
            count += self.run_thread({"bins": bins, "%tid_": tid, "out": out})
            words += out
        return words, bins, count

    def run_thread(self, state):
        """Runs from `state` on; out and bins, which it holds, are changed in place. The number of instructions."""
        shared = {"bins", "out", "argument", "result", "%fuel"}  # what survives a return
        labels = {name: {item[:-1]: i for i, item in enumerate(items) if isinstance(item, str)}
                  for name, items in self.functions.items()}
        function, pc, stack, count = "main", 0, [], 0
        while True:
            item = self.functions[function][pc]
            pc += 1
            if isinstance(item, str) or item.guard and bool(state[item.guard[0]]) == item.guard[1]:
                continue
            count += 1
            to = item.effect(state)
            if item.callee:
                stack.append((function, pc, dict(state)))
                function, pc = item.callee, 0
                state = {key: state[key] for key in shared if key in state}
            elif to is RETURN:
                function, pc, caller = stack.pop()
                state = caller | {key: state[key] for key in shared}
            elif to is EXIT:
                return count
            elif to:
                pc = labels[function][to]


def command(program, heddle, reference, machine="lwm11"):
    """A run of the program, without settings of the machine."""
    return [heddle, "ptx", "-m", machine, "--strict", "random.ptx", "-e", "main", "--grid", program.grid,
            "--block", program.block, "--arg", f"buf:{4 * len(reference[0])}", "--arg", f"buf:{4 * BINS}",
            "--dump", "0", "--dump", "1", "-o", "result.json"]


def differences(program, ended, folder, reference, counts=True):
    """`counts`: thread instructions are those of PTX."""
    if ended.status is None:
        return ["did not end within 60 s"]
    if ended.status:
        return [f"ended with status {ended.status}", *ended.errors.splitlines()[-12:]]
    words, bins, count = reference
    memory = dumps(ended.output.decode())
    found = []
    for index, expected in [(0, words), (1, bins)]:
        got = struct.unpack(f"<{len(expected)}I", memory[index])
        wrong = [i for i, (a, b) in enumerate(zip(got, expected)) if a != b]
        if wrong:
            i = wrong[0]
            found.append(f"{['out', 'bins'][index]}[{i}] is {got[i]:#x}, expected {expected[i]:#x}; {len(wrong)} differ")
    if not counts:
        return found
    totals = json.loads((folder / "result.json").read_text())["totals"]
    if totals["thread_instructions"] != count:
        found.append(f"{totals['thread_instructions']} thread instructions, expected {count}")
    return found


@functools.cache
def settings(heddle):
    """Options of every way to run a program: formations at three widths, and without timing."""
    return [["-s", f"core.formation={name}", "-s", f"core.width={width}"]
            for name in formations(heddle) for width in (32, 8, 64)] + [["--functional"]]


def missing(tools):
    return tools.missing_heddle()


def find(seed, folder, tools):
    program = Program(seed)
    reference = program.run()
    (folder / "random.ptx").write_text(program.ptx())
    words = command(program, tools.heddle, reference)
    for chosen in settings(tools.heddle):
        found = differences(program, run([*words, *chosen], folder), folder, reference)
        if found:
            return [" ".join(chosen), *found]
    return []
