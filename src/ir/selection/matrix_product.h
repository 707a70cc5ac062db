// The micro-ops of a product of matrices.
#pragma once

#include <array>
#include <vector>

#include "ir/selection/lowering.h"

namespace heddle::ir {

// The places of a product's operands: registers in the order of the fragments. A factor in shared memory has none.
struct ProductPlaces {
    std::vector<Place> d, a, b, c;
    Place descriptor_a = kNowhere, descriptor_b = kNowhere;
    Place metadata = kNowhere; // of a sparse matrix A
    Place adds_c = kNowhere;   // wgmma: a predicate
    bool adds_negated = false;
};

// Emits the product, a micro-op for each part of d: four registers, or the eight columns of a micro-op of wgmma.
void multiply_in_parts(FunctionLowering& f, Opcode opcode, const Matrix& matrix, const ProductPlaces& places);

} // namespace heddle::ir
