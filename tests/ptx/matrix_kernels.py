"""Kernels of one matrix instruction: the registers of the threads before it, shared memory, and the expected results."""
import struct
import subprocess

import matrix_elements as me
from run_cases import dumps

PRELUDE = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 image, .param .u64 out)
{{
.shared .align 1024 .b8 tile[{shared}];
.reg .pred %p<8>; .reg .b32 %r<512>; .reg .b64 %d<16>; .reg .f32 %f<256>;
mov.u32 %r500, %tid.x;
ld.param.u64 %d0, [in];
ld.param.u64 %d1, [image];
ld.param.u64 %d2, [out];
mul.wide.u32 %d3, %r500, 4;
mov.u32 %r501, %r500;
FILL:
mul.wide.u32 %d4, %r501, 4;
add.u64 %d5, %d1, %d4;
ld.global.u32 %r502, [%d5];
mov.u32 %r503, tile;
mad.lo.u32 %r503, %r501, 4, %r503;
st.shared.u32 [%r503], %r502;
add.u32 %r501, %r501, {threads};
setp.lt.u32 %p0, %r501, {words};
@%p0 bra FILL;
bar.sync 0;
add.u64 %d0, %d0, %d3;
add.u64 %d2, %d2, %d3;
mul.lo.u32 %r504, %r500, 0x9e3779b1;
setp.lt.s32 %p1, %r504, 0;
@%p1 bra APART;
add.u32 %r505, %r504, 1;
APART:
"""


class Run:
    """A kernel of one instruction: words of its threads, an image of shared memory, and the expected results."""

    def __init__(self, name, threads=32, shared=128):
        self.name, self.threads = name, threads
        self.image = bytearray(shared)
        self.inputs = []    # [register][thread]
        self.body = []
        self.expected = []  # (what, [thread] of 32-bit words)
        self.stored = []    # registers
        self.memory = None  # expected shared memory afterwards

    def input(self, register, words):
        kind = "f32" if register.startswith("%f") else "b32"
        self.body.append(f"ld.global.{kind} {register}, [%d0+{4 * self.threads * len(self.inputs)}];")
        self.inputs.append(words)

    def code(self, *lines):
        self.body += lines

    def expect(self, register, words):
        kind = "f32" if register.startswith("%f") else "b32"
        self.body.append(f"st.global.{kind} [%d2+{4 * self.threads * len(self.expected)}], {register};")
        self.expected.append(words)

    def ptx(self):
        text = PRELUDE.format(shared=len(self.image), threads=self.threads, words=len(self.image) // 4)
        return text + "\n".join(self.body) + "\nret;\n}\n"

    def problem(self, heddle, settings, folder, machine="lwm11"):
        """What differs, as a text; empty when nothing does."""
        self.image += bytes(-len(self.image) % (4 * self.threads))  # whole words of all threads
        (folder / "case.ptx").write_text(self.ptx())
        flat = b"".join(struct.pack(f"<{len(w)}I", *w) for w in self.inputs) or bytes(4)
        out = max(4, 4 * self.threads * len(self.expected))
        words = [str(heddle), "ptx", "case.ptx", "-m", machine, "--grid", "1", "--block", str(self.threads)]
        for setting in settings:
            words += ["-s", setting]
        (folder / "in.bin").write_bytes(flat)
        (folder / "image.bin").write_bytes(self.image)
        words += ["--arg", "buf:@in.bin", "--arg", "buf:@image.bin", "--arg", f"buf:{out}", "--dump", "2"]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
        if run.returncode != 0:
            return f"status {run.returncode}: {run.stderr[:600]}"
        memory = dumps(run.stdout)[2]
        for n, wanted in enumerate(self.expected):
            got = struct.unpack_from(f"<{self.threads}I", memory, 4 * self.threads * n)
            for thread, (have, want) in enumerate(zip(got, wanted)):
                if have != want:
                    return f"result {n} of thread {thread} is {have:#x}, not {want:#x}"
        return ""


def multiply(a, b_lines, c):
    """a x b + c, where b is given by columns."""
    return [[sum(x * y for x, y in zip(row, column)) + c[i][j] for j, column in enumerate(b_lines)]
            for i, row in enumerate(a)]


def random_lines(kind, lines, k, rng):
    value = me.values_of(kind, rng)
    return [[value() for _ in range(k)] for _ in range(lines)]


def accumulator_words(kind, position, matrix, threads):
    per = 32 // me.BITS[kind]
    count = len(matrix) * len(matrix[0]) // threads // per
    return me.registers(kind, position, count, matrix, threads)


def register_names(kind, first, count):
    letter = "%f" if kind == "f32" else "%r"
    return [f"{letter}{first + i}" for i in range(count)]


def braces(names):
    return "{" + ", ".join(names) + "}"


def load(run, kind, first, words):
    names = register_names(kind, first, len(words))
    for name, w in zip(names, words):
        run.input(name, w)
    return names
