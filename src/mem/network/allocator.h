// The allocator contract: which inputs of a crossbar may send to which outputs in one slot. An allocator works on masks
// of ports; packets are not visible to it.
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
// returns its result.
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
    std::uint64_t seed = 0;  // for allocators with random choices
};

// The requests in one slot. The two arrays also hold requests of busy ports.
template <class PortMask>
struct Requests {
    PortMask inputs;           // free inputs with a request
    PortMask outputs;          // free outputs that an input requests
    const PortMask* of_output; // [output]: the inputs that request it
    const PortMask* of_input;  // [input]: the outputs that it requests
    const Cycle* since;        // [output * shape.inputs + input]: network cycle in which the requesting packet came
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

    // Fills `match`, which is empty before, with pairs of `requests`; an output is in at most one pair, and so is an
    // input where inputs_contend(). Called only when a free input and a free output have requests, perhaps of different
    // pairs.
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
