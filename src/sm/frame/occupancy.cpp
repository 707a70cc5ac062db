#include "sm/frame/occupancy.h"

#include <algorithm>

namespace heddle::sm {

namespace {

std::uint64_t rows_of(std::uint64_t threads, const CoreConfig& core) {
    return (threads + core.width - 1) / core.width;
}

} // namespace

std::uint32_t registers_of(const CoreConfig& core, const ir::Kernel& kernel) {
    if (core.registers == 0 || kernel.max_threads == 0)
        return kernel.registers;
    const std::uint64_t room = core.registers / (rows_of(kernel.max_threads, core) * core.width);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(kernel.registers, std::max<std::uint64_t>(room, 1)));
}

Occupancy occupancy(const CoreConfig& core, std::uint64_t shared_bytes, const exec::Launch& launch,
                    std::uint64_t reserve) {
    const std::uint64_t rows = rows_of(launch.block.count(), core);
    const std::uint64_t registers = rows * core.width * registers_of(core, *launch.kernel);
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
    const std::uint64_t reachable = launch.reachable_shared_bytes(); // of a machine without a reserve
    if (const std::uint64_t shared = std::max(launch.shared_bytes() + reserve, reachable); shared != 0)
        limit(shared_bytes / shared, "shared memory");
    out.blocks = static_cast<unsigned>(most);
    return out;
}

std::uint64_t carve_out(const CoreConfig& core, std::span<const std::uint64_t> sizes, const exec::Launch& launch,
                        std::uint64_t reserve) {
    const unsigned most = occupancy(core, sizes.back(), launch, reserve).blocks;
    return *std::find_if(sizes.begin(), sizes.end(),
                         [&](std::uint64_t size) { return occupancy(core, size, launch, reserve).blocks == most; });
}

} // namespace heddle::sm
