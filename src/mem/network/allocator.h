// The allocator contract: which inputs of a crossbar may send to which outputs in one slot. An allocator sees masks
// and no packets.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "base/registry.h"
#include "base/types.h"

namespace heddle::mem {

inline constexpr unsigned kMaxPorts = 64; // inputs, and outputs, of a crossbar: one bit each

using PortMask = std::uint64_t; // bit i: input, or output, i

[[nodiscard]] constexpr PortMask port_bit(unsigned port) {
    return PortMask{1} << port;
}
// The first so many.
[[nodiscard]] constexpr PortMask all_ports(unsigned count) {
    return count < kMaxPorts ? port_bit(count) - 1 : ~PortMask{0};
}
// Calls f(port) for each, in ascending order.
template <class F>
void for_each_port(PortMask ports, F&& f) {
    for (; ports != 0; ports &= ports - 1)
        f(static_cast<unsigned>(std::countr_zero(ports)));
}

struct AllocatorShape {
    unsigned inputs = 1;
    unsigned outputs = 1;
    unsigned iterations = 1; // of request, grant and accept in one slot, for allocators that have them
    std::uint64_t seed = 0;  // for allocators that draw lots
};

// What is asked for in one slot. The two arrays also hold requests of busy ports.
struct Requests {
    PortMask inputs;           // free inputs that ask for something
    PortMask outputs;          // free outputs that are asked for
    const PortMask* of_output; // [output]: the inputs that ask for it
    const PortMask* of_input;  // [input]: the outputs it asks for
    const Cycle* since;        // [output * shape.inputs + input]: network cycle in which the packet that asks came
};

struct Match {
    PortMask outputs = 0;
    std::array<std::uint8_t, kMaxPorts> input; // of each member of `outputs`
};

class Allocator {
public:
    Allocator() = default;
    virtual ~Allocator() = default;
    Allocator(const Allocator&) = delete;
    Allocator& operator=(const Allocator&) = delete;

    // Fills `match`, which comes empty, with pairs that `requests` asks for; an output is in one pair, an input, too,
    // where inputs_contend(). Called only when a free input and a free output ask, perhaps not for each other.
    virtual void allocate(const Requests& requests, Match& match) = 0;

    // False: an input may send to any number of outputs at once and is never busy.
    [[nodiscard]] virtual bool inputs_contend() const {
        return true;
    }
};

// Allocators by name. An allocator's file ends with HEDDLE_ALLOCATOR(Class, "name", "meaning", "source"); its
// constructor takes (const AllocatorShape&).
using Allocators = Registry<Allocator, const AllocatorShape&>;
[[nodiscard]] Allocators& crossbar_allocators();

#define HEDDLE_ALLOCATOR(Class, name, meaning, source)                                                                 \
    const ::heddle::Registrar heddle_register_##Class(                                                                 \
        ::heddle::mem::crossbar_allocators(),                                                                          \
        {name, meaning, source,                                                                                        \
         [](const ::heddle::mem::AllocatorShape& shape) -> std::unique_ptr<::heddle::mem::Allocator> {                 \
             return std::make_unique<Class>(shape);                                                                    \
         }})

} // namespace heddle::mem
