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
};

} // namespace heddle::ir
