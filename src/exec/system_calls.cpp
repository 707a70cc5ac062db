#include "exec/system_calls.h"

#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "exec/device_printf.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::SystemCall;
using warp::Group;
using warp::Outcome;

namespace {

constexpr std::size_t kLongestText = 1 << 16;

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

} // namespace

void SystemCalls::execute(const Group& group, const MicroOp& op, Cycle cycle, Outcome& outcome) {
    const SystemCall& call = state_.code().program().system_calls[static_cast<std::size_t>(op.imm)];
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for (std::uint32_t m = s.mask; m != 0; m &= m - 1) {
            const unsigned lane = s.lane(static_cast<unsigned>(std::countr_zero(m)));
            switch (call.function) {
            case SystemCall::Function::Print:
                print(call, group.pc, s.row, lane, cycle);
                break;
            case SystemCall::Function::Assert:
                assert_fail(call, group.pc, s.row, lane);
            case SystemCall::Function::BadFree:
                bad_free(call, group.pc, s.row, lane);
            }
        }
    });
}

void SystemCalls::print(const SystemCall& call, Pc pc, RowId row, unsigned lane, Cycle cycle) {
    std::byte* const memory = state_.local_of(row, lane);
    const std::string format = text_at(load<Address>(memory + call.arguments[0]), pc, row, lane);
    Address at = load<Address>(memory + call.arguments[1]);
    const PrintSource source{.next =
                                 [&](unsigned bytes) {
                                     at = (at + bytes - 1) & ~Address{bytes - 1};
                                     const std::byte* const from = generic(row, lane, at, bytes);
                                     if (from == nullptr)
                                         faults_.fault(Fault::Kind::Address, pc, row, lane,
                                                       fmt::format("printf: no argument at {:#x}", at));
                                     at += bytes;
                                     return bytes == 4 ? load<std::uint32_t>(from) : load<std::uint64_t>(from);
                                 },
                             .text = [&](Address text) { return text_at(text, pc, row, lane); }};
    PrintResult result = exec::print(format, source);
    if (call.result != SystemCall::kNoResult)
        std::memcpy(memory + call.result, &result.arguments, sizeof result.arguments);
    printed_.push_back({cycle, std::move(result.text)});
}

void SystemCalls::assert_fail(const SystemCall& call, Pc pc, RowId row, unsigned lane) const {
    const std::byte* const memory = state_.local_of(row, lane);
    const auto text = [&](unsigned argument) {
        return text_at(load<Address>(memory + call.arguments[argument]), pc, row, lane);
    };
    faults_.fault(Fault::Kind::Assertion, pc, row, lane,
                  fmt::format("{}:{}: {}: assertion '{}' failed", text(1),
                              load<std::uint32_t>(memory + call.arguments[2]), text(3), text(0)));
}

// The fault is reported at the program's call of free: native code names it at the operation itself.
void SystemCalls::bad_free(const SystemCall& call, Pc pc, RowId row, unsigned lane) const {
    const bool is_called = !state_.calls().empty() && !state_.calls().of(row, lane).frames.empty();
    faults_.fault(Fault::Kind::Address, is_called ? state_.calls().of(row, lane).frames.back().pc - 1 : pc, row, lane,
                  fmt::format("free({:#x}): malloc has not given this pointer, or it is free already",
                              load<Address>(state_.local_of(row, lane) + call.arguments[0])));
}

const std::byte* SystemCalls::generic(RowId row, unsigned lane, Address address, std::uint64_t bytes) const {
    const auto inside = [&](Address window, std::uint64_t size) {
        return address >= window && address - window <= size && bytes <= size - (address - window);
    };
    if (inside(kLocalWindow, state_.launch().kernel->local_bytes))
        return state_.local_of(row, lane) + (address - kLocalWindow);
    if (inside(kSharedWindow, state_.shared_bytes()))
        return state_.shared_of(row) + (address - kSharedWindow);
    return image_.find(address, bytes) != nullptr ? image_.host(address) : nullptr;
}

std::string SystemCalls::text_at(Address address, Pc pc, RowId row, unsigned lane) const {
    std::string text;
    while (text.size() < kLongestText) {
        const std::byte* const at = generic(row, lane, address + text.size(), 1);
        if (at == nullptr)
            faults_.fault(Fault::Kind::Address, pc, row, lane,
                          fmt::format("a text at {:#x} that does not end in its allocation", address));
        if (*at == std::byte{0})
            break;
        text += static_cast<char>(*at);
    }
    return text;
}

std::vector<Printed> SystemCalls::take_printed() {
    return std::exchange(printed_, {});
}

} // namespace heddle::exec
