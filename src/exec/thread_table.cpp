#include "exec/thread_table.h"

namespace heddle::exec {

using ir::SpecialRegister;

std::optional<ThreadTable::Column> ThreadTable::column_of(SpecialRegister which) {
    switch (which) {
    case SpecialRegister::TidX:
        return kTidX;
    case SpecialRegister::TidY:
        return kTidY;
    case SpecialRegister::TidZ:
        return kTidZ;
    case SpecialRegister::Laneid:
        return kLane;
    case SpecialRegister::Warpid:
        return kWarp;
    case SpecialRegister::LanemaskEq:
        return kMaskEq;
    case SpecialRegister::LanemaskLe:
        return kMaskLe;
    case SpecialRegister::LanemaskLt:
        return kMaskLt;
    case SpecialRegister::LanemaskGe:
        return kMaskGe;
    case SpecialRegister::LanemaskGt:
        return kMaskGt;
    default:
        return std::nullopt;
    }
}

void ThreadTable::fill(Dim3 block) {
    const auto threads = static_cast<std::size_t>(block.count());
    length_ = threads + kMaxWidth; // the last row may be filled in part
    values_.assign(length_ * kColumns, 0);
    for (std::size_t t = 0; t < threads; ++t) {
        const auto put = [&](Column column, std::size_t value) {
            values_[column * length_ + t] = static_cast<std::uint32_t>(value);
        };
        const auto eq = std::uint32_t{1} << (t % kPtxWarp);
        put(kTidX, t % block.x);
        put(kTidY, t / block.x % block.y);
        put(kTidZ, t / block.x / block.y);
        put(kLane, t % kPtxWarp);
        put(kWarp, t / kPtxWarp);
        put(kMaskEq, eq);
        put(kMaskLt, eq - 1);
        put(kMaskLe, eq | (eq - 1));
        put(kMaskGe, ~(eq - 1));
        put(kMaskGt, ~(eq | (eq - 1)));
    }
}

} // namespace heddle::exec
