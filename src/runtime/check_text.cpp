#include "runtime/check_text.h"

#include <fmt/format.h>

namespace heddle::runtime {

using check::Finding;
using check::Kind;

namespace {

std::string bytes_text(std::uint64_t n) {
    return fmt::format("{} byte{}", n, n == 1 ? "" : "s");
}

std::string access_name(const check::Place& place) {
    switch (place.how) {
    case check::How::Read:
        return "read";
    case check::How::Write:
        return place.by_copy ? "write (cp.async)" : "write";
    case check::How::Atomic:
        return "atomic access";
    }
    return {};
}

std::string expected_text(std::uint32_t threads) {
    return threads == 0 ? "arrival, for all threads of the block" : fmt::format("arrival, for {} threads", threads);
}

} // namespace

std::string_view check_of(Kind kind) {
    switch (kind) {
    case Kind::Race:
        return "races";
    case Kind::Uninitialised:
        return "uninitialised";
    case Kind::Leak:
        return "leaks";
    default:
        return "barriers";
    }
}

std::string_view name_of(check::Space space) {
    switch (space) {
    case check::Space::Global:
        return "global";
    case check::Space::Shared:
        return "shared";
    case check::Space::Local:
        return "local";
    }
    return {};
}

std::string headline(const Finding& f) {
    switch (f.kind) {
    case Kind::Race:
        if (f.first.by_copy && !f.second.by_copy && f.first.block == f.second.block &&
            f.first.thread == f.second.thread)
            return fmt::format("race in {} memory: a thread does not wait for its asynchronous copy", name_of(f.space));
        return fmt::format("race in {} memory: two accesses of {} without an order between them", name_of(f.space),
                           bytes_text(f.bytes));
    case Kind::Uninitialised:
        return fmt::format("uninitialised {} memory: a read of {} that nothing has written", name_of(f.space),
                           bytes_text(f.bytes));
    case Kind::BarrierInstruction:
        return fmt::format("divergent barrier {}: threads of the block meet at it by different instructions", f.number);
    case Kind::BarrierWarp:
        return fmt::format("divergent barrier {}: threads of one warp do not execute it together", f.number);
    case Kind::BarrierExited:
        return fmt::format("divergent barrier {}: threads of the block have exited and never come to it", f.number);
    case Kind::BarrierCount:
        return f.first.pc == kNoPc
                   ? fmt::format("wrong count of barrier {}: it expects {} threads, more than the block has", f.number,
                                 f.expected[1])
               : f.expected[0] == f.expected[1]
                   ? fmt::format("wrong count of barrier {}: more threads come to it than the {} that it expects",
                                 f.number, f.expected[0])
                   : fmt::format("wrong count of barrier {}: its threads expect different numbers of threads",
                                 f.number);
    case Kind::BarrierStuck:
        return fmt::format("divergent barrier {}: threads wait at it for others that never come", f.number);
    case Kind::WarpMask:
        return "wrong mask of a warp: a thread is no member of the mask that it names";
    case Kind::Leak:
        return fmt::format("leak: {} of '{}' are not freed", bytes_text(f.bytes), f.what);
    }
    return {};
}

Actions actions(const Finding& f) {
    switch (f.kind) {
    case Kind::Race:
    case Kind::Uninitialised:
        return {access_name(f.first), access_name(f.second)};
    case Kind::BarrierExited:
        return {"arrival", "exit"};
    case Kind::BarrierCount:
        return {expected_text(f.expected[0]), expected_text(f.expected[1])};
    case Kind::BarrierStuck:
        return {"wait", f.first.pc == kNoPc ? "wait" : "last seen"};
    case Kind::WarpMask:
        return {"", "synchronisation"};
    default:
        return {"arrival", "arrival"};
    }
}

} // namespace heddle::runtime
