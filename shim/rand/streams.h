// The streams of the generators whose numbers depend on the ones before: their states at the begin, and jumps ahead.
#pragma once

#include <vector>

#include "kernels/generators.h"

namespace heddle::rand {

// The states after so many numbers of stream 0
[[nodiscard]] Xorwow jump(const Xorwow&, Wide numbers);
[[nodiscard]] Mrg jump(const Mrg&, Wide numbers);
// The states after 2^exponent numbers
[[nodiscard]] Xorwow jump_power(const Xorwow&, int exponent);
[[nodiscard]] Mrg jump_power(const Mrg&, int exponent);

// The state of stream 0. Seed 0: the published one, of XORWOW Marsaglia's, of MRG32k3a six times 12345.
[[nodiscard]] Xorwow xorwow_of(Wide seed);
[[nodiscard]] Mrg mrg_of(Wide seed);

// The words of the states of all streams, as kernels have them, when `offset` numbers have been taken of them in turn.
// Neighbouring streams of XORWOW are 2^67 numbers apart, of MRG32k3a 2^76.
[[nodiscard]] std::vector<Word> streams_of(Xorwow first, Wide offset);
[[nodiscard]] std::vector<Word> streams_of(Mrg first, Wide offset);

} // namespace heddle::rand
