#include "bare_loop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "exec/vector_ops.h"
#include "sm/load_store/coalescer.h"

namespace heddle::bench {
namespace {

constexpr unsigned kWarps = 48;
constexpr unsigned kSlots = 16;
constexpr std::size_t kSlotBytes = 4 * kVectorLanes;
constexpr std::size_t kFrameBytes = (kSlots + 1) * kSlotBytes + 64;
constexpr std::size_t kDataBytes = 1 << 16;

using ir::MicroOp;
using ir::Opcode;
using ir::Place;
using ir::Type;

Place slot(unsigned n) {
    return static_cast<Place>(n * kSlotBytes);
}

MicroOp operation(Opcode opcode, Type type, Place to, std::array<Place, 3> from, ir::Sub sub = ir::Sub::None) {
    MicroOp op;
    op.opcode = opcode;
    op.type = type;
    op.sub = sub;
    op.dst[0] = to;
    std::copy(from.begin(), from.end(), op.src.begin());
    if (type == Type::F32)
        op.rounding = ir::Rounding::Rn;
    return op;
}

std::array<MicroOp, 7> operations() {
    const Place predicate = slot(kSlots);
    MicroOp select = operation(Opcode::Selp, Type::B32, slot(8), {slot(1), slot(2), predicate});
    return {operation(Opcode::Fma, Type::F32, slot(4), {slot(5), slot(6), slot(4)}),
            operation(Opcode::Add, Type::F32, slot(5), {slot(5), slot(6), ir::kNowhere}),
            operation(Opcode::Mad, Type::S32, slot(1), {slot(1), slot(2), slot(3)}, ir::Sub::Lo),
            operation(Opcode::Add, Type::S32, slot(2), {slot(2), slot(3), ir::kNowhere}),
            operation(Opcode::Xor, Type::B32, slot(3), {slot(3), slot(1), ir::kNowhere}),
            operation(Opcode::Setp, Type::S32, predicate, {slot(1), slot(2), ir::kNowhere}, ir::Sub::Lt),
            select};
}

} // namespace

BareLoop run_bare_loop(std::uint64_t instructions) {
    const std::unique_ptr<std::byte, decltype(&std::free)> frames(
        static_cast<std::byte*>(std::aligned_alloc(64, kWarps * kFrameBytes)), &std::free);
    std::memset(frames.get(), 1, kWarps * kFrameBytes);
    const std::unique_ptr<std::byte[]> data(new std::byte[kDataBytes]());
    const auto ops = operations();
    std::array<exec::VectorOp, 7> functions;
    std::transform(ops.begin(), ops.end(), functions.begin(),
                   [](const MicroOp& op) { return exec::select_vector_op(op); });

    const exec::Frames rows{frames.get(), kFrameBytes, frames.get()};
    std::array<warp::Part, kWarps> warps;
    for (unsigned w = 0; w < kWarps; ++w)
        warps[w] = {static_cast<RowId>(w), ~std::uint32_t{0}};
    std::uint64_t lines_touched = 0;
    std::array<Address, kMaxWidth> lines;
    std::array<Address, kVectorLanes> addresses;
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t done = 0;
    while (done < instructions) {
        for (unsigned step = 0; step < 8; ++step)
            for (unsigned w = 0; w < kWarps; ++w, ++done) {
                std::byte* const frame = frames.get() + w * kFrameBytes;
                if (step < ops.size()) {
                    functions[step](ops[step], rows, {&warps[w], 1});
                    continue;
                }
                for (unsigned lane = 0; lane < kVectorLanes; ++lane)
                    addresses[lane] = (w * 128 + lane * 4 + done * 128) % kDataBytes;
                lines_touched += sm::distinct_lines(addresses, 7, lines.data());
                for (unsigned lane = 0; lane < kVectorLanes; ++lane)
                    std::memcpy(frame + slot(6) + lane * 4, data.get() + addresses[lane], 4);
            }
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    // What was counted must not look useless to the compiler.
    if (lines_touched == 0)
        std::abort();
    return {done, time.count()};
}

} // namespace heddle::bench
