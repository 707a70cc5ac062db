#include "native/target.h"

namespace heddle::native {

namespace {

// Sources, by row: alu, fp32: 4 (arXiv 1804.06826, 1903.07486, 2208.11174). imad: 5 on Volta and Turing, 4 later, imad
// wide 5 (1804.06826, 2503.20481). fp16 6, on GA10x and later 5 (1804.06826; model of the MICRO 2025 artefact). minmax
// 5 (1804.06826). predicate: from a comparison to its use as a guard, 13 (the same artefact). uniform: to a vector
// consumer 13 (2503.20481). fp64 8 on Volta, A100 and Hopper; 48 where one unit serves the SM (1903.07486). special 21
// (tuning microbenchmarks of Accel-Sim on TITAN V). global, shared, constant: hits without contention on RTX A6000,
// regular addresses (2503.20481); V100 28, A100 and Hopper assumed as A6000. shuffle 22 to 23 (Zhang et al., IPDPS
// 2020). texture, barrier, store, routine: what the scheduler assumes.
//                                 none alu imad wide f32 f16 mnmx pred uni  f64 sfu glob shar cons tex shfl st  mma bar
//                                 routine
constexpr std::array<Target, 6> kTargets = {{
    {"sm_70",
     "Volta (V100)",
     {0, 4, 5, 5, 4, 6, 5, 13, 0, 8, 21, 32, 24, 27, 80, 22, 20, 35, 22, 100},
     false,
     false,
     0x160,
     65536,
     2048,
     32},
    {"sm_75",
     "Turing",
     {0, 4, 5, 5, 4, 6, 5, 13, 13, 48, 21, 34, 24, 27, 80, 22, 20, 18, 22, 100},
     true,
     true,
     0x160,
     65536,
     1024,
     16},
    {"sm_80",
     "Ampere (A100)",
     {0, 4, 4, 5, 4, 6, 5, 13, 13, 8, 21, 32, 24, 29, 80, 23, 20, 26, 22, 100},
     false,
     true,
     0x160,
     65536,
     2048,
     32},
    {"sm_86",
     "Ampere (GA10x)",
     {0, 4, 4, 5, 4, 5, 5, 13, 13, 48, 21, 32, 24, 29, 80, 23, 20, 33, 22, 100},
     true,
     true,
     0x160,
     65536,
     1536,
     16},
    {"sm_89",
     "Ada",
     {0, 4, 4, 5, 4, 5, 5, 13, 13, 48, 21, 32, 24, 29, 80, 23, 20, 33, 22, 100},
     true,
     true,
     0x160,
     65536,
     1536,
     24},
    {"sm_90",
     "Hopper (H100)",
     {0, 4, 4, 5, 4, 5, 5, 13, 13, 8, 21, 32, 24, 29, 80, 23, 20, 24, 22, 100},
     false,
     true,
     0x210,
     65536,
     2048,
     32},
}};

} // namespace

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
