// Memory of the program that cudaHostRegister took.
#pragma once

#include <optional>

#include "state.h"

namespace heddle::cudart {

// The two addresses of a byte. The device has one (else null) since a program asked for it.
struct Registered {
    void* in_program;
    void* on_device;
};
// By either of them; nothing: the byte is of other memory.
std::optional<Registered> registered_at(const State& state, Address address);

// Ends all registrations.
void unregister_all(State& state);

} // namespace heddle::cudart
