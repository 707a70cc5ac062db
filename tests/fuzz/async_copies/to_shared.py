"""Copies to the shared memory of a program's blocks: each function adds one to a program, if there is room."""
from async_copies.program import CONSTANT
from async_copies.tensor import draw_tensor
from async_copies.values import size_of

# Operations and types of PTX ISA, "cp.reduce.async.bulk", to shared memory of the cluster
REDUCTIONS = [("and", "b32"), ("or", "b32"), ("xor", "b32"), ("add", "s32"), ("add", "u32"), ("add", "u64"), ("inc", "u32"),
              ("dec", "u32"), ("min", "s32"), ("max", "u32")]


def receivers(program):
    """Blocks that a copy goes to, the modifier and the operand that say so. Without them: the block that copies."""
    rng = program.rng
    if program.blocks == 1 and rng.random() < 0.7 or rng.random() < 0.3:
        return [0], "", ""
    mask = rng.randrange(1, 1 << program.blocks)
    return [b for b in range(program.blocks) if mask >> b & 1], ".multicast::cluster", f", {mask}"


def load_tensor(program):
    rng, tensor = program.rng, draw_tensor(program.rng)
    to = program.area(tensor.shared_bytes, 128)
    if to is None:
        return
    program.add_tensor(tensor)
    at, offsets = tensor.draw_place(rng)
    blocks, multicast, mask = receivers(program)
    hint, policy = program.hint()
    lines, box = program.box(tensor, at)
    lines += [f"mov.b16 %o{i}, {value};" for i, value in enumerate(offsets)]
    mode = ".im2col" if offsets else rng.choice(["", ".tile"])
    places = ", {" + ", ".join(f"%o{i}" for i in range(len(offsets))) + "}" if offsets else ""
    program.copies += [f"add.u32 %to, %mem, {to};"] + program.by(0, lines + [
        f"cp.async.bulk.tensor.{len(at)}d.shared::cluster.global{mode}.mbarrier::complete_tx::bytes{multicast}{hint} "
        f"[%to], {box}, [%bar]{places}{mask}{policy};"])

    def effect(state):
        for where, address in tensor.elements(at, offsets, to):
            size = tensor.element
            value = tensor.outside() if address is None else state.buffers[tensor.buffer][address:address + size]
            for block in blocks:
                state.shared[block][where:where + size] = value
    program.effects.append(effect)
    for block in blocks:
        program.expected_bytes[block] += tensor.box_bytes


def load_bytes(program):
    rng = program.rng
    size = 16 * rng.choice([1, rng.randint(1, 8), rng.randint(1, 128)])
    to = program.area(size, 16)
    if to is None:
        return
    begin = 16 * rng.randrange(9)
    buffer = program.buffer(rng.randbytes(begin + size))
    blocks, multicast, mask = receivers(program)
    hint, policy = program.hint()
    program.copies += [f"add.u32 %to, %mem, {to};"] + program.by(0, [
        f"ld.param.u64 %d, [buffer{buffer}];",
        f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{multicast}{hint} [%to], [%d+{begin}], {size}, [%bar]"
        f"{mask}{policy};"])

    def effect(state):
        for block in blocks:
            state.shared[block][to:to + size] = state.buffers[buffer][begin:begin + size]
    program.effects.append(effect)
    for block in blocks:
        program.expected_bytes[block] += size


def send(program):
    """Bytes of one block's shared memory to another, or a reduction there."""
    rng = program.rng
    size = 16 * rng.randint(1, 32)
    to = program.area(size, 16)
    if to is None:
        return
    begin = 16 * rng.randint(0, (CONSTANT - size) // 16)
    sender, receiver = rng.randrange(program.blocks), rng.randrange(program.blocks)
    operation, kind = rng.choice(REDUCTIONS) if rng.random() < 0.5 else (None, "b32")
    name = f"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{operation}.{kind}" if operation else \
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
    program.copies += [f"add.u32 %to, %mem, {to};", f"mapa.shared::cluster.u32 %to, %to, {receiver};",
                       f"mapa.shared::cluster.u32 %r, %bar, {receiver};"]
    program.copies += program.by(sender, [f"{name} [%to], [%mem+{begin}], {size}, [%r];"])
    program.effects.append(
        lambda state: state.reduce(state.shared[receiver], to, state.shared[sender], begin, size, operation, kind))
    program.expected_bytes[receiver] += size


def load_by_threads(program):
    """cp.async: each thread of each block copies 4, 8 or 16 bytes, or fewer and zeros."""
    rng, threads = program.rng, program.threads
    size = rng.choice([4, 8, 16])
    to = program.area(size * threads, 16)
    if to is None:
        return
    pitch = size * rng.randint(1, 4)
    taken = rng.choice([None, None, rng.randint(0, size)])
    buffer = program.buffer(rng.randbytes(pitch * threads))
    cache = ".cg" if size == 16 and rng.random() < 0.5 else ".ca"
    arrives = rng.random() < 0.3
    program.arrivals += threads * arrives
    program.copies += [
        f"ld.param.u64 %d, [buffer{buffer}];", f"mad.wide.u32 %d, %t, {pitch}, %d;", f"mad.lo.u32 %to, %t, {size}, %mem;",
        f"cp.async{cache}.shared.global [%to+{to}], [%d], {size}{'' if taken is None else f', {taken}'};",
        "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%bar];" if arrives else
        rng.choice(["", "cp.async.commit_group;", "cp.async.wait_all;"])]

    def effect(state):
        for thread in range(threads):
            content = state.buffers[buffer][thread * pitch:][:size if taken is None else taken]
            for shared in state.shared:
                shared[to + thread * size:to + (thread + 1) * size] = content.ljust(size, b"\0")
    program.effects.append(effect)


def send_registers(program):
    """st.async and red.async: each thread of one block sends up to four numbers, or one operand."""
    rng, threads = program.rng, program.threads
    operation, kind = rng.choice(REDUCTIONS) if rng.random() < 0.5 else (None, rng.choice(["b32", "b64"]))
    size = size_of(kind)
    count = 1 if operation else rng.choice([1, 2, 16 // size])  # up to 16 bytes
    to = program.area(size * count * threads, 16)
    if to is None:
        return
    sender, receiver, factor = rng.randrange(program.blocks), rng.randrange(program.blocks), rng.getrandbits(31)
    vector = f".v{count}" if count > 1 else ""
    name = f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{operation}.{kind}" if operation else \
        f"st.async.shared::cluster.mbarrier::complete_tx::bytes{vector}.{kind}"
    number = "%r" if size == 4 else "%d"
    value = f"{{{', '.join([number] * count)}}}" if count > 1 else number
    program.copies += [
        f"mul.lo.u32 %r, %t, {factor};", "cvt.u64.u32 %d, %r;", f"mad.lo.u32 %to, %t, {size * count}, %mem;", f"add.u32 %to, %to, {to};",
        f"mapa.shared::cluster.u32 %to, %to, {receiver};", f"mapa.shared::cluster.u32 %i, %bar, {receiver};",
        f"setp.eq.u32 %p, %rank, {sender};", f"@%p {name} [%to], {value}, [%i];"]

    def effect(state):
        for thread in range(threads):
            new = (thread * factor % (1 << 32)).to_bytes(size, "little") * count
            state.reduce(state.shared[receiver], to + thread * size * count, new, 0, size * count, operation, kind)
    program.effects.append(effect)
    program.expected_bytes[receiver] += size * count * threads


KINDS = [load_tensor, load_tensor, load_bytes, send, send_registers, load_by_threads]
