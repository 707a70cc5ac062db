#include "sm/frame/occupancy.h"

#include <algorithm>

#include "base/round_up.h"

namespace heddle::sm {

namespace {

constexpr std::uint64_t kMostNative = 255; // registers that a thread can name,
constexpr std::uint64_t kMostOfFermi = 63; // and on chips of compute capability 2

std::uint64_t rows_of(std::uint64_t threads, const CoreConfig& core) {
    return (threads + core.width - 1) / core.width;
}

// Rows of which each register file holds its part.
std::uint64_t rows_with(std::uint64_t registers, const CoreConfig& core) {
    const std::uint64_t of_file = core.registers / core.register_files;
    return of_file / round_up(registers * core.width, core.register_unit) * core.register_files;
}

// The most registers of a thread with which so many rows fit.
std::uint64_t room_for(std::uint64_t rows, const CoreConfig& core) {
    const std::uint64_t of_file = (rows + core.register_files - 1) / core.register_files;
    return core.registers / core.register_files / of_file / core.register_unit * core.register_unit / core.width;
}

// The registers of a thread of a block that has no room with those of registers_of().
std::uint64_t fewer_registers(const CoreConfig& core, const ir::Kernel& kernel, std::uint64_t rows) {
    if (core.code == "native")
        return room_for(rows, core);
    return kernel.code_registers == 0 ? kMostOfFermi : std::min<std::uint64_t>(kernel.code_registers, kMostOfFermi);
}

std::uint64_t blocks_with(std::uint64_t registers, const CoreConfig& core, const ir::Kernel& kernel,
                          std::uint64_t rows) {
    if (const std::uint64_t blocks = rows_with(registers, core) / rows; blocks != 0)
        return blocks;
    const std::uint64_t fewer = fewer_registers(core, kernel, rows);
    return fewer != 0 && fewer < registers ? rows_with(fewer, core) / rows : 0;
}

} // namespace

SharedRoom::SharedRoom(const config::Machine& machine)
    : bytes(machine.get<SharedConfig>().size), reserve(machine.get<L1Config>().reserve),
      unit(machine.get<SharedConfig>().unit) {}

std::uint32_t registers_of(const CoreConfig& core, const ir::Kernel& kernel) {
    constexpr std::uint64_t kLeastNamed = 24; // as ptxas
    std::uint64_t most = core.code == "native" ? kMostNative : kernel.registers;
    if (kernel.most_registers != 0)
        most = std::min(most, std::max<std::uint64_t>(kernel.most_registers, kLeastNamed));
    if (core.registers != 0 && kernel.max_threads != 0) {
        const std::uint64_t of_block = rows_of(kernel.max_threads, core), all = of_block * kernel.least_blocks;
        const bool counts = all != 0 && all * core.width <= core.threads;
        most = std::min(most, room_for(counts ? all : of_block, core));
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(kernel.registers, std::max<std::uint64_t>(most, 1)));
}

std::uint64_t registers_for(const CoreConfig& core, std::uint64_t threads) {
    return room_for(std::max<std::uint64_t>(rows_of(threads, core), 1), core);
}

Occupancy occupancy(const CoreConfig& core, const SharedRoom& shared, const exec::Launch& launch) {
    const std::uint64_t rows = rows_of(launch.block.count(), core);
    std::uint64_t most = core.threads / core.width / rows;
    Occupancy out{0, "threads"};
    const auto limit = [&](std::uint64_t blocks, std::string_view resource) {
        if (blocks >= most)
            return;
        most = blocks;
        out.limited_by = resource;
    };
    limit(core.blocks, "blocks");
    if (const std::uint64_t registers = registers_of(core, *launch.kernel); core.registers != 0 && registers != 0)
        limit(blocks_with(registers, core, *launch.kernel, rows), "registers");
    const std::uint64_t reachable = launch.reachable_shared_bytes(); // of a machine without a reserve
    if (const std::uint64_t bytes = std::max(launch.shared_bytes() + shared.reserve, reachable); bytes != 0)
        limit(shared.bytes / round_up(bytes, shared.unit), "shared memory");
    out.blocks = static_cast<unsigned>(most);
    return out;
}

std::uint64_t carve_out(const CoreConfig& core, std::span<const std::uint64_t> sizes, const SharedRoom& shared,
                        const exec::Launch& launch) {
    const auto blocks = [&](std::uint64_t size) {
        return occupancy(core, {size, shared.reserve, shared.unit}, launch).blocks;
    };
    const unsigned most = blocks(sizes.back());
    return *std::find_if(sizes.begin(), sizes.end(), [&](std::uint64_t size) { return blocks(size) == most; });
}

} // namespace heddle::sm
