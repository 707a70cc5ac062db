// The work of a product of matrices.
#pragma once

#include "ir/isa/matrix.h"

namespace heddle::ir {

// Multiply-adds of a micro-op Wmma, Mma or Wgmma, over all lanes. A micro-op gives four registers of a thread's result
// at most: half of the products whose result has eight. Elements of sparse matrices that are zeros are none.
[[nodiscard]] unsigned multiply_adds(const Matrix&);
// MicroOp::domain: that of the sums.
[[nodiscard]] Domain domain_of(const Matrix&);

} // namespace heddle::ir
