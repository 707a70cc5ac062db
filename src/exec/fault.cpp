// Reports of what a thread did wrong.
#include <bit>

#include <fmt/format.h>

#include "exec/executor_impl.h"

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

// Where [address, address + bytes) lies with regard to an allocation.
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
};

std::string_view trimmed(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view{}
                                           : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

std::string report(const Window& w, const MicroOp& op, unsigned bytes) {
    return fmt::format("out-of-bounds {} of {} at offset {:#x} in {}, which has {}", verb(op), plural(bytes, "byte"),
                       w.offset, w.memory, plural(w.bytes, "byte"));
}

} // namespace

std::string Executor::Impl::place_text(Pc pc) const {
    return pc < program->origins.size() ? program->describe(pc) : fmt::format("micro-op {}", pc);
}

std::string Executor::Impl::instruction_text(Pc pc) const {
    if (pc >= program->origins.size())
        return {};
    const ir::Origin& origin = program->origins[pc];
    if (origin.unit >= program->units.size() || program->units[origin.unit].source == nullptr)
        return {};
    return std::string(trimmed(program->units[origin.unit].source->line(origin.where.line)));
}

std::string Executor::describe_thread(RowId row, unsigned lane) const {
    const Impl& x = *impl_;
    const Dim3 block = x.ctaid[x.rows[row].slot];
    const Dim3 shape = x.launch.block;
    const std::uint32_t t = x.thread_of(row, lane);
    return fmt::format("block ({},{},{}) thread ({},{},{})", block.x, block.y, block.z, t % shape.x,
                       t / shape.x % shape.y, t / shape.x / shape.y);
}

void Executor::Impl::fault(Fault::Kind kind, Pc pc, RowId row, unsigned lane, const std::string& what,
                           const std::string& more) const {
    std::string out = fmt::format("{}\n", what);
    if (!more.empty())
        out += fmt::format("  {}\n", more);
    out += fmt::format("  kernel '{}' at {}\n", launch.kernel->name, place_text(pc));
    if (const std::string text = instruction_text(pc); !text.empty())
        out += fmt::format("    {}\n", text);
    out += fmt::format("  {}", owner->describe_thread(row, lane));
    throw Fault(kind, out);
}

// Finds the first lane at fault and says what is wrong with its address.
void Executor::Impl::memory_fault(const MicroOp& op, Pc pc, const Segment& s, const Address* address) const {
    for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        std::string more;
        const std::string what = address_error(op, bound[pc].bytes, address[i], more);
        const bool aligned = address[i] % bound[pc].bytes == 0;
        if (!what.empty())
            fault(aligned ? Fault::Kind::Address : Fault::Kind::Misaligned, pc, s.row, s.lane(i), what, more);
    }
    fault(Fault::Kind::Address, pc, s.row, s.lane(static_cast<unsigned>(std::countr_zero(s.mask))), "access refused");
}

std::string Executor::Impl::address_error(const MicroOp& op, unsigned bytes, Address address, std::string& more) const {
    Window window{};
    if (op.space == Space::Shared || (op.space == Space::Generic && address - kSharedWindow < kWindowBytes))
        window = {"shared memory of the block", shared_bytes, address};
    else if (op.space == Space::Local || (op.space == Space::Generic && address - kLocalWindow < kWindowBytes))
        window = {"local memory of the thread", launch.kernel->local_bytes, address};
    else if (op.space == Space::Param)
        window = {"the kernel's parameters", launch.parameters.size(), address};

    if (address % bytes != 0)
        return fmt::format("misaligned {} of {} at {:#x}: the address must be a multiple of {}", verb(op),
                           plural(bytes, "byte"), address, bytes);
    if (!window.memory.empty()) {
        if (op.space == Space::Generic)
            window.offset -= address >= kLocalWindow ? kLocalWindow : kSharedWindow;
        if (op.space == Space::Param && op.kind != Kind::Load)
            return "store to the kernel's parameters, which are read-only";
        const bool good = window.bytes >= bytes && window.offset <= window.bytes - bytes;
        return good ? std::string{} : report(window, op, bytes);
    }

    if (const Allocation* a = image.find(address, bytes)) {
        if (!a->read_only || op.kind == Kind::Load)
            return {};
        more = fmt::format("the address is {} into {}", plural(address - a->begin, "byte"), describe(*a));
        return fmt::format("{} of {} at {:#x} in read-only memory", verb(op), plural(bytes, "byte"), address);
    }
    const Allocation* near = image.nearest(address);
    if (address < kNearNull)
        more =
            address == 0 ? "the address is null" : fmt::format("the address is {} from null", plural(address, "byte"));
    else if (address - kSharedWindow < kWindowBytes)
        more = fmt::format("the address is a generic one of shared memory, offset {:#x}", address - kSharedWindow);
    else if (address - kLocalWindow < kWindowBytes)
        more = fmt::format("the address is a generic one of local memory, offset {:#x}", address - kLocalWindow);
    else if (near == nullptr)
        more = "nothing is allocated";
    else
        more = relation(*near, address, bytes);
    return fmt::format(
        "{} {} of {} at {:#x} in {} memory",
        near != nullptr && !near->live && address >= near->begin && address < near->end() ? "use-after-free"
                                                                                          : "out-of-bounds",
        verb(op), plural(bytes, "byte"), address, op.space == Space::Generic ? "generic" : ptx::name_of(op.space));
}

} // namespace heddle::exec
