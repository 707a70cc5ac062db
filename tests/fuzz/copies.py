"""Random asynchronous copies and reductions: of tensors, of bytes, between blocks of a cluster, against a plain reference.

Each block of a cluster fills its shared memory, and copies go to places that do not overlap; barrier objects tell that
they have ended. Then shared memory is stored, and copies from it go to buffers of their own.
"""
import json
import random
import shutil
import sys
from pathlib import Path

from async_copies.tensor import FLOATS, draw_tensor
from async_copies.values import random_bytes, reduced, size_of
from control import formations
from tools import run

HERE = Path(__file__).parent
SHARED = 24 * 1024    # bytes of a block
CONSTANT = 2048       # of them no copy goes to the first
THREADS = [32, 64, 96, 128]

# Operations and types of PTX ISA, "cp.reduce.async.bulk": to shared memory of the cluster, and to global memory
TO_SHARED = [("and", "b32"), ("or", "b32"), ("xor", "b32"), ("add", "s32"), ("add", "u32"), ("add", "u64"), ("inc", "u32"), ("dec", "u32"),
             ("min", "s32"), ("max", "u32")]
TO_GLOBAL = TO_SHARED + [("and", "b64"), ("or", "b64"), ("xor", "b64"), ("min", "s64"), ("max", "u64"), ("add", "f16"), ("add", "bf16"),
                         ("add", "f32"), ("add", "f64"), ("min", "f16"), ("max", "bf16")]
OF_TENSORS = [("add", "u32"), ("add", "s32"), ("add", "u64"), ("add", "f16"), ("add", "bf16"), ("add", "f32"), ("add", "f64"),
              ("min", "u32"), ("min", "s32"), ("max", "u32"), ("max", "s64"), ("min", "u64"), ("min", "f16"), ("max", "bf16"), ("inc", "u32"),
              ("dec", "u32"), ("and", "u32"), ("or", "u64"), ("xor", "u32"), ("xor", "u64")]


def missing(tools):
    return tools.missing_heddle()


class Program:
    """One kernel of a cluster, its buffers, and what it leaves in them."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.blocks = rng.choice([1, 1, 2, 4])
        self.threads = rng.choice(THREADS)
        self.shared = [bytearray(rng.randbytes(SHARED)) for _ in range(self.blocks)]
        self.free = CONSTANT
        self.buffers = [b"", bytes(SHARED * self.blocks)]
        self.maps = []
        self.expected_bytes = [0] * self.blocks
        self.lines, self.later = [], []  # PTX: copies to shared memory, and from it
        self.effects, self.later_effects = [], []
        for _ in range(rng.randint(1, 6)):
            rng.choice([self.load_tensor, self.load_tensor, self.load_bytes, self.send, self.load_by_threads])()
        for _ in range(rng.randint(0, 4)):
            rng.choice([self.store_tensor, self.reduce_tensor, self.store_bytes, self.reduce_bytes])()
        self.buffers[0] = b"".join(bytes(each) for each in self.shared)

    # --- places

    def area(self, size, alignment):
        """A place of shared memory that no other copy goes to, or None."""
        begin = -(-self.free // alignment) * alignment + alignment * self.rng.choice([0, 0, 1])
        if begin + size > SHARED:
            return None
        self.free = begin + size
        return begin

    def buffer(self, content):
        self.buffers.append(content)
        return len(self.buffers) - 1

    def tensor(self, kind=None):
        tensor = draw_tensor(self.rng, kind)
        tensor.buffer = self.buffer(random_bytes(self.rng, tensor.type, tensor.bytes))
        self.maps.append(tensor)
        return tensor

    # --- PTX

    def by(self, rank, lines):
        """Lines that the first thread of one block executes."""
        return [f"setp.eq.u32 %p, %rank, {rank};", "and.pred %p, %p, %first;", *(f"@%p {line}" for line in lines)]

    def map_line(self, tensor):
        number = self.maps.index(tensor)
        if tensor.parameter:
            return [f"mov.b64 %map, map{number};", "cvta.param.u64 %map, %map;"]
        return ["ld.param.u64 %map, [table];", f"add.u64 %map, %map, {128 * number};"]

    def box(self, tensor, at):
        """Lines that give the coordinates of a box, and its operand."""
        lines = [*self.map_line(tensor), *(f"mov.b32 %c{i}, {value};" for i, value in enumerate(at))]
        return lines, "[%map, {" + ", ".join(f"%c{i}" for i in range(len(at))) + "}]"

    def hint(self):
        return self.rng.choice([("", ""), ("", ""), (".L2::cache_hint", ", %policy")])

    def receivers(self):
        """Blocks that a copy goes to, the modifier and the operand that say so. Without them: the block that copies."""
        if self.blocks == 1 and self.rng.random() < 0.7 or self.rng.random() < 0.3:
            return [0], "", ""
        mask = self.rng.randrange(1, 1 << self.blocks)
        return [b for b in range(self.blocks) if mask >> b & 1], ".multicast::cluster", f", {mask}"

    # --- copies to shared memory

    def load_tensor(self):
        tensor = self.tensor()
        to = self.area(tensor.shared_bytes, 128)
        if to is None:
            self.maps.pop()
            self.buffers.pop()
            return
        at, offsets = tensor.draw_place(self.rng)
        blocks, multicast, mask = self.receivers()
        hint, policy = self.hint()
        lines, box = self.box(tensor, at)
        if offsets:
            lines += [f"mov.b16 %o{i}, {value};" for i, value in enumerate(offsets)]
        mode = ".im2col" if offsets else self.rng.choice(["", ".tile"])
        places = ", {" + ", ".join(f"%o{i}" for i in range(len(offsets))) + "}" if offsets else ""
        self.lines += [f"add.u32 %to, %mem, {to};"] + self.by(0, lines + [
            f"cp.async.bulk.tensor.{len(at)}d.shared::cluster.global{mode}.mbarrier::complete_tx::bytes{multicast}{hint} "
            f"[%to], {box}, [%bar]{places}{mask}{policy};"])

        def effect(state):
            for where, address in tensor.elements(at, offsets, to):
                size = tensor.element
                value = tensor.outside() if address is None else state.buffers[tensor.buffer][address:address + size]
                for block in blocks:
                    state.shared[block][where:where + size] = value
        self.effects.append(effect)
        for block in blocks:
            self.expected_bytes[block] += tensor.box_bytes

    def load_bytes(self):
        size = 16 * self.rng.choice([1, self.rng.randint(1, 8), self.rng.randint(1, 128)])
        to = self.area(size, 16)
        if to is None:
            return
        begin = 16 * self.rng.randrange(9)
        buffer = self.buffer(self.rng.randbytes(begin + size))
        blocks, multicast, mask = self.receivers()
        hint, policy = self.hint()
        self.lines += [f"add.u32 %to, %mem, {to};"] + self.by(0, [
            f"ld.param.u64 %d, [buffer{buffer}];",
            f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{multicast}{hint} [%to], [%d+{begin}], {size}, [%bar]"
            f"{mask}{policy};"])

        def effect(state):
            for block in blocks:
                state.shared[block][to:to + size] = state.buffers[buffer][begin:begin + size]
        self.effects.append(effect)
        for block in blocks:
            self.expected_bytes[block] += size

    def send(self):
        """Bytes of one block's shared memory to another, or a reduction there."""
        size = 16 * self.rng.randint(1, 32)
        to = self.area(size, 16)
        if to is None:
            return
        begin = 16 * self.rng.randint(0, (CONSTANT - size) // 16)
        sender, receiver = self.rng.randrange(self.blocks), self.rng.randrange(self.blocks)
        operation, kind = self.rng.choice(TO_SHARED) if self.rng.random() < 0.5 else (None, "b32")
        name = f"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{operation}.{kind}" if operation else \
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
        self.lines += [f"add.u32 %to, %mem, {to};", f"mapa.shared::cluster.u32 %to, %to, {receiver};",
                       f"mapa.shared::cluster.u32 %r, %bar, {receiver};"] + self.by(sender, [
                           f"{name} [%to], [%mem+{begin}], {size}, [%r];"])
        self.effects.append(lambda state: state.reduce(state.shared[receiver], to, state.shared[sender], begin, size, operation, kind))
        self.expected_bytes[receiver] += size

    def load_by_threads(self):
        """cp.async: each thread of each block copies 4, 8 or 16 bytes, or fewer and zeros."""
        size = self.rng.choice([4, 8, 16])
        to = self.area(size * self.threads, 16)
        if to is None:
            return
        pitch = size * self.rng.randint(1, 4)
        taken = self.rng.choice([None, None, self.rng.randint(0, size)])
        buffer = self.buffer(self.rng.randbytes(pitch * self.threads))
        cache = ".cg" if size == 16 and self.rng.random() < 0.5 else ".ca"
        self.lines += [f"ld.param.u64 %d, [buffer{buffer}];", f"mad.wide.u32 %d, %t, {pitch}, %d;", f"mad.lo.u32 %to, %t, {size}, %mem;",
                       f"cp.async{cache}.shared.global [%to+{to}], [%d], {size}{'' if taken is None else f', {taken}'};",
                       self.rng.choice(["", "cp.async.commit_group;", "cp.async.wait_all;"])]

        def effect(state):
            for thread in range(self.threads):
                content = state.buffers[buffer][thread * pitch:][:size if taken is None else taken]
                for shared in state.shared:
                    shared[to + thread * size:to + (thread + 1) * size] = content.ljust(size, b"\0")
        self.effects.append(effect)

    # --- copies from shared memory

    def store_tensor(self, operation=None, kind=None):
        tensor = self.tensor(kind)
        content = None
        if operation and tensor.type in FLOATS:  # shared memory must hold numbers
            begin, content = self.area(tensor.shared_bytes, 128), random_bytes(self.rng, tensor.type, tensor.shared_bytes)
        else:
            begin = 128 * self.rng.randint(0, (SHARED - tensor.shared_bytes) // 128)
        if begin is None:
            self.maps.pop()
            self.buffers.pop()
            return
        if content:
            for shared in self.shared:
                shared[begin:begin + tensor.shared_bytes] = content
        at, offsets = tensor.draw_place(self.rng)
        lines, box = self.box(tensor, at)
        hint, policy = self.hint()
        mode = ".im2col_no_offs" if offsets else self.rng.choice(["", ".tile"])
        name = f"cp.reduce.async.bulk.tensor.{len(at)}d.global.shared::cta.{operation}" if operation else \
            f"cp.async.bulk.tensor.{len(at)}d.global.shared::cta"
        self.later += [f"add.u32 %to, %mem, {begin};"] + self.by(0, [*lines, f"{name}{mode}.bulk_group{hint} {box}, [%to]{policy};"])

        def effect(state):
            for where, address in tensor.elements(at, [0] * len(offsets), begin):
                if address is not None:
                    state.reduce(state.buffers[tensor.buffer], address, state.shared[0], where, tensor.element, operation, tensor.type)
        self.later_effects.append(effect)

    def reduce_tensor(self):
        self.store_tensor(*self.rng.choice(OF_TENSORS))

    def store_bytes(self, operation=None, kind="b32"):
        size = 16 * self.rng.choice([1, self.rng.randint(1, 8), self.rng.randint(1, 128)])
        if kind in FLOATS:
            begin = self.area(size, 16)
            if begin is None:
                return
            for shared in self.shared:
                shared[begin:begin + size] = random_bytes(self.rng, kind, size)
        else:
            begin = 16 * self.rng.randint(0, (SHARED - size) // 16)
        to = 16 * self.rng.randrange(9)
        buffer = self.buffer(random_bytes(self.rng, kind, to + size))
        hint, policy = self.hint()
        rounding = ".noftz" if operation == "add" and kind in ("f16", "bf16") else ""
        name = f"cp.reduce.async.bulk.global.shared::cta.bulk_group{hint}.{operation}{rounding}.{kind}" if operation else \
            f"cp.async.bulk.global.shared::cta.bulk_group{hint}"
        self.later += [f"add.u32 %to, %mem, {begin};"] + self.by(0, [
            f"ld.param.u64 %d, [buffer{buffer}];", f"{name} [%d+{to}], [%to], {size}{policy};"])
        self.later_effects.append(
            lambda state: state.reduce(state.buffers[buffer], to, state.shared[0], begin, size, operation, kind))

    def reduce_bytes(self):
        self.store_bytes(*self.rng.choice(TO_GLOBAL))

    # --- the whole

    def ptx(self):
        parameters = [f".param .u64 buffer{n}" for n in range(len(self.buffers))] + [".param .u64 table"]
        parameters += [f".param .align 64 .b8 map{n}[128]" for n in range(len(self.maps))]
        totals = [line for block, count in enumerate(self.expected_bytes)
                  for line in self.by(block, [f"mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%bar], {count};"])]
        body = (HERE / "async_copies" / "kernel.ptx").read_text()
        for key, value in {"PARAMETERS": ", ".join(parameters), "BLOCKS": self.blocks, "THREADS": self.threads, "BYTES": SHARED,
                           "EXPECT": "\n    ".join(totals), "LOADS": "\n    ".join(self.lines),
                           "STORES": "\n    ".join(self.later)}.items():
            body = body.replace(f"@{key}@", str(value))
        return body

    def write(self, folder):
        (folder / "random.ptx").write_text(self.ptx())
        for n, content in enumerate(self.buffers):
            (folder / f"buffer.{n}").write_bytes(content)
        plan = {"blocks": self.blocks, "threads": self.threads, "maps": [each.plan() for each in self.maps]}
        (folder / "plan.json").write_text(json.dumps(plan))
        shutil.copy(HERE / "async_copies" / "launch_plan.py", folder / "program")

    def left(self):
        """What the buffers hold afterwards."""
        state = State([bytearray(each) for each in self.shared], [bytearray(each) for each in self.buffers])
        for effect in self.effects:
            effect(state)
        state.buffers[1][:] = b"".join(state.shared)
        for effect in self.later_effects:
            effect(state)
        return state.buffers


class State:
    """Shared memory of the blocks, and the buffers"""

    def __init__(self, shared, buffers):
        self.shared, self.buffers = shared, buffers

    @staticmethod
    def reduce(to, at, source, begin, size, operation, kind):
        """Puts `size` bytes of the source into `to`, or what the operation makes of both."""
        step = size_of(kind) if operation else size
        for i in range(0, size, step):
            new = source[begin + i:begin + i + step]
            to[at + i:at + i + step] = reduced(operation, kind, to[at + i:at + i + step], new) if operation else new


def ways(seed, heddle):
    """Options of the runs: without timing, under a formation, and as native code on a part of a Hopper."""
    rng = random.Random(seed)
    older = ["-m", "lwm11", "-s", "device.compute_capability=90", "-s", "shared.size=128KiB"]
    return [[*older, "--functional"], [*older, "-s", f"core.formation={rng.choice(formations(heddle))}"],
            ["-m", rng.choice(["h100", "h200"]), "-s", "gpu.sms=4"]]


def differences(folder, left):
    found = []
    for n, want in enumerate(left):
        path = folder / f"left.{n}"
        have = path.read_bytes() if path.exists() else b""
        path.unlink(missing_ok=True)
        wrong = [i for i in range(len(want)) if have[i:i + 1] != want[i:i + 1]]
        if wrong:
            found.append(f"buffer {n}: {len(wrong)} of {len(want)} bytes differ, from {wrong[0]} on")
    return found


def find(seed, folder, tools):
    program = Program(seed)
    program.write(folder)
    left = program.left()
    for options in ways(seed, tools.heddle):
        ended = run([tools.heddle, "run", "-q", "--strict", *options, "--", sys.executable, "program"], folder)
        found = [] if ended.status == 0 else [f"status {ended.status}", *ended.errors.splitlines()[:12]]
        found = found or differences(folder, left)
        if found:
            return [" ".join(options), *found]
    return []
