// The format: "Callgrind Format Specification" of Valgrind's manual, version 1.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "probe/slot.h"
#include "report/kernels.h"
#include "report/profile/exports.h"
#include "report/profile/frames.h"
#include "report/result.h"

namespace heddle::report {

namespace {

using Events = std::vector<std::uint64_t>; // Slots, Executions, Threads, then the causes

void add(Events& to, const Events& from) {
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] += from[i];
}

// "(3) name" where a name is used first, "(3)" later.
class Ids {
public:
    std::string operator()(const std::string& name) {
        const auto [at, first] = ids_.emplace(name, ids_.size() + 1);
        return first ? fmt::format("({}) {}", at->second, name) : fmt::format("({})", at->second);
    }

private:
    std::map<std::string, std::size_t> ids_;
};

struct CallKey {
    SourceLine line; // of the call
    std::string callee;
    auto operator<=>(const CallKey&) const = default;
};

struct Call {
    std::uint64_t count = 0; // executions of its first instruction
    std::uint32_t pc = 0;    // of that instruction
    SourceLine first;        // its line
    Events inclusive;
};

struct OwnKey {
    std::uint32_t file = 0, pc = 0, line = 0;
    auto operator<=>(const OwnKey&) const = default;
};

struct Function {
    std::optional<std::uint32_t> file; // of its first instruction with a source line
    std::map<OwnKey, Events> own;
    std::map<CallKey, Call> calls;
};

using Functions = std::map<std::string, Function>; // by name

class CallgrindWriter {
public:
    explicit CallgrindWriter(const Profile& profile) : profile_(profile), names_(short_file_names(profile)) {
        std::set<std::string> present;
        for (const ProfiledKernel& kernel : profile.kernels) {
            for (const auto& [cause, slots] : kernel.elsewhere)
                present.insert(cause);
            for (const ProfiledInstruction& instruction : kernel.instructions)
                for (const ProfiledStall& stall : instruction.stalls)
                    present.insert(stall.cause);
        }
        causes_.assign(present.begin(), present.end());
    }

    std::string take() {
        Events sum(3 + causes_.size());
        std::string body;
        for (const ProfiledKernel& kernel : profile_.kernels)
            body += kernel_text(kernel, sum);
        std::string out =
            fmt::format("# callgrind format\nversion: 1\ncreator: heddle {}\npositions: instr line\n", version());
        for (const std::string& cause : causes_)
            out += fmt::format("event: {} : {}\n", cause, probe::words_of(cause));
        out +=
            fmt::format("events: Slots Executions Threads{}{}\n", causes_.empty() ? "" : " ", fmt::join(causes_, " "));
        return out + fmt::format("summary: {}\n\n", fmt::join(sum, " ")) + body;
    }

private:
    std::size_t event_of(const std::string& cause) const {
        return 3 + static_cast<std::size_t>(std::lower_bound(causes_.begin(), causes_.end(), cause) - causes_.begin());
    }

    Events events_of(const ProfiledInstruction& instruction) const {
        Events out(3 + causes_.size());
        out[1] = instruction.counters[static_cast<std::size_t>(probe::Counter::Executions)];
        out[2] = instruction.counters[static_cast<std::size_t>(probe::Counter::Threads)];
        out[0] = out[1];
        for (const ProfiledStall& stall : instruction.stalls) {
            out[event_of(stall.cause)] += stall.slots;
            out[0] += stall.slots;
        }
        return out;
    }

    static void add_instruction(Functions& functions, const std::vector<Frame>& frames,
                                const ProfiledInstruction& instruction, const Events& events) {
        for (const Frame& frame : frames)
            if (Function& function = functions[frame.function]; !function.file && !instruction.lines.empty())
                function.file = frame.line.file;
        const SourceLine line = line_of(instruction);
        add(functions[frames.back().function].own[{line.file, instruction.pc, line.line}], events);
        for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
            const Call entered{events[1], instruction.pc, frames[i + 1].line, {}};
            auto& calls = functions[frames[i].function].calls;
            add(calls.try_emplace({frames[i].line, frames[i + 1].function}, entered).first->second.inclusive, events);
        }
    }

    std::string kernel_text(const ProfiledKernel& kernel, Events& sum) {
        Functions functions;
        for (const ProfiledInstruction& instruction : kernel.instructions) {
            const Events events = events_of(instruction);
            add_instruction(functions, frames_of(names_, instruction), instruction, events);
            add(sum, events);
        }
        Events rest(3 + causes_.size());
        for (const auto& [cause, slots] : kernel.elsewhere) {
            rest[event_of(cause)] += slots;
            rest[0] += slots;
        }
        add(sum, rest);

        std::string out = fmt::format("ob={}\n", objects_(readable_name(kernel.name)));
        for (const auto& [name, function] : functions)
            out += function_text(name, function, functions);
        if (rest[0] != 0)
            out += fmt::format("fl={}\nfn={}\n0x0 0 {}\n\n", files_("???"), functions_("(no instruction)"),
                               fmt::join(rest, " "));
        return out;
    }

    // Without source lines: that of its first instruction in the PTX.
    std::string file_of(const Function& function) {
        const std::uint32_t file = function.file ? *function.file : function.own.begin()->first.file;
        return files_(profile_.files[file].name);
    }

    std::string function_text(const std::string& name, const Function& function, const Functions& all) {
        std::string out = fmt::format("fl={}\nfn={}\n", file_of(function), functions_(name));
        std::optional<std::uint32_t> in = function.file; // where positions are
        const auto enter = [&](std::uint32_t file) {
            if (in != file)
                out += fmt::format("fi={}\n", files_(profile_.files[file].name));
            in = file;
        };
        for (const auto& [key, events] : function.own) {
            enter(key.file);
            out += fmt::format("{:#x} {} {}\n", key.pc, key.line, fmt::join(events, " "));
        }
        for (const auto& [key, call] : function.calls) {
            enter(key.line.file);
            out += fmt::format("cfi={}\ncfn={}\n", file_of(all.at(key.callee)), functions_(key.callee));
            out += fmt::format("calls={} {:#x} {}\n", call.count, call.pc, call.first.line);
            out += fmt::format("{:#x} {} {}\n", call.pc, key.line.line, fmt::join(call.inclusive, " "));
        }
        return out + "\n";
    }

    const Profile& profile_;
    std::vector<std::string> names_, causes_;
    Ids objects_, files_, functions_;
};

} // namespace

std::string callgrind_profile(const Profile& profile) {
    return CallgrindWriter(profile).take();
}

} // namespace heddle::report
