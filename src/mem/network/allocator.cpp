#include "mem/network/allocator.h"

#include "config/parameter.h"

namespace heddle::mem {

Allocators& crossbar_allocators() {
    static Allocators registry("allocator");
    return registry;
}

namespace {

// Makes the names valid values of settings whose range says "allocator".
const bool heddle_choices = [] {
    config::register_choices("allocator", [] { return crossbar_allocators().names(); });
    return true;
}();

} // namespace
} // namespace heddle::mem
