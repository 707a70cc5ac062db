// The profile of a run as plain data: member "profile" of RESULT.json (docs/profile.md). The runtime fills it in;
// pages, exports and the summary read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "probe/profile.h"

namespace heddle::report {

// A line of a source file of the user.
struct SourceLine {
    std::uint32_t file = 0; // index in Profile::files
    std::uint32_t line = 0; // from 1
    auto operator<=>(const SourceLine&) const = default;
};

struct ProfiledFile {
    std::string name;                // as the compiler wrote it, or the name of the PTX text
    std::optional<std::string> text; // nothing where the file could not be read
};

struct ProfiledStall {
    std::string cause;                   // a name of probe::kSlots
    std::optional<std::size_t> producer; // index in ProfiledKernel::instructions
    std::uint64_t slots = 0;
};

// A PTX instruction of a kernel that was executed or waited at. A kernel has its own copy of each function it calls.
struct ProfiledInstruction {
    std::uint32_t pc = 0;
    std::string text;     // "ld.global.nc.f32": the opcode with its modifiers
    std::string function; // as the PTX names it
    SourceLine ptx;       // in the text of the module
    // The source line, and where its function was inlined, the calls from the innermost to the outermost. Empty: the
    // PTX names no line.
    std::vector<SourceLine> lines;
    probe::Counters counters{};
    std::vector<ProfiledStall> stalls; // largest first
    // The functions that were inlined, as the PTX names them (function_name of .loc): inlined[i] has lines[i]. A name
    // is empty, and names at the end are left out, where the PTX does not say them.
    std::vector<std::string> inlined{};
};

struct ProfiledKernel { // all launches of a kernel
    std::string name;   // as the PTX says it
    std::uint64_t launches = 0;
    bool timed = true;                                            // false: no launch was timed, so there are no stalls
    std::vector<ProfiledInstruction> instructions;                // by PC
    std::vector<std::pair<std::string, std::uint64_t>> elsewhere; // empty slots of no instruction, by cause
};

struct Profile {
    unsigned width = 0;      // lanes of an issue slot
    unsigned line_bytes = 0; // of the data cache
    std::vector<ProfiledFile> files;
    std::vector<ProfiledKernel> kernels; // in the order of their first launch
};

} // namespace heddle::report
