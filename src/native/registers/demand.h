// Registers that code needs beside those that hold values.
#pragma once

#include <cstdint>
#include <vector>

#include "native/flow/liveness.h"

namespace heddle::native {

// When a register that nothing needs any more should not be written, because an access to memory may not have read it:
// by part. A load has read its address when its result is awaited, and 11 cycles after it issued (arXiv 2503.20481);
// at most one instruction issues a cycle.
[[nodiscard]] std::vector<std::vector<Span>> unread_spans(const Function& function, const Parts& parts,
                                                          const std::vector<std::vector<Span>>& spans);

// The most registers where routines are called: those of a routine (routine.h), those that live on behind its call, and
// those that no instruction names. 0: none has registers of its own.
[[nodiscard]] std::uint32_t registers_at_routines(const Function& function, const Parts& parts,
                                                  const std::vector<std::vector<Span>>& spans);

} // namespace heddle::native
