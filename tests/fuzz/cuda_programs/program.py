"""A random CUDA program: tables, structs, functions, kernels, and a host program that writes all memory to a file."""
from dataclasses import dataclass

from cuda_programs import functions
from cuda_programs.cooperation import Cooperation
from cuda_programs.cpp import (F32, F64, I16, I32, I64, I8, INTS, REALS, U16, U32, U64, U8, VECTORS, Array, Context,
                               Int, Place, elements)

INPUTS = 64       # elements of each array that kernels read
COUNTS = 8        # counters in shared memory
BUDGET = 1200     # estimated work of a thread of a kernel
OPERATIONS = [("atomicAdd", U32), ("atomicAdd", I32), ("atomicAdd", U64), ("atomicAdd", F32), ("atomicAdd", F64),
              ("atomicMin", I32), ("atomicMin", U64), ("atomicMax", U32), ("atomicMax", I64), ("atomicAnd", U32),
              ("atomicOr", U64), ("atomicXor", U32), ("atomicXor", U64), ("atomicInc", U32), ("swap_in_xor", U32),
              ("swap_in_xor", U64), ("take_ticket", U32)]


@dataclass(frozen=True)
class Region:
    """A part of the memory that a program writes to its file."""
    name: str
    bytes: int    # of an element
    number: int
    row: int = 0  # elements of a thread


def dimensions(rng, most):
    """A shape of one to three dimensions of at most so many elements."""
    kind = rng.random()
    if kind < 0.5:
        return rng.choice([32, 64, 96, rng.randint(1, most)]) if most > 8 else rng.randint(1, most), 1, 1
    x = rng.randint(1, min(most, 40))
    y = rng.randint(1, min(most // x, 9))
    return x, y, rng.randint(1, min(most // (x * y), 4)) if kind < 0.75 else 1


class Program:

    def __init__(self, rng, reduces=True):
        self.rng, self.reduces = rng, reduces  # reduces: it may use __reduce_*_sync
        self.exact = rng.random() < 0.5
        self.wide = rng.random() < 0.5
        self.functions, self.changers, self.warp_functions, self.kernels = [], [], [], []
        self.texts = []
        self.tables = [self.table(i) for i in range(3)]
        self.counters = [self.counter(i, *kind) for i, kind in enumerate(rng.sample(OPERATIONS, 5))]
        self.structs = [functions.random_struct(rng, f"Record{i}") for i in range(rng.randint(1, 3))]
        self.texts += [struct.definition() for struct in self.structs]
        self.inputs = [Array(f"in_{type.name}", type, INPUTS, writable=False)
                       for type in rng.sample([I8, U16, I32, U32, U64, F32, F64, I16, U8], 3)]
        self.vectors = [Array(f"in_{name}", name, INPUTS, writable=False) for name in rng.sample(list(VECTORS), 3)]
        self.texts.append("__device__ u32 tickets;")
        self.make_functions()
        for number in range(rng.randint(2, 4)):
            self.kernels.append(Kernel(rng, self, number))

    @property
    def repeats(self):
        """Whether threads repeat an atomic operation until it succeeds."""
        return any(operation == "swap_in_xor" for _, operation, _ in self.counters)

    def affordable(self, callees, caller):
        return [c for c in callees if caller.spent + c.cost * caller.weight <= caller.budget]

    def callable_within(self, caller):
        return self.affordable(self.functions, caller)

    def changers_within(self, caller):
        return self.affordable(self.changers, caller)

    def warp_functions_within(self, caller):
        return self.affordable(self.warp_functions, caller)

    def made_array(self, name, type, number, space):
        values = [str(self.rng.randint(0, 127)) if isinstance(type, Int) else f"{self.rng.randint(0, 1000)}.0"
                  for _ in range(number)]
        self.texts.append(f"{space} {type.name} {name}[{number}] = {{{', '.join(values)}}};")

    def table(self, number):
        name, type = f"table{number}", self.rng.choice([I8, U16, I32, U32, U64, F32, F64])
        size = self.rng.choice([4, 7, 16, 33])
        self.made_array(name, type, size, self.rng.choice(["__constant__", "__device__", "__device__ const"]))
        return Array(name, type, size, writable=False)

    def counter(self, number, operation, type):
        array = Array(f"counter{number}", type, self.rng.choice([1, 4, 16]))
        self.made_array(array.text, type, array.size, "__device__")
        return array, operation, type

    def make_functions(self):
        kinds = [(self.functions, "plain"), (self.functions, "plain"), (self.functions, "recursive"),
                 (self.functions, "by_pointers"), (self.changers, "changer"), (self.changers, "changer"),
                 (self.warp_functions, "of_warp"),
                 (self.warp_functions, "recursive_of_warp"), (self.functions, "virtual"), (self.functions, "pointed"),
                 (self.warp_functions, "pointed_of_warp")]
        self.rng.shuffle(kinds)
        for number, (group, kind) in enumerate(kinds):
            made = functions.make(kind, self.rng, self, f"{kind}{number}")
            self.texts.append(made.text)
            group.append(made)

    def regions(self):
        return [Region(f"out of kernel{k.number}", 8, k.threads * k.row, k.row) for k in self.kernels] + \
               [Region(array.text, 4 if type == F32 else 8 if type == F64 else type.bits // 8, array.size)
                for array, _, type in self.counters]

    def text(self):
        kernels = [kernel.text() for kernel in self.kernels]
        return "\n\n".join(['#include "prelude.h"', *self.texts, *kernels, self.host_text()]) + "\n"

    def host_text(self):
        lines = [FILLED, "int main(int, char** arguments) {", "    std::FILE* file = std::fopen(arguments[1], \"wb\");"]
        for array in self.inputs + self.vectors:
            vector = isinstance(array.type, str)
            element = VECTORS[array.type] if vector else array.type
            name, number = (array.type, len(elements(array.type))) if vector else (element.name, 1)
            most = 1023 if self.exact and not isinstance(element, Int) else 0
            lines.append(f"    {name}* {array.text} = ({name}*)filled<{element.name}>({INPUTS * number}, "
                         f"{self.rng.getrandbits(60)}ull, {most});")
        lines.append("    cudaStream_t stream;")
        lines.append("    CHECK(cudaStreamCreate(&stream));")
        for kernel in self.kernels:
            lines += kernel.launch_lines()
        lines.append("    CHECK(cudaDeviceSynchronize());")
        for kernel in self.kernels:
            lines.append(f"    write(file, out{kernel.number}, {kernel.threads * kernel.row});")
        for array, _, type in self.counters:
            copy = f"copy_of_{array.text}"
            lines.append(f"    static {type.name} {copy}[{array.size}];")
            lines.append(f"    CHECK(cudaMemcpyFromSymbol({copy}, {array.text}, sizeof {copy}));")
            lines.append(f"    std::fwrite({copy}, 1, sizeof {copy}, file);")
        return "\n".join([*lines, "    return std::fclose(file);", "}"])


FILLED = """template <typename T> T* filled(u32 number, u64 seed, u64 most) {
    T* values = (T*)std::malloc(number * sizeof(T));
    for (u32 i = 0; i < number; ++i) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        const u64 bits = seed >> 20;
        const bool real = (T)0.5 != (T)0;
        values[i] = most != 0 ? (T)(bits & most) : real ? (T)((i64)(bits & 0xFFFFF) - 500000) / (T)64 : (T)bits;
    }
    T* memory;
    CHECK(cudaMalloc(&memory, number * sizeof(T)));
    CHECK(cudaMemcpy(memory, values, number * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

void write(std::FILE* file, const u64* memory, u32 number) {
    u64* values = (u64*)std::malloc(number * sizeof(u64));
    CHECK(cudaMemcpy(values, memory, number * sizeof(u64), cudaMemcpyDeviceToHost));
    std::fwrite(values, sizeof(u64), number, file);
    std::free(values);
}
"""


class Kernel(Cooperation):

    def __init__(self, rng, program, number):
        super().__init__(rng, program, BUDGET)
        self.kernel, self.number = True, number
        self.block = dimensions(rng, 160)
        self.grid = dimensions(rng, 4)
        self.block_threads = self.block[0] * self.block[1] * self.block[2]
        self.threads = self.block_threads * self.grid[0] * self.grid[1] * self.grid[2]
        self.previous = program.kernels[-1] if program.kernels and rng.random() < 0.6 else None
        self.arguments = []
        self.shared, self.dynamic_bytes = [], 0
        self.early_return = rng.random() < 0.25
        self.row = 0
        self.make()

    def text(self):
        return "\n".join(self.lines)

    def parameter(self, declaration, argument):
        self.arguments.append(argument)
        return declaration

    def signature(self):
        declared = [self.parameter("u64* out", f"out{self.number}")]
        if self.previous:
            declared.append(self.parameter("const u64* previous", f"out{self.previous.number}"))
            size = self.previous.threads * self.previous.row
            self.scope.arrays.append(Array("previous", U64, size, writable=False))
        for array in self.program.inputs + self.program.vectors:
            name = array.type if isinstance(array.type, str) else array.type.name
            restrict = self.rng.choice(["", " __restrict__"])
            declared.append(self.parameter(f"const {name}*{restrict} {array.text}", array.text))
        self.scope.arrays += self.program.inputs
        for i in range(self.rng.randint(1, 3)):
            type = self.rng.choice([U32, I8, U64, I16, F32, F64])
            declared.append(self.parameter(f"{type.name} scalar{i}", f"({type.name}){self.rng.randint(0, 100)}"))
            self.scope.places.append(Place(f"scalar{i}", type, writable=False))
            if isinstance(type, Int):
                self.scope.uniform.append(f"(u32)scalar{i}")
        if self.rng.random() < 0.5:
            struct = self.rng.choice(self.program.structs)
            declared.append(self.parameter(f"{struct.name} given", f"{struct.name}{{}}"))
            self.add_struct(struct, "given")
        return ", ".join(declared)

    def make(self):
        bounds = self.rng.choice(["", f"__launch_bounds__({self.block_threads}) "])
        with self.braces(f"__global__ {bounds}void kernel{self.number}({self.signature()})"):
            self.opening()
            self.share()
            context = Context(mask=self.mask(), whole=True)
            for _ in range(self.rng.randint(3, 5)):
                self.declare(context)
            while not self.over():
                self.statement(context)
                if context.mask == "mask" and self.rng.random() < 0.05:
                    self.retire()
            self.closing()

    def opening(self):
        self.line(f"constexpr u32 THREADS = {self.block_threads}, COUNTS = {COUNTS};")
        self.line("const u32 tid = this_thread(), lane = tid % 32, warp = tid / 32;")
        self.line("const u32 block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;")
        self.line("const u32 gid = block * THREADS + tid;")
        for name in ["tid", "lane", "warp", "block", "gid", "threadIdx.x", "threadIdx.y", "blockIdx.x"]:
            self.scope.places.append(Place(name, U32, writable=False))
        self.scope.uniform += ["block", "blockIdx.x", "blockIdx.y", "gridDim.x"]
        self.scope.warp_uniform.append("warp")
        self.scope.arrays += self.program.tables

    def share(self):
        """Shared memory, which each thread fills at its own place."""
        self.line("__shared__ u32 counts[COUNTS];")
        self.line("for (u32 i = tid; i < COUNTS; i += THREADS) counts[i] = i;")
        for i in range(2):
            type, name = self.rng.choice(INTS[:-1] + (REALS if i else [])), f"shared{self.number}_{i}"
            if i == 1 and self.rng.random() < 0.6:
                self.line(f"DYNAMIC_SHARED({type.name}, {name});")
                self.dynamic_bytes = 16 * self.block_threads
            else:
                self.line(f"__shared__ {type.name} {name}[THREADS];")
            self.line(f"{name}[tid] = ({type.name})(tid & 127);")
            self.shared.append(Array(name, type, self.block_threads))
        self.line("__syncthreads();")

    def mask(self):
        """The threads of the warp that go on: some may end at once."""
        if self.early_return:
            self.line(f"if ({self.condition()}) return;")
        elif self.block_threads % 32 == 0 and self.rng.random() < 0.5:
            return "0xFFFFFFFFu"
        self.line("u32 mask = __ballot_sync(0xFFFFFFFFu, 1);")
        return "mask"

    def retire(self):
        """Some threads end here, perhaps with a last deed; the others go on without them."""
        with self.braces(f"if ({self.condition()})"):
            if self.rng.random() < 0.5:
                self.line(f"atomicAdd(&counts[{self.integer(U32, 1)} % COUNTS], {self.integer(U32)});")
            self.line("return;")
        self.line("mask = __ballot_sync(mask, 1);")

    def closing(self):
        """Every variable goes to the thread's row of the output."""
        values = [p for p in self.scope.places if p.writable]
        self.row = len(values)
        self.line(f"out += (u64)gid * {self.row};")
        for i, place in enumerate(values):
            if isinstance(place.type, Int):
                value = f"(u64){place.text}" + (f" ^ (u64)({place.text} >> 64)" if place.type.bits == 128 else "")
            else:
                value = f"(u64)(i64){place.text}" if self.program.exact else f"bits_of({place.text})"
            self.line(f"out[{i}] = {value};")
        if values and self.rng.random() < 0.3:
            self.leave_by_and_by()

    def leave_by_and_by(self):
        """Threads end after different numbers of rounds with barriers, which do not wait for those that have ended."""
        rounds, step = self.rng.randint(2, 6), self.rng.choice(["1", "2", "1 + warp % 2"])
        with self.braces(f"for (u32 round = ({self.integer(U32, 1)}) % {rounds}; round < {rounds}; round += {step})"):
            self.line("__syncthreads();")
            self.line(f"atomicAdd(&counts[(tid + round) % COUNTS], {self.rng.randint(1, 99)} + tid);")
            self.line("__syncthreads();")
            self.line("out[0] += counts[round % COUNTS];")

    def launch_lines(self):
        bytes = f"{self.threads * self.row} * sizeof(u64)"
        allocate = self.rng.choice(["cudaMalloc", "cudaMallocManaged"])
        shapes = [f"dim3({', '.join(map(str, shape))})" for shape in (self.grid, self.block)]
        return [f"    u64* out{self.number};", f"    CHECK({allocate}(&out{self.number}, {bytes}));",
                f"    CHECK(cudaMemset(out{self.number}, 0xEE, {bytes}));",
                *(["    CHECK(cudaDeviceSynchronize());"] if self.previous else []),
                f"    LAUNCH(kernel{self.number}, {', '.join(shapes)}, {self.dynamic_bytes}, "
                f"{self.rng.choice(['stream', '0'])}, {', '.join(self.arguments)});",
                "    CHECK(cudaGetLastError());"]
