#include "sm/sub_core/phase_tests.h"

#include <cstring>

namespace heddle::sm {

bool PhaseTests::is_over(const warp::Flight& flight) const {
    const warp::Group& group = flight.group;
    const ir::Place place = program_.native[group.pc].phase;
    for (unsigned p = 0; p < group.parts; ++p) {
        const auto [row, lanes] = group.part[p];
        const LaneMask tested = executor_.guard(group.pc, row, lanes);
        for (unsigned half = 0; half < executor_.halves(); ++half) {
            std::uint32_t over = 0;
            std::memcpy(&over, executor_.frame(row, half).data() + place, sizeof over);
            if ((static_cast<std::uint32_t>(tested >> 32 * half) & ~over) != 0)
                return false;
        }
    }
    return true;
}

} // namespace heddle::sm
