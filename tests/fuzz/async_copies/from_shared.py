"""Copies from the shared memory of a program's first block: each function adds one to a program, if there is room."""
from async_copies.program import SHARED
from async_copies.tensor import FLOATS, draw_tensor
from async_copies.to_shared import REDUCTIONS as TO_SHARED
from async_copies.values import random_bytes

# Operations and types of PTX ISA, "cp.reduce.async.bulk", to global memory, and of reductions of tensors
TO_GLOBAL = TO_SHARED + [("and", "b64"), ("or", "b64"), ("xor", "b64"), ("min", "s64"), ("max", "u64"), ("add", "f16"), ("add", "bf16"),
                         ("add", "f32"), ("add", "f64"), ("min", "f16"), ("max", "bf16")]
OF_TENSORS = [("add", "u32"), ("add", "s32"), ("add", "u64"), ("add", "f16"), ("add", "bf16"), ("add", "f32"), ("add", "f64"),
              ("min", "u32"), ("min", "s32"), ("max", "u32"), ("max", "s64"), ("min", "u64"), ("min", "f16"), ("max", "bf16"),
              ("inc", "u32"), ("dec", "u32"), ("and", "u32"), ("or", "u64"), ("xor", "u32"), ("xor", "u64")]


def source(program, operation, kind, size, alignment):
    """A place of shared memory to copy from: of numbers, if they are added or compared as floats; None without room."""
    if operation and kind in FLOATS:
        return program.numbers(kind, size, alignment)
    return alignment * program.rng.randint(0, (SHARED - size) // alignment)


def store_tensor(program, operation=None, kind=None):
    tensor = draw_tensor(program.rng, kind)
    begin = source(program, operation, tensor.type, tensor.shared_bytes, 128)
    if begin is None:
        return
    program.add_tensor(tensor)
    at, offsets = tensor.draw_place(program.rng)
    lines, box = program.box(tensor, at)
    hint, policy = program.hint()
    mode = ".im2col_no_offs" if offsets else program.rng.choice(["", ".tile"])
    name = f"cp.reduce.async.bulk.tensor.{len(at)}d.global.shared::cta.{operation}" if operation else \
        f"cp.async.bulk.tensor.{len(at)}d.global.shared::cta"
    program.later_copies += [f"add.u32 %to, %mem, {begin};"]
    program.later_copies += program.by(0, [*lines, f"{name}{mode}.bulk_group{hint} {box}, [%to]{policy};"])

    def effect(state):
        for where, address in tensor.elements(at, [0] * len(offsets), begin):
            if address is not None:
                state.reduce(state.buffers[tensor.buffer], address, state.shared[0], where, tensor.element, operation, tensor.type)
    program.later_effects.append(effect)


def reduce_tensor(program):
    store_tensor(program, *program.rng.choice(OF_TENSORS))


def store_bytes(program, operation=None, kind="b32"):
    rng = program.rng
    size = 16 * rng.choice([1, rng.randint(1, 8), rng.randint(1, 128)])
    begin = source(program, operation, kind, size, 16)
    if begin is None:
        return
    to = 16 * rng.randrange(9)
    buffer = program.buffer(random_bytes(rng, kind, to + size))
    hint, policy = program.hint()
    rounding = ".noftz" if operation == "add" and kind in ("f16", "bf16") else ""
    name = f"cp.reduce.async.bulk.global.shared::cta.bulk_group{hint}.{operation}{rounding}.{kind}" if operation else \
        f"cp.async.bulk.global.shared::cta.bulk_group{hint}"
    program.later_copies += [f"add.u32 %to, %mem, {begin};"]
    program.later_copies += program.by(0, [f"ld.param.u64 %d, [buffer{buffer}];", f"{name} [%d+{to}], [%to], {size}{policy};"])
    program.later_effects.append(
        lambda state: state.reduce(state.buffers[buffer], to, state.shared[0], begin, size, operation, kind))


def reduce_bytes(program):
    store_bytes(program, *program.rng.choice(TO_GLOBAL))


KINDS = [store_tensor, reduce_tensor, store_bytes, reduce_bytes]
