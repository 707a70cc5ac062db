"""A kernel of a cluster, whose blocks wait for copies to their shared memory, store it, and then begin copies from it."""
import json
import shutil
from pathlib import Path

from async_copies.values import random_bytes, reduced, size_of

HERE = Path(__file__).parent
SHARED = 24 * 1024    # bytes of a block
CONSTANT = 2048       # of them no copy goes to the first
THREADS = [32, 64, 96, 128]


class State:
    """Shared memory of the blocks, and the buffers"""

    def __init__(self, shared, buffers):
        self.shared = [bytearray(each) for each in shared]
        self.buffers = [bytearray(each) for each in buffers]

    @staticmethod
    def reduce(to, at, source, begin, size, operation, kind):
        """Puts `size` bytes of the source into `to`, or what the operation makes of both."""
        step = size_of(kind) if operation else size
        for i in range(0, size, step):
            new = source[begin + i:begin + i + step]
            to[at + i:at + i + step] = reduced(operation, kind, to[at + i:at + i + step], new) if operation else new


class Program:
    """The kernel, its buffers, and what it leaves in them. Buffer 0 is the shared memory of the blocks at the begin; the kernel
    stores that after the copies to it in buffer 1."""

    def __init__(self, rng):
        self.rng = rng
        self.blocks = rng.choice([1, 1, 2, 4])
        self.threads = rng.choice(THREADS)
        self.shared = [bytearray(rng.randbytes(SHARED)) for _ in range(self.blocks)]
        self.free = CONSTANT
        self.buffers = [b"", bytes(SHARED * self.blocks)]
        self.maps = []
        self.arrivals = 1  # at the barrier object of each block
        self.expected_bytes = [0] * self.blocks
        self.copies, self.later_copies = [], []  # lines of PTX: to shared memory, and from it
        self.effects, self.later_effects = [], []  # functions of a State

    # --- places

    def area(self, size, alignment):
        """A place of shared memory that no other copy goes to, or None."""
        begin = -(-self.free // alignment) * alignment + alignment * self.rng.choice([0, 0, 1])
        if begin + size > SHARED:
            return None
        self.free = begin + size
        return begin

    def numbers(self, kind, size, alignment):
        """A place of shared memory with numbers of a type, or None."""
        begin = self.area(size, alignment)
        if begin is not None:
            for shared in self.shared:
                shared[begin:begin + size] = random_bytes(self.rng, kind, size)
        return begin

    def buffer(self, content):
        self.buffers.append(content)
        return len(self.buffers) - 1

    def add_tensor(self, tensor):
        tensor.buffer = self.buffer(random_bytes(self.rng, tensor.type, tensor.bytes))
        self.maps.append(tensor)

    # --- PTX

    def by(self, rank, lines):
        """Lines that the first thread of one block executes."""
        return [f"setp.eq.u32 %p, %rank, {rank};", "and.pred %p, %p, %first;", *(f"@%p {line}" for line in lines)]

    def map_lines(self, tensor):
        number = self.maps.index(tensor)
        if tensor.parameter:
            return [f"mov.b64 %map, map{number};", "cvta.param.u64 %map, %map;"]
        return ["ld.param.u64 %map, [table];", f"add.u64 %map, %map, {128 * number};"]

    def box(self, tensor, at):
        """Lines that give the coordinates of a box, and its operand."""
        lines = [*self.map_lines(tensor), *(f"mov.b32 %c{i}, {value};" for i, value in enumerate(at))]
        return lines, "[%map, {" + ", ".join(f"%c{i}" for i in range(len(at))) + "}]"

    def hint(self):
        return self.rng.choice([("", ""), ("", ""), (".L2::cache_hint", ", %policy")])

    def ptx(self):
        parameters = [f".param .u64 buffer{n}" for n in range(len(self.buffers))] + [".param .u64 table"]
        parameters += [f".param .align 64 .b8 map{n}[128]" for n in range(len(self.maps))]
        totals = [line for block, count in enumerate(self.expected_bytes)
                  for line in self.by(block, [f"mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%bar], {count};"])]
        body = (HERE / "kernel.ptx").read_text()
        for key, value in {"PARAMETERS": ", ".join(parameters), "BLOCKS": self.blocks, "THREADS": self.threads, "BYTES": SHARED,
                           "ARRIVALS": self.arrivals, "EXPECT": "\n    ".join(totals), "LOADS": "\n    ".join(self.copies),
                           "STORES": "\n    ".join(self.later_copies)}.items():
            body = body.replace(f"@{key}@", str(value))
        return body

    def write(self, folder):
        (folder / "random.ptx").write_text(self.ptx())
        for n, content in enumerate([b"".join(self.shared), *self.buffers[1:]]):
            (folder / f"buffer.{n}").write_bytes(content)
        plan = {"blocks": self.blocks, "threads": self.threads, "maps": [each.plan() for each in self.maps]}
        (folder / "plan.json").write_text(json.dumps(plan))
        shutil.copy(HERE / "launch_plan.py", folder / "program")

    def left(self):
        """What the buffers hold afterwards."""
        state = State(self.shared, self.buffers)
        state.buffers[0][:] = b"".join(self.shared)
        for effect in self.effects:
            effect(state)
        state.buffers[1][:] = b"".join(state.shared)
        for effect in self.later_effects:
            effect(state)
        return state.buffers
