// Makes random programs that end, leave the same whatever the order of their threads, and can run under every
// formation.
//
//   - Structured code nests ifs, loops with data-dependent trips, breaks, continues and calls; unstructured code jumps
//     between any two of its blocks, where jumps backwards use fuel up. Threads call each other's functions in
//     divergent code, under guards, recursively, and return early.
//   - Barriers, shuffles and votes stand where the control flow of a block is uniform and all paths meet again under
//     stack reconvergence. A thread that may leave inside divergent code keeps the paths from meeting (the immediate
//     post-dominator is then the end of the program), so a program has either of the two.
#pragma once

#include <cstdint>

#include "program.h"
#include "reference.h"

namespace heddle::properties {

struct Generated {
    Program program;
    Result expected;
};

// Always the same program for the same arguments.
[[nodiscard]] Generated generate(std::uint64_t seed, const Shape& shape);
// One whose threads all take the same way.
[[nodiscard]] Generated generate_uniform(std::uint64_t seed, const Shape& shape);

} // namespace heddle::properties
