#include "exec/fault_report.h"

#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "exec/address_ranges.h"
#include "exec/program_text.h"

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;
using ir::Space;

namespace {

constexpr Address kNearNull = 4096;

std::string_view verb(const MicroOp& op) {
    switch (op.kind) {
    case Kind::Load:
        return "load";
    case Kind::Store:
        return "store";
    default:
        return "atomic access";
    }
}

std::string plural(std::uint64_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// "'x' (4096 bytes at 0x100000001000)"
std::string describe(const Allocation& a) {
    return fmt::format("{}'{}' ({} at {:#x})", a.live ? "" : "freed ", a.label, plural(a.bytes, "byte"), a.begin);
}

// The position of [address, address + bytes) relative to an allocation.
std::string relation(const Allocation& a, Address address, unsigned bytes) {
    const std::string name = describe(a);
    if (address < a.begin) {
        const std::uint64_t before = a.begin - address;
        if (before < bytes)
            return fmt::format("it begins {} before {}", plural(before, "byte"), name);
        return fmt::format("the address is {} before the begin of {}", plural(before, "byte"), name);
    }
    if (address >= a.end()) {
        const std::uint64_t behind = address - a.end();
        return behind == 0 ? fmt::format("the address is directly behind the end of {}", name)
                           : fmt::format("the address is {} behind the end of {}", plural(behind, "byte"), name);
    }
    if (!a.live)
        return fmt::format("the address is {} into {}", plural(address - a.begin, "byte"), name);
    return fmt::format("it runs {} past the end of {}", plural(address + bytes - a.end(), "byte"), name);
}

struct Window {
    std::string_view memory; // "shared memory of the block"
    std::uint64_t bytes;
    Address offset;

    [[nodiscard]] bool holds(unsigned accessed) const {
        return bytes >= accessed && offset <= bytes - accessed;
    }
};

std::string report(const Window& w, const MicroOp& op, unsigned bytes) {
    return fmt::format("out-of-bounds {} of {} at offset {:#x} in {}, which has {}", verb(op), plural(bytes, "byte"),
                       w.offset, w.memory, plural(w.bytes, "byte"));
}

} // namespace

std::string FaultReporter::describe_thread(RowId row, unsigned lane) const {
    const Dim3 block = state_.ctaid(row);
    const Dim3 shape = state_.launch().block;
    const std::uint32_t t = state_.thread_of(row, lane);
    return fmt::format("block ({},{},{}) thread ({},{},{})", block.x, block.y, block.z, t % shape.x,
                       t / shape.x % shape.y, t / shape.x / shape.y);
}

std::string FaultReporter::whole_report(Pc pc, RowId row, unsigned lane, const std::string& what,
                                        const std::string& more) const {
    const ir::Program& program = state_.code().program();
    std::string out = fmt::format("{}\n", what);
    if (!more.empty())
        out += fmt::format("  {}\n", more);
    out += fmt::format("  kernel '{}' at {}\n", readable_name(state_.launch().kernel->name), place_text(program, pc));
    if (const std::string text = instruction_text(program, pc); !text.empty())
        out += fmt::format("    {}\n", text);
    out += fmt::format("  {}", describe_thread(row, lane));
    return out;
}

void FaultReporter::fault(Fault::Kind kind, Pc pc, RowId row, unsigned lane, const std::string& what,
                          const std::string& more) const {
    throw Fault(kind, whole_report(pc, row, lane, what, more));
}

std::string FaultReporter::overrun(const MicroOp& op, Pc pc, RowId row, unsigned lane, Address address) const {
    std::string more;
    const std::string what = address_error(op, row, state_.code().bound(pc).bytes, address, more);
    return whole_report(pc, row, lane, what, more);
}

void FaultReporter::memory_fault(const MicroOp& op, Pc pc, const Segment& s, const Address* address) const {
    const unsigned bytes = state_.code().bound(pc).bytes;
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        std::string more;
        const std::string what = address_error(op, s.row, bytes, address[i], more);
        const bool aligned = address[i] % bytes == 0;
        if (!what.empty())
            fault(aligned ? Fault::Kind::Address : Fault::Kind::Misaligned, pc, s.row, s.lane(i), what, more);
    }
    fault(Fault::Kind::Address, pc, s.row, s.lane(static_cast<unsigned>(std::countr_zero(s.mask))), "access refused");
}

std::string FaultReporter::cluster_error(const MicroOp& op, RowId row, unsigned bytes, Address address) const {
    const auto rank = static_cast<unsigned>(address >> kRankShift) - 1;
    const Address offset = address & kOffsetInBlock;
    const Cluster* const cluster = state_.cluster(state_.row(row).slot);
    const unsigned blocks = cluster == nullptr ? 1 : cluster->blocks;
    const std::byte* const memory = state_.shared_of_rank(row, rank);
    const std::string access = fmt::format("{} of {} at offset {:#x} in shared memory of block {} of the cluster",
                                           verb(op), plural(bytes, "byte"), offset, rank);
    if (memory == nullptr)
        return access + (rank < blocks ? ", which has ended" : fmt::format(", which has {}", plural(blocks, "block")));
    if (op.space == Space::Shared && memory != state_.shared_of(row))
        return access + ": .shared::cta reaches the thread's own block alone, .shared::cluster the others, too";
    const Window window{"shared memory of a block of the cluster", state_.shared_bytes(), offset};
    return window.holds(bytes) ? std::string{} : report(window, op, bytes);
}

std::string FaultReporter::address_error(const MicroOp& op, RowId row, unsigned bytes, Address address,
                                         std::string& more) const {
    const bool generic_shared = op.space == Space::Generic && in_window(address, kSharedWindow);
    const bool shared = op.space == Space::Shared || op.space == Space::SharedCluster || generic_shared;
    const Address in_shared = generic_shared ? address - kSharedWindow : address;
    const bool names_block = shared && state_.launch().clusters != nullptr && in_shared >> kRankShift != 0;
    Window window{};
    if (shared)
        window = {"shared memory of the block", state_.shared_bytes(), address};
    else if (op.space == Space::Local || (op.space == Space::Generic && address - kLocalWindow < kWindowBytes))
        window = {"local memory of the thread", state_.launch().kernel->local_bytes, address};
    else if (op.space == Space::Param || (op.space == Space::Generic && address - kParameterWindow < kWindowBytes))
        window = {"the kernel's parameters", state_.launch().parameters.size(), address};

    if (address % bytes != 0)
        return fmt::format("misaligned {} of {} at {:#x}: the address must be a multiple of {}", verb(op),
                           plural(bytes, "byte"), address, bytes);
    if (names_block)
        return cluster_error(op, row, bytes, in_shared);
    if (!window.memory.empty()) {
        if (op.space == Space::Generic)
            window.offset &= kWindowBytes - 1;
        if ((op.space == Space::Param || address - kParameterWindow < kWindowBytes) && op.kind != Kind::Load)
            return "store to the kernel's parameters, which are read-only";
        return window.holds(bytes) ? std::string{} : report(window, op, bytes);
    }

    const Allocation* const a = image_.find(address, bytes);
    if (a != nullptr && op.kind == Kind::Load)
        return {};
    if (a != nullptr && !a->is_out_of_reach()) {
        if (!a->read_only && !a->constant)
            return {};
        more = fmt::format("the address is {} into {}", plural(address - a->begin, "byte"), describe(*a));
        return fmt::format("{} of {} at {:#x} in {} memory", verb(op), plural(bytes, "byte"), address,
                           a->constant ? "constant" : "read-only");
    }
    more = surroundings(address, bytes);
    const Allocation* near = image_.nearest(address);
    return fmt::format(
        "{} {} of {} at {:#x} in {} memory",
        near != nullptr && !near->live && address >= near->begin && address < near->end() ? "use-after-free"
                                                                                          : "out-of-bounds",
        verb(op), plural(bytes, "byte"), address, op.space == Space::Generic ? "generic" : ptx::name_of(op.space));
}

// An address that was computed from a null pointer. After an allocation has failed, that pointer is probably its
// result.
std::string FaultReporter::near_null(Address address) const {
    std::string text =
        address == 0 ? "the address is null" : fmt::format("the address is {} from null", plural(address, "byte"));
    if (const MemoryImage::Refused& refused = image_.last_refused(); !refused.label.empty())
        text += fmt::format("; an allocation of {} ('{}') has failed before: the device has {} (device.memory)",
                            plural(refused.bytes, "byte"), refused.label, plural(image_.capacity(), "byte"));
    return text;
}

std::string FaultReporter::surroundings(Address address, unsigned bytes) const {
    if (address < (image_.last_refused().label.empty() ? kNearNull : kSharedWindow))
        return near_null(address);
    if (address - kSharedWindow < kWindowBytes)
        return fmt::format("the address is a generic one of shared memory, offset {:#x}", address - kSharedWindow);
    if (address - kLocalWindow < kWindowBytes)
        return fmt::format("the address is a generic one of local memory, offset {:#x}", address - kLocalWindow);
    const Allocation* near = image_.nearest(address);
    return near == nullptr ? "nothing is allocated" : relation(*near, address, bytes);
}

} // namespace heddle::exec
