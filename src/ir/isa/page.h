// The page docs/ptx-isa.md, from the tables of this folder.
#pragma once

#include <string>

namespace heddle::ir {

// Every instruction of PTX with its state: executed, or parsed and refused, with the reason. Markdown.
[[nodiscard]] std::string isa_page();

} // namespace heddle::ir
