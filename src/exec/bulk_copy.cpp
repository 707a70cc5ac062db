#include "exec/bulk_copy.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "exec/frame.h"
#include "exec/half_bits.h"
#include "exec/lane_access.h"
#include "exec/observer.h"
#include "ir/bulk.h"

namespace heddle::exec {

using ir::MicroOp;
using warp::Group;
using warp::Outcome;

namespace {

constexpr unsigned kAlignment = 16; // of all addresses and sizes, in bytes
constexpr unsigned kEntry = 32;     // bytes of an entry of an access

unsigned rank_of(const MicroOp& op) {
    return static_cast<unsigned>(op.imm & ir::bulk::kRank);
}

bool has(const MicroOp& op, std::int64_t flag) {
    return (op.imm & flag) != 0;
}

void begin_access(Outcome& outcome, Access& access) {
    outcome.kind = Outcome::Kind::Memory;
    access.store = access.atomic = false;
    access.bytes = kEntry;
    access.global = access.shared = access.local = access.constant = access.other_block = 0;
    access.texels.clear();
}

// The load touches these bytes.
void touch(Address address, std::uint64_t bytes, Access& access) {
    for (Address at = address & ~Address{kEntry - 1}; at < address + bytes; at += kEntry)
        access.texels.push_back(at);
}

// The bytes of an element outside a tensor: zeros, or a NaN.
std::byte fill_byte(const TensorMap& map, std::uint32_t offset) {
    if (map.fills_nan == 0)
        return std::byte{0};
    if (map.element_bytes == 2)
        return std::byte(offset % 2 == 0 ? kOutsideHalf & 0xff : kOutsideHalf >> 8);
    return offset % map.element_bytes == map.element_bytes - 1U ? std::byte{0x7f} : std::byte{0xff};
}

// The type of a tensor's elements for reductions; None: it has none.
ir::Type type_of(const TensorMap& map) {
    using enum ir::Type;
    constexpr std::array kTypes{None, None, U32,  S32, U64, S64, F16,
                                F32,  F64,  BF16, F32, F32, F32}; // CUtensorMapDataType
    return map.type < kTypes.size() ? kTypes[map.type] : None;
}

} // namespace

template <class T>
T BulkCopies::value(const Thread& t, unsigned source) const {
    return lane_value<T>(t.op.src[source], t.s, state_.pool(), t.i);
}

void BulkCopies::fault(const Thread& t, Fault::Kind kind, const std::string& what) const {
    faults_.fault(kind, t.pc, t.s.row, t.s.lane(t.i), what);
}

void BulkCopies::check_alignment(const Thread& t, Address address, unsigned alignment) const {
    if (address % alignment != 0)
        fault(t, Fault::Kind::Misaligned,
              fmt::format("bulk copy at {:#x}: the address must be a multiple of {}", address, alignment));
}

bool BulkCopies::is_in_used_pages(Address address, std::uint32_t bytes, bool writes) const {
    for (std::uint64_t left = bytes; left != 0;) { // the end of the range may be beyond all addresses
        const std::uint64_t piece = std::min(left, MemoryImage::kPage - address % MemoryImage::kPage);
        if (!global_.image.is_in_used_page(address, piece, writes))
            return false;
        address += piece;
        left -= piece;
    }
    return true;
}

bool BulkCopies::check_global(const Thread& t, Address address, std::uint32_t bytes, bool writes) {
    const bool strict = state_.launch().strict;
    const Allocation* found = global_.image.find(address, bytes);
    if (found != nullptr && writes && found->is_out_of_reach())
        found = nullptr;
    if (found != nullptr && !(writes && (found->read_only || (found->constant && strict))))
        return true;
    const std::string what = fmt::format("bulk copy of {} bytes at {:#x} of global memory, which {}", bytes, address,
                                         found == nullptr ? "no allocation holds" : "is read-only");
    const std::string more = found == nullptr ? faults_.surroundings(address, bytes) : "";
    const unsigned lane = t.s.lane(t.i);
    if (strict || found != nullptr || !is_in_used_pages(address, bytes, writes))
        faults_.fault(Fault::Kind::Address, t.pc, t.s.row, lane, what, more);
    overruns_.add(t.pc, global_.now, writes, [&] { return faults_.whole_report(t.pc, t.s.row, lane, what, more); });
    return false;
}

void BulkCopies::observe_global(const Thread& t, check::How how, Address address, std::uint64_t bytes,
                                const std::byte* value) const {
    if (Observer* const observer = state_.observer(); observer != nullptr) [[unlikely]]
        observer->accesses_range(t.pc, t.s.row, t.s.lane(t.i), check::Space::Global, how, address, bytes, value);
}

void BulkCopies::observe_shared(const Thread& t, check::How how, Address address, std::uint64_t bytes,
                                const std::byte* value) const {
    Observer* const observer = state_.observer();
    if (observer == nullptr) [[likely]]
        return;
    const auto rank = static_cast<unsigned>(address >> kRankShift);
    const auto offset = static_cast<std::uint32_t>(address & kOffsetInBlock);
    observer->accesses_range(t.pc, t.s.row, t.s.lane(t.i), check::Space::Shared, how,
                             rank == 0 ? observer->shared_address(t.s.row, offset)
                                       : observer->shared_address(t.s.row, rank - 1, offset),
                             bytes, value);
}

std::byte* BulkCopies::memory_of(const Thread& t, unsigned rank) const {
    if (std::byte* const memory = state_.shared_of_rank(t.s.row, rank); memory != nullptr)
        return memory;
    const Cluster* const cluster = state_.cluster(state_.row(t.s.row).slot);
    const unsigned blocks = cluster == nullptr ? 1 : cluster->blocks;
    fault(t, Fault::Kind::Address,
          rank < blocks ? fmt::format("bulk copy to block {} of the cluster, which has ended", rank)
                        : fmt::format("bulk copy to block {} of a cluster, which has {} block{}", rank, blocks,
                                      blocks == 1 ? "" : "s"));
}

std::byte* BulkCopies::shared(const Thread& t, Address address, std::uint64_t bytes) const {
    const Address offset = address & kOffsetInBlock;
    if (address >> (kRankShift + 8) != 0 || offset + bytes > state_.shared_bytes())
        fault(
            t, Fault::Kind::Address,
            fmt::format("out-of-bounds bulk copy of {} bytes at {:#x} of shared memory, of which a block has {} bytes",
                        bytes, address, state_.shared_bytes()));
    const auto rank = static_cast<unsigned>(address >> kRankShift);
    return (rank == 0 ? state_.shared_of(t.s.row) : memory_of(t, rank - 1)) + offset;
}

const MicroOp& BulkCopies::reduction_of(const Thread& t, ir::Type type) {
    const MicroOp* const found = reductions_.of(t.op.sub, type);
    if (found == nullptr)
        fault(t, Fault::Kind::Other, "the elements of the tensor have a type for which there is no such reduction");
    return *found;
}

TensorMap BulkCopies::map_of(const Thread& t) const {
    const auto address = value<Address>(t, 1);
    TensorMap map;
    const std::byte* from = nullptr;
    const auto lies_in = [&](Address window, std::uint64_t bytes) {
        return address - window < bytes && bytes - (address - window) >= sizeof map;
    };
    if (lies_in(kParameterWindow, state_.launch().parameters.size()))
        from = state_.code().parameters() + (address - kParameterWindow);
    else if (lies_in(kLocalWindow, state_.launch().kernel->local_bytes)) // where clang 14 copies a parameter to
        from = state_.local_of(t.s.row, t.s.lane(t.i)) + (address - kLocalWindow);
    else if (global_.image.find(address, sizeof map) != nullptr)
        from = global_.image.host(address);
    if (from != nullptr)
        std::memcpy(&map, from, sizeof map);
    if (from == nullptr || !map.is_valid())
        fault(
            t, Fault::Kind::Address,
            fmt::format("there is no tensor map at {:#x}: cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col make one",
                        address));
    if (map.rank != rank_of(t.op) || (map.im2col != 0) != has(t.op, ir::bulk::kIm2col))
        fault(t, Fault::Kind::Other,
              fmt::format("the map is of {} dimensions{}, not as the instruction says", map.rank,
                          map.im2col != 0 ? " for im2col" : ""));
    if (has(t.op, ir::bulk::kRows)) {
        if (map.box[1] != 1)
            fault(t, Fault::Kind::Other,
                  fmt::format("the boxes of the map have {} rows: a copy of four rows by their coordinates needs boxes "
                              "of one row",
                              map.box[1]));
        map.box[1] = TensorRows::kGathered;
        map.step[1] = 1;
    }
    return map;
}

TensorRows BulkCopies::rows_of(const Thread& t, const TensorMap& map) const {
    std::array<std::int32_t, TensorMap::kMostDimensions> at{};
    const bool gathers = has(t.op, ir::bulk::kRows);
    for (unsigned d = 0; d < (gathers ? 1U + TensorRows::kGathered : map.rank); ++d)
        at[d] = value<std::int32_t>(t, 2 + d);
    std::array<std::uint16_t, 3> offsets{};
    if (map.im2col != 0 && t.op.kind == ir::Kind::Texture) {
        const auto packed = value<std::uint64_t>(t, ir::bulk::kPacked);
        for (unsigned d = 0; d < offsets.size(); ++d)
            offsets[d] = static_cast<std::uint16_t>(packed >> (16 * d));
    }
    return {map, at, offsets, gathers};
}

Swizzle BulkCopies::load_bytes(const Thread& t, Access& access) {
    const auto from = value<Address>(t, 1);
    const auto bytes = value<std::uint32_t>(t, 2);
    check_alignment(t, from, kAlignment);
    check_alignment(t, bytes, kAlignment);
    static_cast<void>(shared(t, value<Address>(t, 0), bytes)); // not more than a block has
    data_.resize(bytes);
    if (bytes == 0)
        return Swizzle::None;
    if (has(t.op, ir::bulk::kFromShared)) {
        std::memcpy(data_.data(), shared(t, from, bytes), bytes);
        observe_shared(t, check::How::Read, from, bytes);
        return Swizzle::None;
    }
    check_global(t, from, bytes, false);
    bytes_.read(from, bytes, data_.data());
    observe_global(t, check::How::Read, from, bytes);
    touch(from, bytes, access);
    return Swizzle::None;
}

Swizzle BulkCopies::load_box(const Thread& t, Access& access) {
    const TensorMap map = map_of(t);
    static_cast<void>(shared(t, value<Address>(t, 0), map.box_bytes())); // not more than a block has
    TensorRows rows = rows_of(t, map);
    data_.resize(map.box_bytes());
    std::array<TensorRun, 3> runs;
    for (unsigned count = 0; rows.next(runs, count);)
        for (unsigned r = 0; r < count; ++r) {
            const TensorRun& run = runs[r];
            if (run.address == 0) {
                for (std::uint32_t b = run.offset; b < run.offset + run.bytes; ++b)
                    data_[b] = fill_byte(map, b);
                continue;
            }
            check_global(t, run.address, run.bytes, false);
            bytes_.read(run.address, run.bytes, &data_[run.offset]);
            observe_global(t, check::How::Read, run.address, run.bytes);
            touch(run.address, run.bytes, access);
        }
    return map.swizzle;
}

// Copies data_ to shared memory, of one block or of those in the multicast mask.
void BulkCopies::deliver(const Thread& t, Swizzle swizzle) {
    const auto to = value<Address>(t, 0);
    check_alignment(t, to, rank_of(t.op) == 0 ? kAlignment : 128);
    std::byte* const own = shared(t, to, data_.size());
    const auto copy = [&](std::byte* at) {
        if (swizzle == Swizzle::None) {
            std::memcpy(at, data_.data(), data_.size());
            return;
        }
        const Address begin = to & kOffsetInBlock;
        for (std::size_t chunk = 0; chunk < data_.size(); chunk += kAlignment)
            std::memcpy(at + swizzled(begin + chunk, swizzle) - begin, &data_[chunk], kAlignment);
    };
    if (data_.empty())
        return;
    const bool multicast = has(t.op, ir::bulk::kMulticast);
    const bool in_order = swizzle == Swizzle::None && t.op.sub == ir::Sub::None;
    const std::byte* const written = in_order ? data_.data() : nullptr;
    if (!multicast)
        observe_shared(t, t.op.sub != ir::Sub::None ? check::How::Atomic : check::How::Write, to, data_.size(),
                       written);
    if (t.op.sub != ir::Sub::None)
        return bytes_.reduce_host(reduction_of(t, t.op.type), own, static_cast<std::uint32_t>(data_.size()),
                                  data_.data());
    if (!multicast)
        return copy(own);
    for_each_lane(static_cast<std::uint32_t>(value<std::uint64_t>(t, ir::bulk::kPacked) >> 48), [&](unsigned rank) {
        copy(memory_of(t, rank) + (to & kOffsetInBlock));
        observe_shared(t, check::How::Write, (Address{rank} + 1) << kRankShift | (to & kOffsetInBlock), data_.size(),
                       written);
    });
}

void BulkCopies::load(const Group& group, const MicroOp& op, Outcome& outcome, Access& access) {
    begin_access(outcome, access);
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            const Thread t{op, group.pc, s, i};
            const std::size_t before = access.texels.size();
            deliver(t, rank_of(op) == 0 ? load_bytes(t, access) : load_box(t, access));
            if (access.texels.size() != before)
                enter(s, i, access.texels[before], access);
        });
    });
}

void BulkCopies::store_run(const Thread& t, ir::Type type, Address address, std::uint32_t bytes, const std::byte* from,
                           Access& access) {
    const bool inside = check_global(t, address, bytes, true);
    const bool reduces = t.op.kind == ir::Kind::Atomic;
    observe_global(t, reduces ? check::How::Atomic : check::How::Write, address, bytes, reduces ? nullptr : from);
    const auto reached = inside ? bytes : static_cast<std::uint32_t>(global_.image.bytes_in_reach(address, bytes));
    if (reduces)
        bytes_.reduce(reduction_of(t, type), address, reached, from);
    else
        bytes_.write(address, reached, from);
    for (Address at = address & ~Address{kEntry - 1}; at < address + bytes && access.count < kMaxWidth; at += kEntry) {
        access.global |= std::uint64_t{1} << access.count;
        enter(t.s, t.i, at, access);
    }
}

void BulkCopies::store_bytes(const Thread& t, Access& access) {
    const auto from = value<Address>(t, 0), to = value<Address>(t, 1);
    const auto bytes = value<std::uint32_t>(t, 2), begin = value<std::uint32_t>(t, ir::bulk::kPacked);
    check_alignment(t, from, kAlignment);
    check_alignment(t, to, kAlignment);
    check_alignment(t, bytes, kAlignment);
    if (begin >= bytes)
        return;
    const std::uint32_t piece = std::min(bytes - begin, ir::bulk::kPiece);
    observe_shared(t, check::How::Read, from + begin, piece);
    store_run(t, t.op.type, to + begin, piece, shared(t, from, bytes) + begin, access);
}

void BulkCopies::store_box(const Thread& t, Access& access) {
    const TensorMap map = map_of(t);
    const auto from = value<Address>(t, 0);
    const auto begin = value<std::uint32_t>(t, ir::bulk::kPacked), end = begin + ir::bulk::kPiece;
    check_alignment(t, from, 128);
    const std::byte* const at = shared(t, from, map.box_bytes()) - (from & kOffsetInBlock);
    if (begin < map.box_bytes())
        observe_shared(t, check::How::Read, from + begin, std::min<std::uint64_t>(map.box_bytes(), end) - begin);
    TensorRows rows = rows_of(t, map);
    std::array<TensorRun, 3> runs;
    for (unsigned count = 0; rows.next(runs, count);)
        for (unsigned r = 0; r < count; ++r) {
            const std::uint32_t first = std::max(runs[r].offset, begin);
            const std::uint32_t last = std::min(runs[r].offset + runs[r].bytes, end);
            if (runs[r].address == 0 || first >= last)
                continue;
            data_.resize(last - first);
            for (std::uint32_t b = first; b < last; ++b)
                data_[b - first] = at[swizzled((from & kOffsetInBlock) + b, map.swizzle)];
            store_run(t, type_of(map), runs[r].address + (first - runs[r].offset), last - first, data_.data(), access);
        }
}

void BulkCopies::store(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome, Access& access) {
    global_.now = now;
    begin_access(outcome, access);
    access.store = op.kind == ir::Kind::Surface;
    access.atomic = op.kind == ir::Kind::Atomic;
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            const Thread t{op, group.pc, s, i};
            if (rank_of(op) == 0)
                store_bytes(t, access);
            else
                store_box(t, access);
        });
    });
}

void BulkCopies::box_bytes(const Group& group, const MicroOp& op, Outcome& outcome) const {
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            const auto bytes = static_cast<std::uint32_t>(map_of({op, group.pc, s, i}).box_bytes());
            std::memcpy(s.frame + op.dst[0] + std::size_t{i} * sizeof bytes, &bytes, sizeof bytes);
        });
    });
}

} // namespace heddle::exec
