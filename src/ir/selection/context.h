// What the functions of a unit have in common while they are lowered.
#pragma once

#include "base/source.h"
#include "ir/isa/names.h"
#include "ir/lower.h"

namespace heddle::ir {

struct Context {
    const ModuleNames& names;
    const UnitNames& unit; // the unit of the function
    const VariableAddress& address_of;
    Diagnostics& diagnostics; // of the unit's text
    // The function is in a recursive cycle: its .local variables are on the stack.
    bool recurses = false;
};

} // namespace heddle::ir
