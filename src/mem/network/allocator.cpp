#include "mem/network/allocator.h"

#include "config/choices.h"
#include "mem/network/guard.h"

namespace heddle::mem {

template <>
Allocators<Ports64>& crossbar_allocators<Ports64>() {
    return config::choices<Allocators<Ports64>>("allocator", guard<Ports64>);
}

template <>
Allocators<Ports256>& crossbar_allocators<Ports256>() {
    static Allocators<Ports256> registry("allocator", guard<Ports256>);
    return registry;
}

template <>
Allocators<Ports1024>& crossbar_allocators<Ports1024>() {
    static Allocators<Ports1024> registry("allocator", guard<Ports1024>);
    return registry;
}

} // namespace heddle::mem
