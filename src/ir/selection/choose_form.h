// The form of an instruction by its types, and the check of its modifiers.
#pragma once

#include "ir/isa/forms.h"
#include "ir/selection/cursor.h"

namespace heddle::ir {

// The form of the current instruction. Null when there is none: an error is reported.
[[nodiscard]] const Form* choose_form(Opcode opcode, const Modifiers& modifiers, Cursor& cursor);

} // namespace heddle::ir
