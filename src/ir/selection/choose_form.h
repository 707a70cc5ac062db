// The form of an instruction by its types, and the check of its modifiers.
#pragma once

#include "ir/isa/forms.h"
#include "ir/selection/cursor.h"
#include "ir/selection/emitter.h"

namespace heddle::ir {

// The form of the current instruction. Null when there is none: an error is reported, or a placeholder emitted for
// 16-bit types, which later versions of PTX allow for more and more instructions.
[[nodiscard]] const Form* choose_form(Opcode opcode, const Modifiers& modifiers, Cursor& cursor, Emitter& emitter);

} // namespace heddle::ir
