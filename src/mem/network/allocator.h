// The allocator contract: which inputs of a crossbar may send to which outputs in one slot. An allocator sees masks
// and no packets.
//
// Networks are compiled for masks of several sizes, and a machine takes the smallest that it fits in: each operation
// on a mask goes over all its words. PortMask is Ports64, Ports256 or Ports1024.
#pragma once

#include <array>
#include <cstdint>

#include "base/bit_mask.h"
#include "base/registry.h"
#include "base/types.h"

namespace heddle::mem {

// Bit i: input, or output, i.
using Ports64 = BitMask<1>;
using Ports256 = BitMask<4>;
using Ports1024 = BitMask<16>;
inline constexpr unsigned kMaxPorts = Ports1024::kSize; // inputs, and outputs, of a crossbar

// F is a template of functions: calls f.template operator()<PortMask>() for the smallest masks that hold `ports`, and
// returns what it does.
template <class F>
decltype(auto) with_ports(unsigned ports, F&& f) {
    if (ports <= Ports64::kSize)
        return f.template operator()<Ports64>();
    if (ports <= Ports256::kSize)
        return f.template operator()<Ports256>();
    return f.template operator()<Ports1024>();
}

struct AllocatorShape {
    unsigned inputs = 1;
    unsigned outputs = 1;
    unsigned iterations = 1; // of request, grant and accept in one slot, for allocators that have them
    std::uint64_t seed = 0;  // for allocators that draw lots
};

// What is asked for in one slot. The two arrays also hold requests of busy ports.
template <class PortMask>
struct Requests {
    PortMask inputs;           // free inputs that ask for something
    PortMask outputs;          // free outputs that are asked for
    const PortMask* of_output; // [output]: the inputs that ask for it
    const PortMask* of_input;  // [input]: the outputs it asks for
    const Cycle* since;        // [output * shape.inputs + input]: network cycle in which the packet that asks came
};

template <class PortMask>
struct Match {
    PortMask outputs;
    std::array<std::uint16_t, PortMask::kSize> input; // of each member of `outputs`
};

template <class PortMask>
class Allocator {
public:
    Allocator() = default;
    virtual ~Allocator() = default;
    Allocator(const Allocator&) = delete;
    Allocator& operator=(const Allocator&) = delete;

    // Fills `match`, which comes empty, with pairs that `requests` asks for; an output is in one pair, an input, too,
    // where inputs_contend(). Called only when a free input and a free output ask, perhaps not for each other.
    virtual void allocate(const Requests<PortMask>& requests, Match<PortMask>& match) = 0;

    // False: an input may send to any number of outputs at once and is never busy.
    [[nodiscard]] virtual bool inputs_contend() const {
        return true;
    }
};

// Allocators by name, the same ones for each PortMask. An allocator is a template; its file ends with
// HEDDLE_ALLOCATOR(Template, "name", "meaning", "source"); its constructor takes (const AllocatorShape&).
template <class PortMask>
using Allocators = Registry<Allocator<PortMask>, const AllocatorShape&>;
template <class PortMask = Ports64>
[[nodiscard]] Allocators<PortMask>& crossbar_allocators();

template <template <class> class Template>
bool register_allocator(const char* name, const char* meaning, const char* source) {
    crossbar_allocators<Ports64>().template add<Template<Ports64>>(name, meaning, source);
    crossbar_allocators<Ports256>().template add<Template<Ports256>>(name, meaning, source);
    return crossbar_allocators<Ports1024>().template add<Template<Ports1024>>(name, meaning, source);
}

#define HEDDLE_ALLOCATOR(Template, ...)                                                                                \
    [[maybe_unused]] const bool heddle_registered_##Template = ::heddle::mem::register_allocator<Template>(__VA_ARGS__)

} // namespace heddle::mem
