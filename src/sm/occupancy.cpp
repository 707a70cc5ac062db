#include "sm/occupancy.h"

namespace heddle::sm {

Occupancy occupancy(const CoreConfig& core, std::uint64_t shared_bytes, const exec::Launch& launch) {
    const std::uint64_t rows = (launch.block.count() + core.width - 1) / core.width;
    const std::uint64_t registers = rows * core.width * launch.kernel->registers;
    std::uint64_t most = core.threads / core.width / rows;
    Occupancy out{0, "threads"};
    const auto limit = [&](std::uint64_t blocks, std::string_view resource) {
        if (blocks >= most)
            return;
        most = blocks;
        out.limited_by = resource;
    };
    limit(core.blocks, "blocks");
    if (core.registers != 0 && registers != 0)
        limit(core.registers / registers, "registers");
    if (const std::uint64_t shared = launch.shared_bytes(); shared != 0)
        limit(shared_bytes / shared, "shared memory");
    out.blocks = static_cast<unsigned>(most);
    return out;
}

} // namespace heddle::sm
