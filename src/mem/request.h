// What travels between an SM and memory.
#pragma once

#include "base/types.h"
#include "mem/cache/access.h"
#include "mem/coherence.h"
#include "mem/dram/dram.h"

namespace heddle::mem {

// The part of an SM that sends a request, and to which the answer goes.
enum class Requester : std::uint8_t {
    Data,        // id: the data cache's miss
    Constant,    // id: the constant cache's miss
    Texture,     // id: the texture cache's miss
    Copy,        // id: the flight of a bulk copy
    Instruction, // id: the instruction cache's miss
    Atomic,      // id: the flight
    Store,       // id: the store that waits for its completion
    None,        // a write without an answer
    Probe,       // not a request: a probe of the directory for a copy in the data cache
    Credit,      // not a request: the way to memory takes requests again
};

// Whether a request is for a line that instructions read or write, and not for the fetch of instructions.
[[nodiscard]] constexpr bool is_load(Requester requester) {
    return requester <= Requester::Copy;
}
static_assert(Requester::Data < Requester::Copy && Requester::Constant < Requester::Copy &&
              Requester::Texture < Requester::Copy && Requester::Copy < Requester::Instruction);

struct Request {
    Address address = 0;
    Cycle sent = 0; // left the SM
    std::uint32_t id = 0;
    std::uint16_t bytes = 0;   // that memory transfers for it, within one line
    std::uint16_t carried = 0; // data in the request's packet; an atomic's answer carries as much
    AccessKind kind = AccessKind::Load;
    Requester requester = Requester::None;
    std::uint8_t operations = 1; // of an atomic: most on one word
    Message message = Message::None;
    Pc pc = kNoPc; // of the instruction that it is for; kNoPc: of none (a write-back, a notice)

    [[nodiscard]] DramUse use() const {
        constexpr DramUse kUses[] = {DramUse::Read, DramUse::Write, DramUse::Atomic,
                                     DramUse::Read, DramUse::Read,  DramUse::Write}; // by kind
        return kUses[static_cast<std::size_t>(kind)];
    }
};
static_assert(sizeof(Request) == 32, "a transaction is a line of the host's cache");

// Where a request was served.
enum class Level : std::uint8_t {
    Llc,  // its line was in the last-level cache, or was written there
    Dram, // its line came from memory, for this request or for an earlier one that it joined
};

struct Reply {
    Cycle at = 0; // core cycle in which the SM has it
    Requester requester = Requester::None;
    Level level = Level::Dram; // nothing of Requester::Credit, Requester::Probe
    Message message = Message::None;
    std::uint32_t id = 0;
    Address address = 0; // of a probe: its line
};

} // namespace heddle::mem
