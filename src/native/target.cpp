#include "native/target.h"

#include <algorithm>

namespace heddle::native {

namespace {

// Sources, by row: alu, fp32: 4 (arXiv 1804.06826, 1903.07486, 2208.11174). imad: 5 on Volta and Turing, 4 later, imad
// wide 5 (1804.06826, 2503.20481). fp16 6, on GA10x and later 5 (1804.06826; model of the MICRO 2025 artefact). minmax
// 5 (1804.06826). uniform: to a vector consumer 13 (2503.20481). fp64 8 on Volta, A100 and Hopper; 48 where one unit
// serves the SM (1903.07486). special 21 (tuning microbenchmarks of Accel-Sim on TITAN V). global, shared, constant:
// hits without contention on RTX A6000, regular addresses (2503.20481); V100 28, A100 and Hopper assumed as A6000.
// shuffle 22 to 23 (Zhang et al., IPDPS 2020). texture, barrier, store, routine: what the scheduler assumes.
//
// predicate, and the two numbers behind the table: the fewest cycles that ptxas 13.0 leaves between the two
// instructions in its code for 52 programs on each chip from Turing on (docs/native-code.md). For Volta, which it has
// no code for, those of Turing: assumed.
//                                 none alu imad wide f32 f16 mnmx pred uni  f64 sfu glob shar cons tex shfl st  mma bar
//                                 routine
constexpr std::array<Target, 6> kTargets = {{
    {"sm_70",
     "Volta (V100)",
     {0, 4, 5, 5, 4, 6, 5, 12, 0, 8, 21, 32, 24, 27, 80, 22, 20, 35, 22, 100},
     6,
     8,
     false,
     false,
     0x160,
     65536,
     2048,
     32,
     true},
    {"sm_75",
     "Turing",
     {0, 4, 5, 5, 4, 6, 5, 12, 13, 48, 21, 34, 24, 27, 80, 22, 20, 18, 22, 100},
     6,
     8,
     true,
     true,
     0x160,
     65536,
     1024,
     16,
     true},
    {"sm_80",
     "Ampere (A100)",
     {0, 4, 4, 5, 4, 6, 5, 13, 13, 8, 21, 32, 24, 29, 80, 23, 20, 26, 22, 100},
     4,
     5,
     false,
     true,
     0x160,
     65536,
     2048,
     32,
     false,
     true,
     false,
     true},
    {"sm_86",
     "Ampere (GA10x)",
     {0, 4, 4, 5, 4, 5, 5, 13, 13, 48, 21, 32, 24, 29, 80, 23, 20, 33, 22, 100},
     4,
     5,
     true,
     true,
     0x160,
     65536,
     1536,
     16,
     false,
     true,
     true,
     true},
    {"sm_89",
     "Ada",
     {0, 4, 4, 5, 4, 5, 5, 13, 13, 48, 21, 32, 24, 29, 80, 23, 20, 33, 22, 100},
     4,
     5,
     true,
     true,
     0x160,
     65536,
     1536,
     24,
     false,
     true,
     true,
     true},
    {"sm_90",
     "Hopper (H100)",
     {0, 4, 4, 5, 4, 5, 5, 13, 13, 8, 21, 32, 24, 29, 80, 23, 20, 24, 22, 100},
     4,
     5,
     false,
     true,
     0x210,
     65536,
     2048,
     32,
     false,
     true,
     true,
     true,
     true},
}};

constexpr unsigned kOtherPipe = 5;  // from the integer to the multiply pipe and back: seen as the numbers of targets
constexpr unsigned kWideToWide = 6; // IMAD.WIDE, IMAD.HI to one of them, likewise
constexpr unsigned kControl = 5;    // behind a branch, BSYNC, EXIT and a call, likewise

bool is_wide(Op op) {
    return info(op).latency == Latency::ImadWide;
}

} // namespace

unsigned Target::between(Op producer, Op consumer, File file, Use use) const {
    const Latency row = info(producer).latency;
    const Pipe pipe = info(consumer).pipe;
    if (row == Latency::UniformAlu || file == File::Uniform || file == File::UniformPredicate)
        return pipe == Pipe::Uniform ? kUniformToUniform : of(row);
    if (row >= Latency::Fp64) // in part longer than any other
        return use == Use::Guard && !is_variable(producer) ? std::max(of(row), of(Latency::Predicate)) : of(row);
    if (use == Use::Guard)
        return of(Latency::Predicate);
    const unsigned own = row == Latency::Predicate ? of(Latency::Alu) : of(row);
    if (pipe == Pipe::Memory)
        return std::max<unsigned>(own, to_memory);
    if (pipe == Pipe::Special || pipe == Pipe::Double)
        return std::max<unsigned>(own, to_special);
    if (is_wide(producer) && is_wide(consumer))
        return std::max(own, kWideToWide);
    return pipe == info(producer).pipe ? own : std::max(own, kOtherPipe);
}

unsigned Target::written(Op producer, File file) const {
    const Latency row = info(producer).latency;
    return file == File::Predicate && row < Latency::UniformAlu ? of(Latency::Predicate) : of(row);
}

unsigned Target::least_stall(Op op) const {
    switch (op) {
    case Op::Bra:
    case Op::Bsync:
    case Op::Call:
    case Op::Ret:
    case Op::Exit:
    case Op::Routine:
        return kControl;
    case Op::Bar:
        return barrier_stalls ? kControl : 1;
    default:
        return 1;
    }
}

std::span<const Target> targets() {
    return kTargets;
}

const Target* find_target(std::string_view name) {
    for (const Target& t : kTargets)
        if (t.name == name)
            return &t;
    return nullptr;
}

} // namespace heddle::native
