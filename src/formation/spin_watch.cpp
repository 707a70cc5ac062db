#include "formation/spin_watch.h"

#include <algorithm>

namespace heddle::formation {

template <class F>
bool SpinWatch::each_frame(std::span<const RowId> rows, F&& f) const {
    for (const RowId row : rows)
        for (unsigned half = 0; half < executor_->halves(); ++half)
            if (!f(std::span<const std::byte>(executor_->frame(row, half))))
                return false;
    return true;
}

bool SpinWatch::repeats(RowId stack, UnitId unit, Pc pc, std::span<const RowId> rows, std::uint64_t spun) {
    if (executor_ == nullptr)
        return true;
    State& state = states_[stack];
    // The kept state is from an earlier wait, or so old that its instruction may not be in the loop.
    if (spun <= state.spun || spun >= 2 * state.spun) {
        state = {unit, pc, spun, {}};
        each_frame(rows, [&](std::span<const std::byte> frame) {
            state.registers.insert(state.registers.end(), frame.begin(), frame.end());
            return true;
        });
        return false;
    }
    if (state.unit != unit || state.pc != pc)
        return false;
    auto kept = state.registers.begin();
    return each_frame(rows, [&](std::span<const std::byte> frame) {
        if (static_cast<std::size_t>(state.registers.end() - kept) < frame.size())
            return false;
        const bool same = std::equal(frame.begin(), frame.end(), kept);
        kept += static_cast<std::ptrdiff_t>(frame.size());
        return same;
    });
}

} // namespace heddle::formation
