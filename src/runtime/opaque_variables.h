// Opaque variables of modules (.texref, .samplerref, .surfref): what their initialisers say.
#pragma once

#include "base/source.h"
#include "exec/texture.h"
#include "ptx/syntax.h"

namespace heddle::runtime {

// The object of a variable: nothing is bound to a texture or surface. Reports fields that are not understood.
[[nodiscard]] exec::Texture opaque_object(const ptx::Variable& variable, Diagnostics& diagnostics);

} // namespace heddle::runtime
