// A bench for exec: programs assembled by hand, one SM, registers read and written directly.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "exec/executor.h"
#include "exec/frame.h"

namespace heddle::exec::test {

using ir::Kind;
using ir::kNowhere;
using ir::MicroOp;
using ir::Opcode;
using ir::Place;
using ir::Space;
using ir::Sub;
using ptx::Type;
using warp::Group;
using warp::Outcome;
using warp::Part;

inline constexpr std::uint32_t kSlots = 24;
inline constexpr std::uint32_t kPredicates = 4;

// 64-bit register r of 0..3 (slots 0 to 7), 32-bit register r of 0..15 (slots 8 to 23), predicate p of 0..3.
[[nodiscard]] constexpr Place rd(std::uint32_t r) {
    return slot_place(2 * r);
}
[[nodiscard]] constexpr Place r(std::uint32_t i) {
    return slot_place(8 + i);
}
[[nodiscard]] constexpr Place p(std::uint32_t i) {
    return predicate_place(kSlots, i);
}

// How the rows of a machine lie: their width, and whether even and odd threads of every other one change places.
struct Rows {
    unsigned width;
    bool swizzled;
};
inline constexpr Rows kRows[] = {{8, false}, {16, false}, {32, false}, {64, false},
                                 {8, true},  {16, true},  {32, true},  {64, true}};
inline std::string rows_name(const ::testing::TestParamInfo<Rows>& info) {
    return std::to_string(info.param.width) + (info.param.swizzled ? "swizzled" : "");
}

class Rig : public ::testing::Test {
protected:
    Rig() {
        program.kernels.emplace_back();
        kernel().name.assign(1, 'k');
        kernel().slots = kSlots;
        kernel().predicates = kPredicates;
        program.modules.emplace_back("t.ptx");
        program.units.emplace_back();
    }

    ir::Kernel& kernel() {
        return program.kernels[0];
    }

    // Appends a micro-op; its line of PTX is `line`.
    Pc emit(MicroOp op, const std::string& line = "?") {
        text.append("    ").append(line).append("\n");
        ir::Origin origin;
        origin.where = {static_cast<std::uint32_t>(program.ops.size()) + 2, 5};
        program.ops.push_back(op);
        program.origins.push_back(origin);
        return static_cast<Pc>(program.ops.size() - 1);
    }
    Place constant32(std::uint32_t value) {
        return constant(value);
    }
    Place constant64(std::uint64_t value) {
        return constant(value);
    }

    static MicroOp load(Type type, Space space, Place to, Place base, std::int64_t offset = 0,
                        unsigned register_bytes = 4) {
        MicroOp op;
        op.opcode = Opcode::Ld;
        op.kind = Kind::Load;
        op.type = type;
        op.space = space;
        op.dst[0] = to;
        op.dst_bytes = static_cast<std::uint8_t>(ptx::size_of(type) == 8 ? 8 : register_bytes);
        op.src_bytes = 8;
        op.src[0] = base;
        op.imm = offset;
        return op;
    }
    static MicroOp store(Type type, Space space, Place base, Place from, std::int64_t offset = 0,
                         unsigned register_bytes = 4) {
        MicroOp op;
        op.opcode = Opcode::St;
        op.kind = Kind::Store;
        op.type = type;
        op.space = space;
        op.src[0] = base;
        op.src[1] = from;
        op.src_bytes = static_cast<std::uint8_t>(ptx::size_of(type) == 8 ? 8 : register_bytes);
        op.dst_bytes = 8;
        op.imm = offset;
        return op;
    }
    static MicroOp atomic(Sub sub, Type type, Space space, Place to, Place base, Place b, Place c = kNowhere) {
        MicroOp op;
        op.opcode = to == kNowhere ? Opcode::Red : Opcode::Atom;
        op.kind = Kind::Atomic;
        op.sub = sub;
        op.type = type;
        op.space = space;
        op.dst[0] = to;
        op.src = {base, b, c, kNowhere, kNowhere};
        op.src_bytes = 8;
        op.dst_bytes = static_cast<std::uint8_t>(ptx::size_of(type));
        return op;
    }
    static MicroOp control(Opcode opcode, Kind kind, Place guard = kNowhere, bool negated = false) {
        MicroOp op;
        op.opcode = opcode;
        op.kind = kind;
        op.guard = guard;
        op.guard_negated = negated;
        return op;
    }
    static MicroOp special(ir::SpecialRegister which, Place to, unsigned bytes = 4) {
        MicroOp op;
        op.opcode = Opcode::MovSpecial;
        op.kind = Kind::Special;
        op.type = bytes == 8 ? Type::U64 : Type::U32;
        op.dst[0] = to;
        op.dst_bytes = static_cast<std::uint8_t>(bytes);
        op.imm = static_cast<std::int64_t>(which);
        return op;
    }

    void start(Rows rows, Dim3 block, unsigned blocks = 1, std::uint32_t dynamic_shared = 0) {
        swizzled = rows.swizzled;
        start(rows.width, block, blocks, dynamic_shared);
    }
    // Starts the kernel with one block, or `blocks` of them side by side in x.
    void start(unsigned width, Dim3 block, unsigned blocks = 1, std::uint32_t dynamic_shared = 0) {
        program.units[0].source = std::make_shared<SourceText>("t.ptx", text);
        kernel().begin = kernel().entry = 0;
        kernel().end = static_cast<Pc>(program.ops.size());
        executor = std::make_unique<Executor>(image, 3);
        executor->bind(program);
        rows_a_block = static_cast<unsigned>((block.count() + width - 1) / width);
        launch = {};
        launch.strict = strict;
        launch.program = &program;
        launch.kernel = &kernel();
        launch.grid = {blocks, 1, 1};
        launch.block = block;
        launch.dynamic_shared = dynamic_shared;
        launch.parameters = parameters;
        launch.width = width;
        launch.rows = rows_a_block * blocks;
        launch.block_slots = blocks;
        launch.swizzled = swizzled;
        launch.sms = 7;
        launch.grid_id = 11;
        executor->begin(launch);
        for (unsigned b = 0; b < blocks; ++b)
            executor->start_block(b, {b, 0, 0}, static_cast<RowId>(b * rows_a_block));
    }

    // Threads [first, last) of a block as one group.
    Group group(Pc pc, unsigned first, unsigned last, unsigned block = 0) {
        Group g;
        g.pc = pc;
        add(g, first, last, block);
        return g;
    }
    void add(Group& g, unsigned first, unsigned last, unsigned block = 0) {
        for (unsigned t = first; t < last; ++t, ++g.threads) {
            const RowId row = row_of(t, block);
            if (g.parts == 0 || g.part[g.parts - 1u].row != row)
                g.part[g.parts++] = {row, 0};
            g.part[g.parts - 1u].lanes |= LaneMask{1} << lane_of(t, block);
        }
    }
    [[nodiscard]] RowId row_of(unsigned thread, unsigned block) const {
        return static_cast<RowId>(block * rows_a_block + thread / launch.width);
    }
    [[nodiscard]] unsigned lane_of(unsigned thread, unsigned block) const {
        const unsigned lane = thread % launch.width;
        return swizzled && is_swizzled(row_of(thread, block), launch.width) ? lane ^ 1U : lane;
    }
    // Executes pc for all live threads of the block, kMaxWidth at a time; `outcome` and `access` are of the last group.
    void run(Pc pc, unsigned block = 0) {
        const auto threads = static_cast<unsigned>(launch.block.count());
        for (unsigned t = 0; t < threads; t += kMaxWidth)
            run(group(pc, t, std::min(t + kMaxWidth, threads), block));
    }
    void run(const Group& g, Cycle now = 0) {
        executor->execute(g, now, outcome, access);
    }
    std::string fault_of(const Group& g) {
        try {
            run(g);
        } catch (const Fault& f) {
            return f.what();
        }
        return "no fault";
    }

    std::uint32_t get(Place at, unsigned thread, unsigned block = 0) {
        return value<std::uint32_t>(at, thread, block);
    }
    std::uint64_t get64(Place at, unsigned thread, unsigned block = 0) {
        return value<std::uint64_t>(at, thread, block);
    }
    void set(Place at, unsigned thread, std::uint32_t v, unsigned block = 0) {
        value<std::uint32_t>(at, thread, block) = v;
    }
    void set64(Place at, unsigned thread, std::uint64_t v, unsigned block = 0) {
        value<std::uint64_t>(at, thread, block) = v;
    }
    bool predicate(Place at, unsigned thread) {
        return ((word(at, thread) >> (lane_of(thread, 0) % 32)) & 1) != 0;
    }
    void set_predicate(Place at, unsigned thread, bool v) {
        const std::uint32_t bit = 1U << (lane_of(thread, 0) % 32);
        word(at, thread) = (word(at, thread) & ~bit) | (v ? bit : 0);
    }

    template <class T>
    T memory(Address at) {
        T v;
        std::memcpy(&v, image.host(at), sizeof v);
        return v;
    }
    template <class T>
    void set_memory(Address at, T v) {
        std::memcpy(image.host(at), &v, sizeof v);
    }

    MemoryImage image{std::uint64_t{1} << 30};
    ir::Program program;
    std::string text{".version 7.5\n"};
    std::vector<std::byte> parameters;
    std::unique_ptr<Executor> executor;
    Launch launch;
    bool strict = true; // of the launch
    unsigned rows_a_block = 1;
    bool swizzled = false; // even and odd threads of every other row have swapped lanes
    Outcome outcome;
    Access access;

private:
    template <class T>
    Place constant(T v) {
        const std::size_t at = program.pool.size();
        program.pool.resize(at + 32 * sizeof(T));
        for (unsigned i = 0; i < 32; ++i)
            std::memcpy(program.pool.data() + at + i * sizeof(T), &v, sizeof v);
        return static_cast<Place>(at) | ir::kPool;
    }
    std::byte* frame_of(unsigned thread, unsigned block) {
        return executor->frame(row_of(thread, block), lane_of(thread, block) / 32).data();
    }
    template <class T>
    T& value(Place at, unsigned thread, unsigned block) {
        return reinterpret_cast<T*>(frame_of(thread, block) + at)[lane_of(thread, block) % 32];
    }
    std::uint32_t& word(Place at, unsigned thread) {
        return *reinterpret_cast<std::uint32_t*>(frame_of(thread, 0) + at);
    }
};

} // namespace heddle::exec::test
